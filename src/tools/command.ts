import { asFailure, fail } from "../base/fail.ts";
import { withCheck } from "./attached-check.ts";
import { checkArgs, withSplitArgs } from "./command-args.ts";
import { type CommandOptions, type Grant, grantOf } from "./command-options.ts";
import { refuseOutsideGrant } from "./command-patterns.ts";
import { planCommand } from "./command-plan.ts";
import { createProgramFinder } from "./command-program.ts";
import { DEFAULT_TIMEOUT_S, folderToRunIn, RUN_KINDS, RUN_PARAMETERS, resultOfRun, timeLimit } from "./command-result.ts";
import { type Tool, toolInternals, type Validation } from "./contract.ts";
import { defineTool } from "./define-tool.ts";
import { validators } from "./validators.generated.js";

/**
 * A tool that runs one program, without a shell: every argument is given as it is. What it does is planned by the table of programs, so that
 * mode and rules decide as for the same words in a script; `allow` and `deny` bound it whatever they say. Beside folder, time and output,
 * which are those of `bash`, it gets the variables of `env`.
 *
 * Kind: invalid_args, for options that cannot be used (`option`).
 */
export function command(options: CommandOptions): Tool {
  const grant = grantOf(options);
  const finder = createProgramFinder(grant.command);
  const tool = defineTool({
    name: grant.name,
    description: grant.description ?? describe(grant),
    parameters: withCheck(
      {
        type: "object",
        properties: {
          args: {
            type: "array",
            items: { type: "string", description: "One word, as it is." },
            description: "The arguments, one item for each word; no shell reads them.",
          },
          ...RUN_PARAMETERS,
        },
        required: ["args"],
      },
      validators.command,
    ),
    kinds: [...RUN_KINDS, "permission_denied"],
    effectKinds: ["command", "file.read", "file.write", "file.delete", "network", "unknown"],
    examples: [{ args: exampleOf(grant) }],
    secrets: Object.values(grant.secrets),

    async plan({ args, cwd: asked, timeout = grant.timeout ?? DEFAULT_TIMEOUT_S }, context) {
      const { sandbox } = context;
      if (!sandbox.processes) throw fail("bash_disabled", "there are no processes in this sandbox", { sandbox: sandbox.kind });
      checkArgs(args);
      refuseOutsideGrant(args, grant);
      const base = grant.cwd === null ? context.cwd : await folderToRunIn(sandbox, grant.cwd);
      const cwd = asked === undefined ? base : await folderToRunIn(sandbox, /^[/~]/.test(asked) ? asked : `${base}/${asked}`, "/cwd");
      const program = await finder.find(context);
      const { effects, env } = await planCommand([program.word, ...args], { cwd, sandbox, given: grant });
      return { effects, env, program, args, cwd, limit: timeLimit(timeout) };
    },

    async execute({ env, program, args, cwd, limit }, { sandbox, secrets }) {
      const kept = Object.entries(grant.secrets).map(([variable, { name }]) => [variable, secrets[name] ?? ""]);
      const run = await sandbox.exec({
        argv: [program.word, ...args],
        file: program.place,
        ...(program.sha256 === null ? {} : { content: { file: program.file, sha256: program.sha256 } }),
        cwd,
        env: { ...env, ...grant.values, ...Object.fromEntries(kept) },
        timeoutMs: limit.timeoutMs,
      });
      return resultOfRun(run, limit);
    },
  });
  const internals = { ...tool[toolInternals], open: finder.open, validate: splitting(tool[toolInternals].validate) };
  return Object.freeze({ ...tool, [toolInternals]: Object.freeze(internals) });
}

type Validate = Tool[typeof toolInternals]["validate"];

/** Also takes a text for the list of words, where its words are certain. */
function splitting(validate: Validate): Validate {
  return async (asked): Promise<Validation> => {
    try {
      const { args, said } = withSplitArgs(asked);
      const validation = await validate(args);
      return validation.ok && said !== null ? { ...validation, repairs: [said, ...validation.repairs] } : validation;
    } catch (error) {
      return { ok: false, failure: asFailure(error) };
    }
  };
}

function describe({ command, allow, deny, cwd, values, secrets }: Grant): string {
  const list = (texts: readonly string[]) => texts.map((text) => `\`${text}\``).join(", ");
  const names = [...Object.keys(values), ...Object.keys(secrets)];
  return [
    `Run ${command} with these arguments, each given as it is: no shell, no expansion. Standard input is empty; the output is standard output and standard error as they come, cut in the middle when long.`,
    ...(allow ? [`Only arguments that begin with one of these: ${list(allow.map(({ text }) => text)) || "none"}.`] : []),
    ...(deny.length > 0 ? [`Never: ${list(deny.map(({ text }) => text))}.`] : []),
    ...(cwd === null ? [] : [`It runs in ${cwd}, from which \`cwd\` is taken.`]),
    ...(names.length > 0 ? [`Set in its environment: ${names.join(", ")}.`] : []),
  ].join(" ");
}

/** Arguments that the grant lets through. */
function exampleOf({ allow }: Grant): readonly string[] {
  const literal = allow?.map(({ pattern }) => pattern.words.slice(1)).find((words) => words.every((word) => word !== null));
  if (literal) return literal.map(String);
  return allow === null ? ["--version"] : (allow[0]?.pattern.words.slice(1).map((word) => word ?? "x") ?? []);
}
