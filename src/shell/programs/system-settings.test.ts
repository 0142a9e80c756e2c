import { expect, test } from "vitest";
import { doingForTest } from "./doing-for-test.ts";
import { SYSTEM } from "./system.ts";

test.each(
  (
    "ip a|ip addr|ip addr show|ip -br a|ip -4 addr show dev eth0|ip a s lo|ip route|ip link show|ip -s -j link|sysctl -a|sysctl -n kernel.pid_max|" +
    "last|last -5|last -n 5 root|mount|mount -l|ifconfig|ifconfig -a|findmnt|findmnt -J -t ext4|pidof node|pidof -s node|pstree -p 1"
  ).split("|"),
)("%s only tells", (script) => {
  expect(doingForTest(SYSTEM, script)).toBe("declared");
});

test("findmnt looks at the place that it is asked for", () => {
  expect(doingForTest(SYSTEM, "findmnt -T a")).toBe("declared: stat a");
  expect(doingForTest(SYSTEM, "findmnt -F a")).toBe("open: stat a");
});

test.each(
  (
    "ip|ip addr add 1.2.3.4 dev lo|ip link set lo down|ip a flush lo|ip -batch f|ip -b f|ip netns exec a sh|ip -n a addr|ip route get 1.1.1.1|ip monitor|ip -r route|ip -family inet6 addr|" +
    "ip a show dev a b|ip $x|ip a $x|sysctl -w a=1|sysctl a=1|sysctl -p|sysctl --system|sysctl $x|last -f a|last -d|mount a b|mount -a|mount $x|" +
    "ifconfig lo down|ifconfig lo|findmnt --verify|findmnt -p|pidof $x|pstree $x"
  ).split("|"),
)("%s may do more", (script) => {
  expect(doingForTest(SYSTEM, script)).toBe("open");
});
