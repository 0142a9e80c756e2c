import type { ContractCase } from "./contract-case.ts";
import { sandboxConfinementCases } from "./sandbox-contract-confinement.ts";
import { sandboxReadCases } from "./sandbox-contract-read.ts";
import { sandboxWriteCases } from "./sandbox-contract-write.ts";
import type { SandboxCases, SandboxFixture } from "./sandbox-fixture.ts";

/**
 * What every sandbox must do, as cases for any test runner. Each case makes its own fixture, with an empty workspace.
 *
 * `for (const { name, run } of sandboxContract(create)) test(name, run);`
 */
export function sandboxContract(create: () => SandboxFixture | Promise<SandboxFixture>): readonly ContractCase[] {
  const all: SandboxCases = { ...sandboxConfinementCases, ...sandboxReadCases, ...sandboxWriteCases };
  return Object.entries(all).map(([name, check]) => ({
    name,
    async run() {
      const fixture = await create();
      try {
        await check(fixture);
      } finally {
        await fixture.close();
      }
    },
  }));
}
