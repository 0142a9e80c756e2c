/**
 * The walls of ARCHITECTURE.md as a function: source texts in, breaches out. Pure, so that a planted breach can be shown to turn it red.
 */
import { builtinModules } from "node:module";
import { dirname, join } from "node:path/posix";
import ts from "typescript";

/** What each room may import besides `base`, and whether it may use Node's built-in modules. */
const ROOMS: Readonly<Record<string, { readonly imports: readonly string[]; readonly node: boolean }>> = {
  base: { imports: [], node: false },
  shell: { imports: [], node: false },
  sandbox: { imports: [], node: true },
  tools: { imports: ["shell", "sandbox/port.ts"], node: false },
  permissions: { imports: [], node: false },
  secrets: { imports: [], node: true },
  log: { imports: [], node: true },
  executor: { imports: ["sandbox/port.ts", "tools", "permissions", "secrets", "log"], node: false },
  models: { imports: [], node: true },
  auth: { imports: [], node: true },
  session: { imports: ["log", "models", "executor"], node: false },
  host: {
    imports: ["shell", "sandbox", "sandbox/port.ts", "tools", "permissions", "secrets", "log", "executor", "models", "auth", "session"],
    node: true,
  },
  cli: { imports: ["session", "executor", "log", "node.ts"], node: true },
  testing: {
    imports: [
      "shell",
      "sandbox",
      "sandbox/port.ts",
      "tools",
      "permissions",
      "secrets",
      "log",
      "executor",
      "models",
      "auth",
      "session",
      "node.ts",
    ],
    node: true,
  },
};

/** Files outside the rooms: the doors of the package. */
const DOORS: Readonly<Record<string, readonly string[]>> = {
  "node.ts": ["host", "sandbox", "executor", "tools", "permissions", "models", "session"],
  "index.ts": ["tools/pure.ts", "permissions", "executor", "session", "models", "log/pure.ts", "sandbox/port.ts"],
  "tools-door.ts": ["tools"],
  "testing-door.ts": ["testing"],
};

/** Second doors: part of a room that others may import beside its `index.ts`. */
const SIDE_DOORS = new Set(["sandbox/port.ts", "log/pure.ts", "tools/pure.ts"]);
/** The one file of `base` that may use a Node module. */
const BASE_NODE_FILE = "base/hash.ts";
/** Lines that a file may have. Files here are longer and may only shrink: the number is their length, not an allowance. */
const MAX_LINES = 400;
const MAX_TEST_LINES = 300;
/** Where the process may be asked for its folder and environment. */
const PROCESS_READERS = /^(cli\/|node\.ts$)/;
const NODE_MODULES = new Set(builtinModules);

interface Import {
  readonly specifier: string;
  /** False when it vanishes at run time. */
  readonly isValue: boolean;
}

export interface ArchitectureOptions {
  /** Path below `src/` to its text. */
  readonly files: ReadonlyMap<string, string>;
  readonly longFiles?: Readonly<Record<string, number>>;
}

/** Every breach as one sentence that names the file; empty when the walls stand. */
export function checkArchitecture({ files, longFiles = {} }: ArchitectureOptions): string[] {
  const breaches: string[] = [];
  const graph = new Map<string, readonly Import[]>();
  for (const [path, text] of files) {
    breaches.push(...checkSize(path, text, longFiles));
    if (isTest(path)) continue;
    const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true);
    const imports = importsOf(source);
    graph.set(path, imports);
    breaches.push(...imports.flatMap((found) => checkImport(path, found, files)), ...checkStatements(path, source));
  }
  return [...breaches, ...rings(graph), ...pureDoor(graph)];
}

function isTest(path: string): boolean {
  return /\.test(-d)?\.ts$/.test(path);
}

function checkSize(path: string, text: string, longFiles: Readonly<Record<string, number>>): string[] {
  if (path.endsWith(".generated.js") || path.endsWith(".generated.d.ts")) return [];
  const lines = text.split("\n").length - 1;
  const limit = isTest(path) ? MAX_TEST_LINES : MAX_LINES;
  const known = longFiles[path];
  if (known === undefined) return lines > limit ? [`${path} has ${lines} lines, at most ${limit}`] : [];
  if (lines <= limit) return [`${path} is no longer long: take it off the list`];
  return lines === known ? [] : [`${path} has ${lines} lines; the list says ${known}, and may only shrink`];
}

function importsOf(source: ts.SourceFile): Import[] {
  const found: Import[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) && ts.isStringLiteral(node.moduleSpecifier)) {
      found.push({ specifier: node.moduleSpecifier.text, isValue: isValueImport(node.importClause) });
    } else if (ts.isExportDeclaration(node) && node.moduleSpecifier && ts.isStringLiteral(node.moduleSpecifier)) {
      const named = node.exportClause && ts.isNamedExports(node.exportClause) ? node.exportClause.elements : undefined;
      found.push({
        specifier: node.moduleSpecifier.text,
        isValue: !node.isTypeOnly && !(named?.every((element) => element.isTypeOnly) ?? false),
      });
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      const [argument] = node.arguments;
      found.push({ specifier: argument && ts.isStringLiteralLike(argument) ? argument.text : "(computed)", isValue: true });
    } else if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "require") {
      found.push({ specifier: "(require)", isValue: true });
    } else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument) && ts.isStringLiteral(node.argument.literal)) {
      found.push({ specifier: node.argument.literal.text, isValue: false });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return found;
}

function isValueImport(clause: ts.ImportClause | undefined): boolean {
  if (!clause) return true;
  if (clause.phaseModifier === ts.SyntaxKind.TypeKeyword) return false;
  const bindings = clause.namedBindings;
  if (clause.name || !bindings || !ts.isNamedImports(bindings)) return true;
  return !bindings.elements.every((element) => element.isTypeOnly);
}

function checkImport(path: string, { specifier }: Import, files: ReadonlyMap<string, string>): string[] {
  if (specifier === "(require)" || specifier === "(computed)")
    return [`${path} uses ${specifier === "(require)" ? "require" : "a computed import"}`];
  if (!specifier.startsWith(".")) return checkPackage(path, specifier);
  const target = resolve(path, specifier);
  if (!files.has(target))
    return specifier.endsWith(".ts") || specifier.endsWith(".js") ? [] : [`${path} imports ${specifier}, which has no ending`];
  const from = roomOf(path);
  const to = roomOf(target);
  if (from === to && from !== "") return [];
  if (to === "base") return [];
  const allowed = from === "" ? DOORS[path] : ROOMS[from]?.imports;
  if (!allowed) return [`${path} is in no room`];
  if (to === "") return allowed.includes(target) ? [] : [`${path} imports ${target}, which ${from || "it"} may not`];
  if (SIDE_DOORS.has(target) && (allowed.includes(target) || allowed.includes(to))) return [];
  if (!allowed.includes(to)) return [`${path} imports ${target}: ${from || path} may not import ${to}`];
  return target === `${to}/index.ts` ? [] : [`${path} imports ${target}: another room is entered by its index.ts`];
}

function checkPackage(path: string, specifier: string): string[] {
  const name = specifier.replace(/^node:/, "");
  if (!specifier.startsWith("node:")) return NODE_MODULES.has(name) ? [`${path} imports ${specifier} without its node: prefix`] : [];
  const room = roomOf(path);
  const mayUse = room === "" ? path === "node.ts" : (ROOMS[room]?.node ?? false);
  return mayUse || path === BASE_NODE_FILE ? [] : [`${path} imports ${specifier}: ${room || path} uses no Node modules`];
}

function checkStatements(path: string, source: ts.SourceFile): string[] {
  const breaches: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isExportDeclaration(node) && node.moduleSpecifier && !node.exportClause) breaches.push(`${path} uses export *`);
    if (ts.isPropertyAccessExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "process") {
      const member = node.name.text;
      if ((member === "env" || member === "cwd") && !PROCESS_READERS.test(path)) breaches.push(`${path} reads process.${member}`);
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  for (const statement of source.statements) {
    if (ts.isExpressionStatement(statement)) breaches.push(`${path} runs something at import: ${statement.getText().slice(0, 60)}`);
  }
  return breaches;
}

/** Rings over static imports, those of types too: a ring of ideas is a ring. */
function rings(graph: ReadonlyMap<string, readonly Import[]>): string[] {
  const state = new Map<string, "open" | "done">();
  const found: string[] = [];
  const walk = (path: string, trail: readonly string[]): void => {
    if (state.get(path) === "done") return;
    if (state.get(path) === "open") {
      found.push(`ring: ${[...trail.slice(trail.indexOf(path)), path].join(" → ")}`);
      return;
    }
    state.set(path, "open");
    for (const { specifier } of graph.get(path) ?? []) {
      if (specifier.startsWith(".")) walk(resolve(path, specifier), [...trail, path]);
    }
    state.set(path, "done");
  };
  for (const path of graph.keys()) walk(path, []);
  return found;
}

/** The pure door must run in a browser: nothing that it reaches at run time uses a Node module. */
function pureDoor(graph: ReadonlyMap<string, readonly Import[]>): string[] {
  const seen = new Set<string>();
  const found: string[] = [];
  const walk = (path: string): void => {
    if (seen.has(path)) return;
    seen.add(path);
    for (const { specifier, isValue } of graph.get(path) ?? []) {
      if (!isValue) continue;
      if (specifier.startsWith("node:")) found.push(`the pure door index.ts reaches ${specifier} by ${path}`);
      else if (specifier.startsWith(".")) walk(resolve(path, specifier));
    }
  };
  walk("index.ts");
  return found;
}

function resolve(from: string, specifier: string): string {
  return join(dirname(from), specifier);
}

function roomOf(path: string): string {
  const slash = path.indexOf("/");
  return slash < 0 ? "" : path.slice(0, slash);
}
