import { spawn, spawnSync } from "node:child_process";
import { expect } from "vitest";
import { environment, type Place } from "./harness.ts";

/** A terminal of a size; what is written into it is typed, and its end hangs up. Its exit status is that of the program, 128 + n for a signal. */
const PTY = `
import fcntl, os, pty, select, struct, sys, termios
rows, columns, *argv = sys.argv[1:]
pid, screen = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", int(rows), int(columns), 0, 0))
    os.execvp(argv[0], argv)
while True:
    ready, _, _ = select.select([screen, 0], [], [])
    if screen in ready:
        try:
            text = os.read(screen, 65536)
        except OSError:
            text = b""
        if not text:
            break
        os.write(1, text)
    if 0 in ready:
        typed = os.read(0, 65536)
        if not typed:
            break
        os.write(screen, typed)
os.close(screen)
status = os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1])
sys.exit(status if status >= 0 else 128 - status)
`;

export const hasPty = spawnSync("python3", ["-c", "import pty, os; os.waitstatus_to_exitcode"]).status === 0;

export interface PtyOptions {
  readonly place: Place;
  /** Default: 200 rows, 120 columns. */
  readonly rows?: number;
  readonly columns?: number;
  /** On top of the environment of every test. */
  readonly env?: Readonly<Record<string, string>>;
}

/** A program in a terminal of its own. */
export function openPty(argv: readonly string[], { place, rows = 200, columns = 120, env = {} }: PtyOptions) {
  const child = spawn("python3", ["-c", PTY, String(rows), String(columns), ...argv], {
    cwd: place.workspace,
    env: { ...environment(place), TERM: "xterm", ...env },
    stdio: ["pipe", "pipe", "inherit"],
  });
  // the program may end before what is typed arrives
  child.stdin.on("error", () => {});
  let screen = "";
  child.stdout.setEncoding("utf8").on("data", (more) => {
    screen += more;
  });
  const ended = new Promise<number | null>((resolve) => child.on("close", resolve));
  return {
    type: (keys: string) => void child.stdin.write(keys),
    hangUp: () => void child.stdin.end(),
    screen: () => plain(screen),
    shows: (part: string) => expect.poll(() => plain(screen), { timeout: 30_000 }).toContain(part),
    async end() {
      const status = await ended;
      return { status, screen: plain(screen) };
    },
  };
}

/** Without our own colours, and what asks a terminal to mark pastes; what else a terminal would obey stays. */
function plain(screen: string): string {
  return screen.replace(/\u001b\[(?:\d*m|\?2004[hl])/g, "").replaceAll("\r\n", "\n");
}
