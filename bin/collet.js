#!/usr/bin/env node
// biome-ignore-all lint/style/useNodejsImportProtocol: an old Node, which is to be told that it is old, does not know the prefix
// The committed start of the command line. Whatever Node there is reads it, so it keeps to old syntax; all the rest is in dist/.
"use strict";
const fs = require("fs");
const path = require("path");
const manifest = require("../package.json");

const root = path.dirname(__dirname);
const EXIT_USAGE = 2;
const EXIT_INTERNAL = 70;

function main() {
  if (!isSupported(process.versions.node)) {
    return stop(`needs Node ${manifest.engines.node}, and this is Node ${process.versions.node} (${process.execPath})`, EXIT_USAGE);
  }
  if (process.argv.length === 3 && (process.argv[2] === "--version" || process.argv[2] === "-V")) return print(1, manifest.version);
  if (!fs.existsSync(path.join(root, "dist", "cli", "cli.cjs"))) {
    const next = fs.existsSync(path.join(root, "node_modules")) ? "npm run build" : "npm ci";
    return stop(`is not built yet; run \`${next}\` in ${root}`, EXIT_USAGE);
  }
  keepCompiledCode();
  const cli = load();
  if (cli) cli.main(process);
}

function load() {
  try {
    return require("../dist/cli/cli.cjs");
  } catch (error) {
    stop(`dist/cli/cli.cjs cannot be loaded (${error.message}); run \`npm run build\` in ${root}`, EXIT_INTERNAL);
    return null;
  }
}

function isSupported(version) {
  const wanted = /(\d+)\.(\d+)/.exec(manifest.engines.node);
  const parts = version.split(".").map(Number);
  return parts[0] > Number(wanted[1]) || (parts[0] === Number(wanted[1]) && parts[1] >= Number(wanted[2]));
}

// compiled code is kept in the user's own cache folder, never below a shared temporary one, where others could plant it; the demo
// promises to touch nothing but its folder and the state, so it goes without
function keepCompiledCode() {
  const cache = process.env.XDG_CACHE_HOME || (process.env.HOME && path.join(process.env.HOME, ".cache"));
  const enable = require("module").enableCompileCache;
  if (enable && cache && path.isAbsolute(cache) && process.argv[2] !== "demo") enable(path.join(cache, "collet", "compiled"));
}

function stop(message, status) {
  print(2, `collet: ${message}`);
  process.exitCode = status;
}

function print(descriptor, line) {
  try {
    fs.writeSync(descriptor, `${line}\n`);
  } catch (error) {
    if (error.code !== "EPIPE") process.exitCode = EXIT_INTERNAL;
  }
}

main();
