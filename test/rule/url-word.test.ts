/** Rules that name an address bind its host: which commands they cover. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { staysOnNamedHosts, urlWordCovers } from '../../src/rule/pattern/url-word.js';
import { compileRules } from '../../src/rule/rule-set.js';
import { rule, sameName } from './rules.js';

const covered = (pattern: string, command: string) =>
  compileRules([rule('allow', `Bash(${pattern})`)], sameName).coversCommand('Bash', command.split(' '), []).length > 0;

const COMMANDS: readonly (readonly [pattern: string, command: string, covers: boolean, why: string])[] = [
  ['curl -s http://localhost:8080/*', 'curl -s http://localhost:8080/api', true, 'below it'],
  ['curl -s http://localhost:8080/*', 'curl -s http://localhost:8080/', true, 'the address alone'],
  ['curl -s http://localhost:8080/*', 'curl -s http://localhost:8080/a?b=c&d=1#e', true, 'with a query'],
  ['curl -s http://localhost:8080/*', 'curl -s http://localhost:8080/ https://elsewhere -o f', false, 'more operands'],
  ['curl -s http://localhost:8080/*', 'curl -s http://localhost:8080/ -o f', false, 'more options'],
  ['curl -s http://localhost:8080/*', 'curl -s', false, 'no address'],
  ['curl http://localhost:8080/health', 'curl http://localhost:8080/health', true, 'exactly'],
  ['curl http://localhost/a?b=1', 'curl http://localhost/a?b=1', true, 'a question mark is a character'],
  ['curl http://localhost/a?b=1', 'curl http://localhost/axb=1', false, 'and no other one'],
  ['curl http://localhost/a?b=*', 'curl http://localhost/a?b=2', true, 'a star behind it'],
  ['curl http://localhost/a?b=*', 'curl http://localhost/a/b=2', false, 'a question mark is a character'],
  ['curl * http://localhost/*', 'curl -s -i http://localhost/x', true, 'a star among the words'],
  ['curl http://localhost/* *', 'curl http://localhost/x -s', true, 'a star behind it'],
  ['curl localhost:8080/*', 'curl localhost:8080/api', true, 'without a scheme'],
  ['curl localhost:8080/*', 'curl localhost:8080/ https://elsewhere', false, 'without a scheme'],
  ['curl localhost:8080/*', 'curl localhost:8080/../x', false, 'without a scheme'],
  ['curl -O example.com/*', 'curl -O example.com/x y', false, 'no file is named behind curl -O'],
  ['curl -so a.tgz *', 'curl -so a.tgz http://x', true, 'the name of a file'],
  ['curl -s example.com *', 'curl -s example.com -i', true, 'a host'],
  ['cat src.d/*', 'cat src.d/a b', true, 'a path, not an address'],
];
for (const [pattern, command, covers, why] of COMMANDS)
  test(`Bash(${pattern}) and ${command}: ${why}`, () => assert.is(covered(pattern, command), covers));

const WORDS: readonly (readonly [pattern: string, address: string, covers: boolean, why: string])[] = [
  ['http://localhost:8080/*', 'http://localhost:8080@evil/', false, 'a user called localhost:8080'],
  ['http://localhost:8080*', 'http://localhost:8080@evil/', false, 'the same'],
  ['http://localhost*', 'http://localhost.evil.com/', false, 'another host'],
  ['http://localhost*', 'http://localhost:3000/x', true, 'a port and a path'],
  ['http://localhost:*', 'http://localhost:3000/x', true, 'a port and a path'],
  ['http://localhost:*', 'http://localhost/x', true, 'no port'],
  ['http://localhost:*', 'http://localhost:x@evil/', false, 'no port'],
  ['http://localhost:8080:*', 'http://localhost:8080/x', true, 'the older form of a star'],
  ['http://localhost:80:*', 'http://localhost:8080/x', false, 'another port'],
  ['http://localhost:80*', 'http://localhost:8080/x', false, 'another port'],
  ['http://localhost/api:*', 'http://localhost/api/x', true, 'the older form of a star'],
  ['http://localhost:*/api', 'http://localhost:3000/api', true, 'any port'],
  ['http://localhost:*/api', 'http://localhost:3000/api/x', false, 'another path'],
  ['https://*.example.com/*', 'https://a.b.example.com/x', true, 'a host of the domain'],
  ['https://*.example.com/*', 'https://evil/.example.com/x', false, 'a path'],
  ['https://*.example.com/*', 'https://evil?.example.com/x', false, 'a query'],
  ['https://*.example.com/*', 'https://evil#.example.com/x', false, 'a fragment'],
  ['https://*.example.com/*', 'https://evil\\.example.com/x', false, 'a backslash is a slash to some'],
  ['http*://localhost/*', 'https://localhost/x', true, 'either scheme'],
  ['http://localhost/api/*', 'http://localhost/api/../admin', false, 'not below'],
  ['http://localhost/api/*', 'http://localhost/api/%2e%2E/admin', false, 'not below'],
  ['http://localhost/api/*', 'http://localhost/api/..%2fadmin', false, 'not below'],
  ['http://localhost/*', 'http://localhost/{a,b}', false, 'a list of curl'],
  ['http://localhost/*', 'http://localhost/[1-999]', false, 'a list of curl'],
  ['http://localhost/*', 'http://{localhost,evil}/', false, 'a list of hosts'],
  ['http://localhost/*', 'HTTP://LOCALHOST/', false, 'as it is written'],
  ['http://*', 'http://anywhere/x', true, 'the rule names no host'],
];
for (const [pattern, address, covers, why] of WORDS)
  test(`${pattern} and ${address}: ${why}`, () => assert.is(urlWordCovers(pattern, address), covers));

test('a rule that names a host holds for no other one, and one that names none for all', () => {
  assert.is(staysOnNamedHosts('curl http://localhost/* *', ['http://localhost/x']), true);
  assert.is(staysOnNamedHosts('curl http://localhost/* *', ['http://localhost/x', 'evil.com']), false);
  assert.is(staysOnNamedHosts('curl http://localhost/* *', [null]), false);
  assert.is(staysOnNamedHosts('curl *', ['http://anywhere']), true);
});

test.run();
