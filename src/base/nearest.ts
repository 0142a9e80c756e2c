/** More names than this are not compared; longer ones neither. */
const MAX_NAMES = 1000;
const MAX_LENGTH = 100;

/**
 * The names that a person or model most likely meant by `wanted`, best first, at most three; none when nothing is near. Case, `_` and `-`
 * do not count; a slip in about every third letter is forgiven, and so is a part for the whole (`file_path` for `path`).
 */
export function nearestNames(wanted: string, names: readonly string[]): readonly string[] {
  const target = folded(wanted);
  if (target === "" || target.length > MAX_LENGTH) return [];
  return names
    .slice(0, MAX_NAMES)
    .map((name) => ({ name, distance: distanceOf(target, folded(name)) }))
    .filter(({ distance }) => distance <= Math.max(1, Math.floor(target.length / 3)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, 3)
    .map(({ name }) => name);
}

function folded(name: string): string {
  return name.toLowerCase().replace(/[-_\s]/g, "");
}

function distanceOf(a: string, b: string): number {
  if (b === "" || b.length > MAX_LENGTH) return Number.POSITIVE_INFINITY;
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length >= 3 && long.includes(short)) return short === long ? 0 : 1;
  return editDistance(a, b);
}

/** Letters to put in, take out, change or swap with their neighbour to make `a` into `b` (optimal string alignment). */
function editDistance(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, column) => column);
  for (let row = 1; row <= a.length; row++) {
    const current = [row];
    for (let column = 1; column <= b.length; column++) {
      const changed = at(last, column - 1) + (a[row - 1] === b[column - 1] ? 0 : 1);
      let best = Math.min(changed, at(last, column) + 1, at(current, column - 1) + 1);
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        best = Math.min(best, at(beforeLast, column - 2) + 1);
      }
      current.push(best);
    }
    beforeLast = last;
    last = current;
  }
  return at(last, b.length);
}

function at(row: readonly number[], column: number): number {
  return row[column] ?? Number.POSITIVE_INFINITY;
}
