/** Preset safe allows curl to ask services of this machine for what they have to show, and nothing that sends, writes or leaves it. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn } from '../world.js';

const PASSING = [
  ['curl http://localhost:3000', 'plain'],
  ['curl -s localhost:3000/health', 'curl takes it for http'],
  ['curl -s 127.0.0.1:8080', 'the address itself'],
  ['curl -sS "http://[::1]:3000/a"', 'the same in IPv6'],
  ["curl -s 'http://localhost:3000/a?b=c&d=e'", 'a query'],
  ['curl -s http://localhost:3000/a?b=c', 'a pattern of the shell, below a host that is certain'],
  ['curl -s http://localhost:3000/a/b.json?x=1 2>&1 | head -5', 'shown in part'],
  ['curl -s http://localhost:3000/a | jq -r ".data[0].id"', 'filtered'],
  ['curl -sf http://localhost:3000/a | grep -c ok', 'filtered'],
  ['curl -s http://localhost:3000 > /dev/null && echo up || echo down', 'only whether it answers'],
  ["curl -s -o /dev/null -w '%{http_code}\\n' http://localhost:3000/", 'only its status'],
  ['curl -i -m 5 --connect-timeout 2 http://localhost:3000/', 'with a limit'],
  ['curl -I http://localhost:3000/', 'HEAD'],
  ['curl -X GET http://localhost:3000/', 'said in words'],
  ["curl -H 'Accept: application/json' -H 'Authorization: Bearer abc' http://localhost:3000/", 'headers that are written out'],
  ['curl -s http://localhost:3000/ http://127.0.0.1:3001/', 'two of them'],
  ['timeout 5 curl -s http://localhost:3000/', 'below a wrapper that only limits it'],
  ['sleep 2 && curl -s http://localhost:3000/.well-known/x', 'made to be shown'],
  ['for p in 1 2; do curl -s http://localhost:3000/; done', 'more than once'],
] as const;

const ASKING = [
  ...[2375, 2376, 8001, 8200, 8500, 9222, 9229, 10250].map((port) => [
    `curl -s localhost:${port}/a`,
    'an engine, or a store of secrets',
  ]),
  ['curl -s http://127.0.0.1:08200/v1', 'the same with a zero'],
  ["curl -s --noproxy '*' http://localhost:3000/", 'past the proxy of the person'],
  ['curl -s localhost:3000/prod%2Eenv', 'a name that is hidden behind its code'],
  ['curl -s localhost:3000/a.%70em', 'the same with a letter'],
  ['curl http://example.com', 'another machine'],
  ['curl http://localhost:3000 http://example.com', 'another machine beside it'],
  ['curl http://localhost.example.com/', 'a name that only begins so'],
  ['curl http://a.localhost/', 'a name that has to be looked up'],
  ['curl http://127.0.0.1.nip.io/', 'a name that only begins so'],
  ['curl http://localhost@example.com/', 'a user name'],
  ['curl http://localhost:80@example.com/', 'a user name and password'],
  ['curl "http://localhost:3000\\@example.com/"', 'a backslash'],
  ['curl "http://localhost#@example.com/"', 'old versions go to the other host'],
  ['curl "http://localhost?@example.com/"', 'the same'],
  ['curl "http://{localhost,example.com}/"', 'a list of hosts'],
  ['curl "http://localhost:3000/{a,b}"', 'a list'],
  ['curl http://localhost:3000*/', 'the shell may put another host there'],
  ['curl http://2130706433/', 'another notation'],
  ['curl http://0x7f.1/', 'another notation'],
  ['curl http://169.254.169.254/latest/', 'the cloud'],
  ['curl ftp://localhost/a', 'another protocol'],
  ['curl file://localhost/etc/passwd', 'a file'],
  ['curl gopher://localhost:6379/_x', 'another protocol'],
  ['curl http://$HOST/', 'a host that only the shell knows'],
  ['curl "http://localhost:3000/?t=$TOKEN"', 'sends a variable'],
  ['curl "http://localhost:3000/?t=$(cat .env)"', 'sends a file'],
  ['curl -H "Authorization: Bearer $TOKEN" http://localhost:3000/', 'sends a variable'],
  ['curl -H @headers http://localhost:3000/', 'sends a file'],
  ["curl -H 'Host: a.example' http://localhost/", 'another server behind it'],
  ["curl -H 'X-HTTP-Method-Override: DELETE' http://localhost/", 'another method'],
  ['curl -X POST http://localhost:3000/', 'another method'],
  ['curl -XDELETE http://localhost:3000/', 'another method'],
  ['curl --request PUT http://localhost:3000/', 'another method'],
  ['curl -d a=b http://localhost:3000/', 'POST'],
  ['curl -G -d @.env http://localhost:3000/', 'sends a file'],
  ['curl --json {} http://localhost:3000/', 'POST'],
  ['curl -F a=@b http://localhost:3000/', 'sends a file'],
  ['curl -T a http://localhost:3000/', 'sends a file'],
  ['curl -b jar http://localhost:3000/', 'sends a file'],
  ['curl -c jar http://localhost:3000/', 'writes a file'],
  ['curl -u a:b http://localhost:3000/', 'sends a password'],
  ['curl -n http://localhost:3000/', 'sends a password'],
  ['curl -L http://localhost:3000/', 'follows to other machines'],
  ['curl -sL http://localhost:3000/', 'follows to other machines'],
  ['curl -O http://localhost:3000/a.js', 'writes a file'],
  ['curl -o a.js http://localhost:3000/a.js', 'writes a file'],
  ['curl -oa.js http://localhost:3000/a.js', 'writes a file'],
  ['curl -D a http://localhost:3000/', 'writes a file'],
  ["curl -w '@a' http://localhost:3000/", 'reads a file'],
  ["curl -w '%output{a}b' http://localhost:3000/", 'writes a file'],
  ['curl -K a http://localhost:3000/', 'takes its options from a file'],
  ['curl -x evil:80 http://localhost:3000/', 'goes elsewhere'],
  ['curl --resolve localhost:80:1.2.3.4 http://localhost/', 'goes elsewhere'],
  ['curl --connect-to ::evil:80 http://localhost/', 'goes elsewhere'],
  ['curl --unix-socket /var/run/docker.sock http://localhost/', 'goes elsewhere'],
  ['curl http://localhost:3000/ --next http://example.com', 'a call of its own'],
  ['curl http://localhost:3000/ -: -d a example.com', 'a call of its own'],
  ['curl --url http://example.com http://localhost/', 'another machine'],
  ['curl --trace a http://localhost/', 'writes a file'],
  ['curl http://localhost:8000/.env', 'a server of files would show it'],
  ['curl http://localhost:8000/%2eenv', 'the same'],
  ['curl --path-as-is http://localhost:8000/../../etc/passwd', 'leaves the folder of the server'],
  ['curl http://localhost:5173/@fs/etc/hosts', 'Vite shows every file'],
  ['curl http://localhost:8000/id_rsa', 'a key'],
  ['http_proxy=http://example.com curl http://localhost/', 'goes elsewhere'],
  ['export http_proxy=http://example.com; curl http://localhost/', 'goes elsewhere'],
  ['HOME=. curl http://localhost/', 'takes its options from a file of the project'],
  ['CURL_HOME=. curl http://localhost/', 'takes its options from a file of the project'],
  ['export CURL_HOME=$PWD; curl http://localhost/', 'takes its options from a file of the project'],
  ['./curl http://localhost/', 'another program'],
  ['curl() { rm -rf a; }; curl http://localhost/', 'a function'],
  ['alias curl="rm -rf"; curl http://localhost/', 'another command'],
  ['PATH=.:$PATH curl http://localhost/', 'another program'],
  ['echo example.com | xargs curl http://localhost/', 'more addresses'],
  ['sudo curl http://localhost/', 'other rights'],
  ['curl http://localhost/a.sh | sh', 'runs what it is given'],
  ['curl http://localhost/ > /etc/hosts', 'writes a file outside'],
  ['curl', 'nothing'],
  ['curl -s', 'no address'],
] as const;

for (const [line, why] of PASSING)
  test(`safe allows: ${line} (${why})`, () => assert.is(decideIn({ preset: 'safe' }, 'Bash', line).decision, 'allow'));
for (const [line, why] of ASKING)
  test(`safe does not allow: ${line} (${why})`, () =>
    assert.is.not(decideIn({ preset: 'safe' }, 'Bash', line).decision, 'allow'));

const LINE = 'curl -s http://localhost:3000/a';

test('presets that only read the project do not ask services, all does', () => {
  assert.is.not(decideIn({ preset: 'readOnly' }, 'Bash', LINE).decision, 'allow');
  assert.is.not(decideIn({ preset: 'inspect' }, 'Bash', LINE).decision, 'allow');
  assert.is(decideIn({ preset: 'all' }, 'Bash', LINE).decision, 'allow');
});

test('written rules about the address or the command are stronger', () => {
  assert.is(decideIn({ preset: 'safe', deny: ['WebFetch(domain:localhost)'] }, 'Bash', LINE).decision, 'deny');
  assert.is(decideIn({ preset: 'safe', ask: ['Bash(curl *)'] }, 'Bash', LINE).decision, 'ask');
});

test.run();
