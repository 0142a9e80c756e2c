import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { beforeAll, describe, expect, test } from "vitest";

const root = fileURLToPath(new URL("..", import.meta.url));
const DOORS = ["src/index.ts", "src/node.ts", "src/tools-door.ts", "src/testing-door.ts"];

/** What hosts may import. A name goes only with a breaking change; a new one is added here by hand. */
const EXPORTS: Readonly<Record<string, string>> = {
  "src/index.ts": `
    AgentEffect Answer AnyEvent ArgsOf Asker AssistantPart BlobRef CallContext CallResult CallStatus CallView Certainty
    ChangedArgs CommandEffect CommandRun ConfinedBy Content Decision DecisionSource DirectoryEntry DiskLook Effect EffectKind
    Envelope EphemeralData EphemeralEvent ErrorBody ExecEnd Failure FileContent FileEffect FileStat FileStream FileVersion
    Fold FoldOptions FromJsonSchema GitSettings GitTracked JsonObject JsonSchema JsonValue KINDS Kind KindSpec Location LoggedContent
    LoggedData LoggedEffect LoggedError LoggedEvent Mode Model ModelContent ModelMessage ModelPart ModelRequest ModelTool
    NetworkEffect Parameters Permissions PlainTool Plan PlanContext PlannedTool ProgramSurvey Question ReadSandbox
    Recovery RememberScope ResultView Returned Run Runtime Sandbox ScriptedStep SecretRef Session SessionView SpecDialect
    StandardParameters StepView Survey Tool ToolResult TreeSurvey TurnResult TurnStatus TurnView UnknownEffect bound
    createFold defineTool fail foldSession isFailure isKind isLoggedEvent result secret toolSpecs`,
  "src/node.ts": `
    Access Answer Asker Clock CommandGround CommandOptions EffectRuling EventListener ExecRequest Explanation Finding Gate GateRule KEY_ENV Permissions
    PolicyGate PolicyReport PolicyTestReport Question ReadWritePolicyOptions ReportedRule RulesFileState Run Runtime RuntimeOptions SandboxPort
    Session StoredApproval TestedCase Tool TrustFile TurnResult WantedFiles WorkspaceOptions WorkspaceTrust WritePolicy codingTools command createRuntime
    forgetApproved narrowWritePolicy readOnlyTools readPolicy readWritePolicy scripted testPolicy workspaceTrust`,
  "src/tools-door.ts": `
    CommandOptions bash codingTools command edit read readOnlyTools write`,
  "src/testing-door.ts": `
    ContractCase HandClock MemorySandbox MemorySandboxOptions ModelServer ModelServerFault ModelServerOptions ModelServerRequest
    ModelServerStep SandboxFixture ToolFixture createModelServer handClock memorySandbox sandboxContract scripted toolContract`,
};

let checker: ts.TypeChecker;
let exported: Map<string, ts.Symbol[]>;

beforeAll(() => {
  const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram(
    DOORS.map((door) => join(root, door)),
    options,
  );
  checker = program.getTypeChecker();
  exported = new Map(
    DOORS.map((door) => {
      const source = program.getSourceFile(join(root, door));
      const module = source && checker.getSymbolAtLocation(source);
      return [door, module ? checker.getExportsOfModule(module).map(original) : []];
    }),
  );
});

/** The symbol where it is declared, through every re-export. */
function original(symbol: ts.Symbol): ts.Symbol {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

/** What the declarations of a symbol show, of that which this project exports; what is local to a file or `@internal` is a detail. */
function shown(symbol: ts.Symbol): ts.Symbol[] {
  const found: ts.Symbol[] = [];
  const visit = (node: ts.Node): void => {
    // what a function does is not shown, only what it takes and gives
    if (ts.isBlock(node)) return;
    if (ts.isTypeReferenceNode(node) || ts.isExpressionWithTypeArguments(node)) {
      const name = ts.isTypeReferenceNode(node) ? node.typeName : node.expression;
      const target = checker.getSymbolAtLocation(name);
      if (target) found.push(original(target));
    }
    if (ts.isVariableDeclaration(node) && node.type) visit(node.type);
    else ts.forEachChild(node, visit);
  };
  for (const declaration of symbol.declarations ?? []) visit(declaration);
  return found.filter((target) => target.declarations?.some(isOurs));
}

function isOurs(declaration: ts.Declaration): boolean {
  const isExported = (ts.getCombinedModifierFlags(declaration) & ts.ModifierFlags.Export) !== 0;
  const isInternal = ts.getJSDocTags(declaration).some(({ tagName }) => tagName.text === "internal");
  return declaration.getSourceFile().fileName.startsWith(join(root, "src/")) && isExported && !isInternal;
}

describe("a door of the package", () => {
  test.each(DOORS)("%s exports these names", (door) => {
    const names = exported.get(door)?.map(({ name }) => name);
    expect(names?.sort()).toEqual(EXPORTS[door]?.trim().split(/\s+/));
  });

  test.each(DOORS)("%s shows no type that no door exports", (door) => {
    const everywhere = new Set([...exported.values()].flat());
    const missing = (exported.get(door) ?? []).flatMap((symbol) =>
      shown(symbol)
        .filter((target) => !everywhere.has(target))
        .map((target) => `${symbol.name} shows ${target.name}`),
    );
    expect(exported.get(door)?.length).toBeGreaterThan(2);
    expect([...new Set(missing)].sort()).toEqual([]);
  });

  test.each(DOORS)("%s says of each export what it is", (door) => {
    const silent = (exported.get(door) ?? [])
      .filter((symbol) => ts.displayPartsToString(symbol.getDocumentationComment(checker)) === "")
      .map((symbol) => {
        const file = symbol.declarations?.[0]?.getSourceFile().fileName ?? "";
        return `${symbol.name} (${relative(root, dirname(file))})`;
      });
    expect(silent.sort()).toEqual([]);
  });
});
