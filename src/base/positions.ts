/** Below this the engine's own search is quickest, and its worst case, length times length, is small. */
const SHORT = 32;

/**
 * Every position at which `wanted`, which is not empty, stands in `text`, overlapping ones too, in order. Time grows with the sum of the two
 * lengths, whatever they hold (Knuth, Morris, Pratt); `String.indexOf` takes their product on text that repeats itself.
 */
export function* positionsOf(text: string, wanted: string): Generator<number> {
  if (wanted.length <= SHORT) {
    for (let at = text.indexOf(wanted); at !== -1; at = text.indexOf(wanted, at + 1)) yield at;
    return;
  }
  // the engine is far quicker where the start of the text is rare, so it finds where to begin, and where to go on
  const start = wanted.slice(0, SHORT);
  let at = text.indexOf(start);
  if (at === -1) return;
  const borders = bordersOf(wanted);
  let matched = 0;
  for (; at < text.length; at++) {
    if (matched === 0) at = text.indexOf(start, at);
    if (at === -1) return;
    const unit = text.charCodeAt(at);
    while (matched > 0 && wanted.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0;
    if (wanted.charCodeAt(matched) === unit) matched++;
    if (matched < wanted.length) continue;
    yield at - wanted.length + 1;
    matched = borders[matched - 1] ?? 0;
  }
}

/** For each prefix the length of its longest proper prefix that is also its suffix. */
function bordersOf(wanted: string): Uint32Array {
  const borders = new Uint32Array(wanted.length);
  for (let at = 1, length = 0; at < wanted.length; at++) {
    const unit = wanted.charCodeAt(at);
    while (length > 0 && wanted.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0;
    if (wanted.charCodeAt(length) === unit) length++;
    borders[at] = length;
  }
  return borders;
}
