/** Ways to spell a script that does the same: what a deny rule must see through. */
import fc from "fast-check";

/** A simple command as its words. */
export type Words = readonly [string, ...string[]];

/** Scripts that run this command, spelled by quoting, spacing, nesting, wrapping and splitting, each up to `depth` deep. */
export function spellings(words: Words, depth = 3): fc.Arbitrary<string> {
  const simple = fc.oneof({ weight: 3, arbitrary: quotedCommand(words) }, { weight: 1, arbitrary: splitCommand(words) });
  let script: fc.Arbitrary<string> = fc.oneof({ weight: 2, arbitrary: simple }, { weight: 1, arbitrary: wrapped(words) });
  for (let level = 0; level < depth; level += 1)
    script = fc.oneof({ weight: 1, arbitrary: script }, { weight: 2, arbitrary: nested(script) });
  return script;
}

/** A word with quotes, backslashes and escapes that the shell takes away again. */
function quotedWord(word: string): fc.Arbitrary<string> {
  const piece = (text: string): fc.Arbitrary<string> =>
    fc.constantFrom(
      text,
      `'${text}'`,
      `"${text}"`,
      [...text].map((char) => `\\${char}`).join(""),
      `$'${[...text].map(hex).join("")}'`,
      `''${text}`,
      `${text}""`,
    );
  return fc
    .array(fc.integer({ min: 1, max: 3 }), { maxLength: 4 })
    .chain((cuts) => {
      const pieces: string[] = [];
      let rest = word;
      for (const cut of cuts) {
        pieces.push(rest.slice(0, cut));
        rest = rest.slice(cut);
      }
      return fc.tuple(...[...pieces, rest].filter((text) => text !== "").map(piece));
    })
    .map((pieces) => pieces.join(""));
}

function hex(char: string): string {
  return `\\x${char.charCodeAt(0).toString(16)}`;
}

const space = fc.constantFrom(" ", "  ", "\t", " \\\n", " \t ");

function quotedCommand(words: Words): fc.Arbitrary<string> {
  return fc
    .tuple(
      fc.tuple(...words.map(quotedWord)),
      space,
      fc.constantFrom("", ">/dev/null ", "2>&1 ", "X=1 "),
      fc.constantFrom("", "/bin/", "/usr/bin/", "\\"),
    )
    .map(([[program = "", ...args], gap, before, place]) => {
      // a path or a backslash can only stand before plain letters
      const name = place === "" || !/^[a-z]/.test(program) ? program : `${place}${program}`;
      return `${before}${[name, ...args].join(gap)}`;
    });
}

/** The words out of variables, substitutions, braces. */
function splitCommand([program, ...args]: Words): fc.Arbitrary<string> {
  const rest = args.join(" ");
  const half = Math.ceil(program.length / 2);
  return fc.constantFrom(
    `x=${program}; $x ${rest}`,
    `x=${program}; "$x" ${rest}`,
    `x=${program.slice(0, half)}; y=${program.slice(half)}; $x$y ${rest}`,
    `x='${program} ${rest}'; $x`,
    `$(echo ${program}) ${rest}`,
    `\`echo ${program}\` ${rest}`,
    `"$(printf %s ${program})" ${rest}`,
    `{${program},${args[0] ?? "x"}} ${args.slice(1).join(" ")}`,
    `x=(${program} ${rest}); "\${x[@]}"`,
    `set -- ${program} ${rest}; "$@"`,
    `x=none; x=\${y:-${program}}; $x ${rest}`,
    `for x in ${program}; do $x ${rest}; done`,
    `read -r x <<< ${program}; $x ${rest}`,
    `printf -v x %s ${program}; $x ${rest}`,
    `${program} ${rest} # nothing`,
  );
}

/** Programs that are told to run it. */
function wrapped(words: Words): fc.Arbitrary<string> {
  const [program, ...args] = words;
  const text = words.join(" ");
  return fc.constantFrom(
    `env ${text}`,
    `env -i X=1 ${text}`,
    `env -S '${text}'`,
    `command ${text}`,
    `builtin command ${text}`,
    `exec ${text}`,
    `nohup ${text}`,
    `nice -n 5 ${text}`,
    `timeout 5 ${text}`,
    `timeout -k 1 5s ${text}`,
    `setsid ${text}`,
    `stdbuf -o0 ${text}`,
    `time ${text}`,
    `time -p ${text}`,
    `! ${text}`,
    `sudo ${text}`,
    `sudo -u root -- ${text}`,
    `xargs ${text} </dev/null`,
    `echo ${args.join(" ")} | xargs ${program}`,
    `find . -maxdepth 0 -exec ${text} \\;`,
    `find . -maxdepth 0 -exec ${text} {} +`,
    `sh -c '${text}'`,
    `bash -c '${text}'`,
    `bash -ec '${text}'`,
    `echo '${text}' | sh`,
    `sh <<< '${text}'`,
    `bash <<'E'\n${text}\nE`,
    `eval '${text}'`,
    `eval ${program} '${args.join(" ")}'`,
    `trap '${text}' EXIT`,
    `f() { ${text}; }; f`,
    `f() { "$@"; }; f ${text}`,
    `function f { ${text}; }; f`,
    `coproc ${text}; wait`,
    `coproc C { ${text}; }; wait`,
    `alias x='${text}'; x`,
    `watch -n 1 ${text}`,
    `flock /tmp/l ${text}`,
    `ionice -c 3 ${text}`,
    `busybox ${text}`,
  );
}

/** A script within another. */
function nested(script: fc.Arbitrary<string>): fc.Arbitrary<string> {
  return script.chain((inner) => {
    // a here-document and a comment end with their line
    const end = /<<|#/.test(inner) ? "\n" : "; ";
    return fc.constantFrom(
      `( ${inner}${end === "\n" ? "\n" : ""})`,
      `{ ${inner}${end}}`,
      `true && { ${inner}${end}}`,
      `false || { ${inner}${end}}`,
      `true;\t{ ${inner}${end}}`,
      `echo a\n${inner}`,
      `echo $( ${inner}\n)`,
      `echo "$( ${inner}\n)"`,
      `: \${x:-$( ${inner}\n)}`,
      `x=$( ${inner}\n)`,
      `cat <( ${inner}\n)`,
      `echo a | { ${inner}${end}}`,
      `{ ${inner}${end}} | cat`,
      `{ ${inner}${end}} &`,
      `if true; then ${inner}${end}fi`,
      `if false; then :; elif { ${inner}${end}}; then :; fi`,
      `for i in 1 2; do ${inner}${end}done`,
      `for ((i = 0; i < 1; i++)); do ${inner}${end}done`,
      `while true; do ${inner}${end}break; done`,
      `until { ${inner}${end}}; do break; done`,
      `case x in x) ${inner}\n;; esac`,
      `case $( ${inner}\n) in *) ;; esac`,
      `[[ -n $( ${inner}\n) ]]`,
      `: $(( 1 + $( ${inner}\n) ))`,
      `cat <<X\n$( ${inner}\n)\nX`,
      `cat <<< "$( ${inner}\n)"`,
      `g() { ${inner}${end}}; g`,
      `a[$( ${inner}\n)]=1`,
      `echo hi > $( ${inner}\n)`,
    );
  });
}
