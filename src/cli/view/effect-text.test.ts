import { expect, test } from "vitest";
import { shownPath } from "./effect-text.ts";

test.each<[string, string, string | null, string]>([
  ["/w", "/w", "/h", "."],
  ["/w/a", "/w", "/h", "a"],
  ["/w/~/a", "/w", "/h", "./~/a"],
  ["/h/a", "/w", "/h", "~/a"],
  ["/h", "/w", "/h", "~"],
  ["/hx/a", "/w", "/h", "/hx/a"],
  ["/h/w/a", "/h/w", "/h", "a"],
  ["/etc/x", "/w", "/", "/etc/x"],
  ["/h/a", "/w", null, "/h/a"],
  ["/h/\u202ea", "/w", "/h", "~/\\u{202e}a"],
])("%s is shown from %s and the home folder %s as %s", (path, workspace, home, shown) => {
  expect(shownPath(path, { workspace, home })).toBe(shown);
});
