/** Programs that show bytes as text, or text as bytes. */
import { open, type Program } from "../doing.ts";
import { plainProgram } from "../program.ts";
import type { Word } from "../word.ts";
import type { Family } from "./table.ts";

const od = plainProgram({
  flags: "-a -b -B -c -d -D -e -f -F -h -H -i -I -l -L -o -O -s -v -x -X --output-duplicates --traditional --help --version",
  values: { "-A -j -N -S -t --address-radix --endian --skip-bytes --read-bytes --format": "text" },
  optional: { "-w --width --strings": "text" },
  operands: "read",
});

const hexdump = plainProgram({
  flags:
    "-b -c -C -d -o -v -x -X --one-byte-octal --one-byte-hex --one-byte-char --canonical --two-bytes-decimal --two-bytes-octal --two-bytes-hex " +
    "--no-squeezing --help --version",
  values: { "-e -n -s --format --length --skip": "text", "-f --format-file": "read" },
  optional: { "-L --color": "text" },
  operands: "read",
});

const xxdByNames = plainProgram({
  flags: "-a -b -C -d -e -E -h -i -p -r -t -u -v",
  values: { "-c -g -l -n -o -R -s": "text" },
  special: /^(?:-ps|-plain|-postscript|-[cgl]\d+|-[so]-?\d+|-s\+\d+)$/,
  mixed: false,
  operands: ["read", "write"],
  unless: (_, operands) => (operands.length > 2 ? open() : null),
});

/** `xxd` looks at the first letter of an option only, so that `-ac` does not take a value. */
const xxd: Program = (invocation) => {
  const isCluster = invocation.args.some(
    (word) => word.known && /^-[a-zA-Z]{2}/.test(word.value) && !/^-p(?:s|lain|ostscript)$/.test(word.value),
  );
  return isCluster ? open() : xxdByNames(invocation);
};

// `@file` stands for the options and operands in a file
const strings = plainProgram({
  flags: "-a -f -o -w --all --print-file-name --include-all-whitespace --help --version",
  values: { "-e -n -s -t --bytes --radix --encoding --output-separator": "text" },
  special: /^-\d+$/,
  operands: "read",
  unless: (_, operands) => (operands.every(isNoList) ? null : open()),
});

function isNoList(word: Word): boolean {
  const starts = word.known ? [word.value] : (word.below ?? [word.prefix]);
  return starts.every((start) => /^[^@]/.test(start));
}

// -i is a flag here and stands before the file to read there; only there is -o known
const base64 = plainProgram({
  flags:
    "-d -D -i --decode --ignore-garbage --base64 --base64url --base32 --base32hex --base16 --base2msbf --base2lsbf --base58 --z85 --break " +
    "--help --version",
  values: { "-b -w --wrap": "text", "-o --output": "write", "--input": "read" },
  operands: "read",
});

export const DUMP: Family = { od, hexdump, hd: hexdump, xxd, strings, base64, base32: base64, basenc: base64 };
