import { type Doing, declared, type FileUse, type Invocation, open } from "../doing.ts";
import { fileUses, type Role, seenFiles } from "../program.ts";
import type { Word } from "../word.ts";

/** One of its subcommands: options are whole words with one dash. */
interface Command {
  readonly flags: RegExp;
  readonly values: Readonly<Record<string, Role>>;
  /** What its operands are; absent: it takes none. */
  readonly operands?: Role;
}

const DIGEST: Command = {
  flags: /^-(?:c|r|hex|binary|list|md5|sha1|sha224|sha256|sha384|sha512|sha3-(?:224|256|384|512)|blake2[bs]\d+|sm3|ripemd160)$/,
  values: { "-out": "write" },
  operands: "read",
};

const COMMANDS: Readonly<Record<string, Command>> = {
  version: { flags: /^-[abdefopvrc]$/, values: {} },
  dgst: DIGEST,
  md5: DIGEST,
  sha1: DIGEST,
  sha256: DIGEST,
  sha512: DIGEST,
  x509: {
    flags:
      /^-(?:noout|text|subject|issuer|dates|startdate|enddate|fingerprint|serial|hash|subject_hash|issuer_hash|pubkey|modulus|email|purpose|ocsp_uri|ocspid|alias|sha1|sha256|sha512|md5)$/,
    values: {
      "-in": "read",
      "-out": "write",
      "-checkend": "text",
      "-checkhost": "text",
      "-checkip": "text",
      "-ext": "text",
      "-nameopt": "text",
    },
  },
};

/** `openssl`: versions, digests and certificates are told; whatever makes keys, connects or loads engines is `open`. */
export function openssl({ args }: Invocation): Doing {
  const [first, ...rest] = args;
  const command = first?.known && Object.hasOwn(COMMANDS, first.value) ? COMMANDS[first.value] : undefined;
  return (command ? told(command, rest) : null) ?? open({ files: seenFiles(seenIn(rest)) });
}

/** Files that its options name, whatever the subcommand. */
function seenIn(args: readonly Word[]): readonly FileUse[] {
  return args.flatMap((word, at) => {
    const before = args[at - 1];
    const option = before?.known ? before.value.replace(/^--/, "-") : "";
    if (/^-(?:in|key|inkey|CA|CAfile|CAkey|cert|certfile|config|sigfile|kfile|extfile)$/.test(option)) return fileUses("read", word);
    return /^-(?:out|keyout|writerand|CAserial|CRL|sess_out|keylogfile|tracefile)$/.test(option) ? fileUses("write", word) : [];
  });
}

function told({ flags, values, operands }: Command, args: readonly Word[]): Doing | null {
  const files: FileUse[] = [];
  for (let at = 0; at < args.length; at += 1) {
    const word = args[at];
    if (!word) break;
    if (!(word.known ? word.value : word.prefix).startsWith("-")) {
      if (operands === undefined || (!word.known && !word.below && word.prefix === "")) return null;
      files.push(...fileUses(operands, word));
      continue;
    }
    if (!word.known) return null;
    const role = Object.hasOwn(values, word.value) ? values[word.value] : undefined;
    const next = args[at + 1];
    if (role !== undefined && next && (next.known || next.single)) {
      // a certificate can also come from a store, by its address
      if (role === "read" && /^[a-z][a-z0-9+.-]*:/i.test(next.known ? next.value : next.prefix)) return null;
      files.push(...fileUses(role, next));
      at += 1;
    } else if (!flags.test(word.value)) return null;
  }
  return declared({ files });
}
