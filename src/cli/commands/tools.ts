import type { Command } from "commander";
import type { CommandContext } from "../program.ts";
export function defineTools(program: Command, _context: CommandContext): void {
  program.command("tools");
}
