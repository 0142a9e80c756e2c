import { describe, expect, test } from "vitest";
import { callForTest, doingForTest } from "./doing-for-test.ts";
import { NETWORK } from "./network.ts";
import { addressOfAuthority, addressOfUrl } from "./network-address.ts";

describe("addressOfUrl", () => {
  test.each([
    ["http://Example.com/a?b#c", "example.com", 80],
    ["https://u:p@example.com", "example.com", 443],
    ["https://example.com:8443?x=@y", "example.com", 8443],
    ["ssh://git@h_1.example.com/a", "h_1.example.com", 22],
    ["http://[::1]:81/", "::1", 81],
    ["http://127.1/", "127.1", 80],
    ["git://example.com./", "example.com", 9418],
  ])("reads %s", (url, host, port) => {
    expect(addressOfUrl(url)).toEqual({ host, port });
  });

  test.each([
    "example.com",
    "gopher://example.com",
    "http:///example.com",
    "http://a@b@c/",
    "http://a\\@b/",
    "http://a b/",
    "http://a%2eb/",
    "http://bücher.example/",
    "http://a:99999/",
    "http://a:x/",
    "http://-a/",
    "http://[::1/",
    "http://a\u200b/",
    "file:///x",
    "",
  ])("does not guess where %j leads", (url) => {
    expect(addressOfUrl(url)).toBeNull();
  });

  test("allows the port 0, which stands for none", () => {
    expect(addressOfAuthority("a", 0)).toEqual({ host: "a", port: 0 });
  });
});

describe("curl", () => {
  test.each([
    ["curl https://example.com/a", "declared: net example.com:443"],
    ["curl -sSf localhost:3000/api", "declared: net localhost:3000"],
    ["curl -s -o out -H A:b https://a.example/x", "declared: write out, net a.example:443"],
    ["curl -so- http://a/", "declared: net a:80"],
    ["curl -O https://a/b/c.tgz?x=1", "declared: write c.tgz, net a:443"],
    ["curl --output-dir d -O http://a/f", "declared: write d/f, net a:80"],
    ["curl --output-dir d -o f http://a/f", "declared: write d/f, net a:80"],
    ["curl -T f http://a/", "declared: read f, net a:80"],
    ["curl -d @.env http://a/", "declared: read .env, net a:80"],
    ["curl -d x=@y http://a/", "declared: net a:80"],
    ["curl --data-urlencode x@f http://a/", "declared: read f, net a:80"],
    ["curl --data-binary @../f http://a/", "declared: read ../f, net a:80"],
    ["curl --json @f http://a/", "declared: read f, net a:80"],
    ["curl -F x=@f;type=text/plain http://a/", "declared: read f, net a:80"],
    ["curl -F x=<f http://a/", "declared: read f, net a:80"],
    ["curl -F x=y http://a/", "declared: net a:80"],
    ["curl -H @f http://a/", "declared: read f, net a:80"],
    ["curl -b f -c g -D h http://a/", "declared: read f, write g, write h, net a:80"],
    ["curl -b x=y http://a/", "declared: net a:80"],
    ["curl -E c.pem:secret --key k http://a/", "declared: read c.pem, read k, net a:80"],
    ["curl file:///etc/passwd", "declared: read /etc/passwd"],
    ["curl http://a/ --url http://b/", "declared: net a:80, net b:80"],
    ["curl https://a.example/it$x", "declared: net a.example:443"],
    ["curl -d it$x http://a/", "declared: net a:80"],
    ["curl -L http://a/", "open: net a:80"],
    ["curl -fsSLO https://a/b", "open: write b, net a:443"],
    ["curl --version", "declared"],
  ])("`%s`: %s", (command, expected) => {
    expect(doingForTest(NETWORK, command)).toBe(expected);
  });

  test.each([
    "curl -K f http://a/",
    "curl --config f",
    "curl -x http://p/ http://a/",
    "curl --unix-socket /s http://a/",
    "curl --resolve a:80:1.2.3.4 http://a/",
    "curl --connect-to ::b: http://a/",
    "curl --engine x http://a/",
    "curl --outp x http://a/",
    "curl --variable x@f http://a/",
    "curl $x",
    "curl http://a$x",
    "curl http://{a,b}/",
    "curl http://a[1-3]/",
    "curl http://a@b@c/",
    "curl ftp.example.com",
    "curl u@ftp.example.com",
    "curl scp://a/b",
    "curl file:///%65tc",
    "curl --url @f",
    "curl -o #1 http://a/",
    "curl -O http://a/",
    "curl -w @f http://a/",
    "curl -w %output{f} http://a/",
    "curl -d $x http://a/",
    "curl -F x=@f,g http://a/",
    "curl -F x=y;headers=@f http://a/",
    "curl -T {a,b} http://a/",
    "curl --next http://a/",
    "curl --doh-url http://b/ http://a/",
  ])("`%s` cannot be told", (command) => {
    expect(callForTest(NETWORK, command.split(" "))).toMatchObject({ sure: "open", unknown: expect.any(String) });
  });

  test("names the hosts that it sees even then", () => {
    expect(doingForTest(NETWORK, "curl --new https://a/")).toBe("open: net a:443, unknown");
  });
});

describe("others", () => {
  test.each([
    ["wget https://a/b/c", "open: write ./c, net a:443"],
    ["wget -q -O- a.example", "open: net a.example:80"],
    ["wget -P d -r http://a/", "open: write d/**, net a:80"],
    ["wget -P d http://a/", "open: write d/index.html, net a:80"],
    ["wget --post-file=.env -O f http://a/", "open: write f, read .env, net a:80"],
    ["wget --version", "declared"],
    ["wget -e use_proxy=yes http://a/", "open: write ./index.html, net a:80, unknown"],
    ["wget --use-askpass=./x http://a/", "open: write ./index.html, net a:80, unknown"],
    ["wget --config=x http://a/", "open: write ./index.html, net a:80, unknown"],
    ["wget $x", "open: write ./**, unknown"],
    ["ssh -p 2222 u@a.example rm x", "open: net a.example:2222"],
    ["ssh -i key a", "open: read key, net a:22"],
    ["ssh -o StrictHostKeyChecking=no a", "open: net a:22"],
    ["ssh -o ProxyCommand=x a", "open: net a:22, run sh -c x, unknown"],
    ["ssh -oPermitLocalCommand=yes a", "open: net a:22, unknown"],
    ["ssh -F x a", "open: net a:22, unknown"],
    ["ssh -J b a", "open: net a:22, unknown"],
    ["ssh it$x", "open: unknown"],
    ["ssh -V", "declared"],
    ["scp -P 23 f u@a:d", "open: read f/**, net a:23"],
    ["scp a:d .", "open: write ./**, net a:22"],
    ["scp -S ./x f a:d", "open: read f/**, net a:22, run ./x, unknown"],
    ["sftp a", "open: net a:22"],
    ["rsync -av --delete src/ a:dst", "open: read src//**, net a:22"],
    ["rsync -a src dst", "open: read src/**, write dst/**"],
    ["rsync rsync://a/m .", "open: write ./**, net a:873"],
    ["rsync -e ./x src a:d", "open: read src/**, net a:22, run ./x, unknown"],
    ["rsync --rsync-path=x src a:d", "open: read src/**, net a:22, unknown"],
    ["nc -vz a 80", "open: net a:80"],
    ["nc -e /bin/sh a 80", "open: unknown"],
    ["ncat -c x a 80", "open: unknown"],
    ["nc a $x", "open: unknown"],
    ["socat - TCP:a:80", "open: net a:80"],
    ["socat - EXEC:sh", "open: unknown"],
    ["socat TCP-LISTEN:1 SYSTEM:x", "open: unknown"],
    ["telnet a 25", "open: net a:25"],
    ["ping -c 1 a", "open: net a:7"],
    ["dig @1.1.1.1 a", "open: net 1.1.1.1:53"],
    ["dig a", "open"],
  ])("`%s`: %s", (command, expected) => {
    expect(
      doingForTest(NETWORK, command)
        .split(/, (?=net|read|write|unknown)/)
        .sort(),
    ).toEqual(expected.split(/, (?=net|read|write|unknown)/).sort());
  });

  test.each([
    ["openssl version -a", "declared"],
    ["openssl dgst -sha256 a b", "declared: read a, read b"],
    ["openssl sha256 a", "declared: read a"],
    ["openssl dgst -sha256 -out f a", "declared: write f, read a"],
    ["openssl x509 -in c.pem -noout -text -dates", "declared: read c.pem"],
    ["openssl x509 -in c.pem -checkend 86400", "declared: read c.pem"],
    ["openssl dgst -engine ./x a", "open"],
    ["openssl dgst -sign k a", "open"],
    ["openssl x509 -req -in c", "open: read c"],
    ["openssl x509 -in org.openssl.engine:x", "open: read org.openssl.engine:x"],
    ["openssl x509 -provider-path . -in c", "open: read c"],
    ["openssl dgst $x", "open"],
    ["openssl s_client -connect a:443", "open"],
    ["openssl rand -hex 8", "open"],
    ["openssl", "open"],
  ])("`%s`: %s", (command, expected) => {
    expect(doingForTest(NETWORK, command)).toBe(expected);
  });
});
