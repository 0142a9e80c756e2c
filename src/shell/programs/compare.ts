/** Programs that compare files, and those that count or check what files hold. */
import type { Program } from "../doing.ts";
import { type PlainProgram, plainProgram } from "../program.ts";
import type { Family } from "./table.ts";
import { namedProgram } from "./told.ts";

// two folders are compared file by file even without -r, and links in them followed; -l hands what is printed to `pr`
const DIFF: PlainProgram = {
  flags:
    "-0 -1 -2 -3 -4 -5 -6 -7 -8 -9 -a -b -B -c -d -e -E -i -n -N -p -P -q -r -s -t -T -u -v -w -y -Z --normal --brief --report-identical-files " +
    "--ed --rcs --side-by-side --left-column --suppress-common-lines --show-c-function --expand-tabs --initial-tab --suppress-blank-empty " +
    "--recursive --no-dereference --new-file --unidirectional-new-file --ignore-file-name-case --no-ignore-file-name-case --ignore-case " +
    "--ignore-tab-expansion --ignore-trailing-space --ignore-space-change --ignore-all-space --ignore-blank-lines --text " +
    "--strip-trailing-cr --minimal --speed-large-files --help --version",
  values: {
    "-C -D -F -I -L -S -U -W -x --tabsize --width --show-function-line --label --exclude --starting-file --ignore-matching-lines": "text",
    "--ifdef --line-format --old-line-format --new-line-format --unchanged-line-format --palette --horizon-lines": "text",
    "--old-group-format --new-group-format --unchanged-group-format --changed-group-format --GTYPE-group-format --LTYPE-line-format":
      "text",
    "-X --exclude-from": "read",
    "--from-file --to-file": "folder",
  },
  optional: { "--color --context --unified": "text" },
  operands: "folder",
};

const diff = followingLinks(plainProgram(DIFF));

const sdiff = followingLinks(
  plainProgram({
    flags:
      "-a -b -B -d -E -H -i -l -s -t -W -Z --ignore-case --ignore-tab-expansion --ignore-trailing-space --ignore-space-change " +
      "--ignore-all-space --ignore-blank-lines --strip-trailing-cr --text --left-column --suppress-common-lines --expand-tabs --minimal " +
      "--speed-large-files --help --version",
    values: { "-I -w --ignore-matching-lines --width --tabsize": "text" },
    // it asks which lines to take, and runs an editor
    opening: { "-o --output": "write", "--diff-program": (program) => namedProgram(program) },
    operands: "folder",
  }),
);

const diff3 = plainProgram({
  flags:
    "-3 -a -A -e -E -i -m -T -x -X --show-all --ed --show-overlap --easy-only --overlap-only --merge --text --strip-trailing-cr --initial-tab " +
    "--help --version",
  values: { "-L --label": "text" },
  opening: { "--diff-program": (program) => namedProgram(program) },
  operands: "read",
});

const cmp = plainProgram({
  flags: "-b -h -l -s -x -z --print-bytes --verbose --quiet --silent --help --version",
  values: { "-i -n --ignore-initial --bytes": "text" },
  operands: ["read", "read", "text"],
});

const comm = plainProgram({
  flags: "-1 -2 -3 -i -z --check-order --nocheck-order --total --zero-terminated --help --version",
  values: { "--output-delimiter": "text" },
  operands: "read",
});

// which files -c reads stands in the list that it is given
const sum = plainProgram({
  flags: "-0 -b -q -r -s -t -z --base64 --binary --debug --raw --sysv --tag --text --untagged --zero --help --version",
  values: { "-a -l --algorithm --length": "text" },
  operands: "read",
});

const sums = "cksum sum md5sum sha1sum sha224sum sha256sum sha384sum sha512sum b2sum b3sum shasum sha1 sha256 sha512";

export const COMPARE: Family = {
  diff,
  colordiff: diff,
  sdiff,
  diff3,
  cmp,
  comm,
  ...Object.fromEntries(sums.split(" ").map((name) => [name, sum])),
  md5: plainProgram({
    flags: "-n -p -q -r -t -x",
    values: { "-s": "text" },
    operands: "read",
  }),
};

function followingLinks(program: Program): Program {
  return (invocation) => {
    const doing = program(invocation);
    return { ...doing, files: doing.files.map((use) => (use.tree ? { ...use, follows: true as const } : use)) };
  };
}
