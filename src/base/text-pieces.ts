/** Text that grows by small pieces: as large in memory as its characters, however many pieces there are, and never copied for each. */
export interface TextPieces {
  /** UTF-16 units until now. */
  readonly length: number;
  add(piece: string): void;
  text(): string;
}

/** Pieces joined at a time. Text that is grown by `+=` keeps an object for each piece until somebody reads it. */
const JOINED = 1024;

export function createTextPieces(): TextPieces {
  let joined: string[] = [];
  let pieces: string[] = [];
  let length = 0;
  return {
    get length() {
      return length;
    },
    add(piece) {
      if (piece === "") return;
      length += piece.length;
      pieces.push(piece);
      if (pieces.length < JOINED) return;
      joined.push(pieces.join(""));
      pieces = [];
    },
    text() {
      joined = [[...joined, ...pieces].join("")];
      pieces = [];
      return joined[0] ?? "";
    },
  };
}
