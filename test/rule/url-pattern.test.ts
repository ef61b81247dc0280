import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { compileRules, patternMistakes } from '../../src/rule/rule-set.js';
import { rule, sameName } from './rules.js';

function covers(pattern: string, url: string): boolean {
  return compileRules([rule('allow', `WebFetch(${pattern})`)], sameName).coversUrl('WebFetch', url).length > 0;
}

function meets(pattern: string, url: string): boolean {
  return compileRules([rule('deny', `WebFetch(${pattern})`)], sameName).meetsUrl('WebFetch', url).length > 0;
}

const facts: [pattern: string, url: string, allow: boolean, deny: boolean, why: string][] = [
  ['domain:example.com', 'https://example.com/a', true, true, 'the host'],
  ['domain:example.com', 'https://EXAMPLE.com:8443/a', true, true, 'case and port do not count'],
  ['domain:Example.COM', 'https://example.com', true, true, 'nor does case in the rule'],
  ['domain:example.com', 'https://example.com./a', true, true, 'nor a trailing dot'],
  ['domain:example.com', 'https://www.example.com/', false, false, 'a subdomain is another host'],
  ['domain:example.com', 'https://example.com.evil.example/', false, false, 'a longer name'],
  ['domain:*.example.com', 'https://a.b.example.com/', true, true, 'subdomains'],
  ['domain:*.example.com', 'https://example.com/', false, false, 'subdomains only'],
  ['domain:*.example.com', 'https://evilexample.com/', false, false, 'whole labels'],
  ['domain:*', 'http://anything.example/', true, true, 'every host'],
  ['domain:münchen.example', 'https://xn--mnchen-3ya.example/', true, true, 'an international name has one form'],
  ['domain:127.0.0.1', 'http://2130706433/', true, true, 'an address has one form'],
  ['domain:[::1]', 'http://[0:0:0:0:0:0:0:1]:80/', false, true, 'an address in brackets is no host name for an allow'],
  // Tricks.
  ['domain:docs.example.com', 'https://docs.example.com@evil.example/', false, false, 'user info is not the host'],
  [
    'domain:evil.example',
    'https://docs.example.com@evil.example/',
    false,
    true,
    'a deny sees through it, an allow refuses user info',
  ],
  ['domain:docs.example.com', 'https://docs.example.com\\@evil.example/', false, true, 'a backslash is read in two ways'],
  ['domain:docs.example.com', 'https://docs.example.com/\n', false, true, 'white space is read in two ways'],
  ['domain:docs.example.com', 'ftp://docs.example.com/', false, true, 'another scheme'],
  ['domain:docs.example.com', 'https:docs.example.com/', false, true, 'missing slashes'],
  ['domain:docs.example.com', 'docs.example.com/x', false, true, 'a missing scheme'],
  ['domain:docs.example.com', 'file:///etc/passwd', false, true, 'no host: who knows'],
  ['domain:docs.example.com', 'http://[', false, true, 'not parseable: who knows'],
  ['domain:docs.example.com', '', false, true, 'nothing: who knows'],
  ['domain:*', 'javascript:alert(1)', false, true, 'no host'],
  // Globs.
  ['https://docs.example.com/*', 'https://docs.example.com/guide?q=1#x', true, true, 'everything there'],
  ['https://docs.example.com/*', 'https://docs.example.com', true, true, 'an empty path is the root'],
  ['https://docs.example.com/*', 'http://docs.example.com/', false, false, 'another scheme'],
  ['https://docs.example.com/*', 'https://docs.example.com:444/', false, false, 'another port'],
  ['https://docs.example.com:443/*', 'https://docs.example.com/x', true, false, 'the port of the scheme'],
  ['https://docs.example.com/*', 'https://evil.example/?https://docs.example.com/', false, false, 'another origin'],
  ['https://docs.example.com/pub/*', 'https://docs.example.com/pub/../secret', false, true, 'parents are refused'],
  ['https://docs.example.com/pub/*', 'https://docs.example.com/pub/%2e%2E/secret', false, true, 'encoded too'],
  ['https://docs.example.com/pub/*', 'https://docs.example.com/pub/%252e%252e/x', false, true, 'encoded twice'],
  ['https://docs.example.com/pub/*', 'https://docs.example.com/pub/..%2fsecret', false, true, 'encoded separators'],
  ['https://docs.example.com/a', 'https://docs.example.com/a', true, true, 'exactly'],
  ['https://docs.example.com/a', 'https://docs.example.com/a/b', false, false, 'exactly'],
  ['http://localhost:*', 'http://localhost:3000/a?b', true, true, 'any port, and whatever follows'],
  ['http://localhost:*', 'http://localhost/a', true, false, "the scheme's own port, too"],
  ['http://localhost:*/a', 'http://localhost:3000/b', false, false, 'any port, and this path'],
  ['http://localhost:*', 'http://localhost.evil.example:3000/', false, false, 'no other host'],
  ['http://localhost:*', 'http://localhost:3000@evil.example/', false, true, 'no user info'],
  ['http://localhost:*', 'https://localhost:3000/', false, false, 'no other scheme'],
  ['https://*', 'https://any.example/x', true, true, 'all of a scheme'],
  ['https://*.example.com/*', 'https://a.example.com/x', true, true, 'subdomains'],
  [
    'https://*.example.com/*',
    'https://evil.example/.example.com/',
    false,
    true,
    'a deny is about the text, an allow about the host',
  ],
  [
    '*internal.example.com*',
    'https://api.INTERNAL.example.com/v1',
    false,
    true,
    'the normal form meets too; no origin for an allow',
  ],
  ['https://evil.example/*', 'https://EVIL.example.:443/x', true, true, 'one address, spelled otherwise'],
  ['https://evil.example/*', 'https://user@evil.example/x', false, true, 'user info hides nothing from a deny'],
  ['https://docs.example.com*', 'https://docs.example.com.evil.example/', false, true, 'the host must be closed in an allow'],
];
for (const [pattern, url, allow, deny, why] of facts) {
  test(`${pattern} and ${JSON.stringify(url)}: ${why}`, () => {
    assert.is(covers(pattern, url), allow, 'allow');
    assert.is(meets(pattern, url), deny, 'deny');
  });
}

const mistakes: [effect: 'allow' | 'deny', pattern: string, code: string | null][] = [
  ['allow', 'example.com', 'rule/url-origin'],
  ['allow', 'https://docs.example.com*', 'rule/url-origin'],
  ['allow', 'https://u@docs.example.com/*', 'rule/url-origin'],
  ['allow', 'ftp://docs.example.com/*', 'rule/url-origin'],
  ['allow', '*://docs.example.com/*', 'rule/url-origin'],
  ['deny', 'example.com', null],
  ['allow', 'domain: example.com', 'rule/domain'],
  ['deny', 'domain: example.com', 'rule/domain'],
  ['allow', 'domain:ex*.com', 'rule/domain'],
  ['deny', 'domain:ex*.com', null],
  ['deny', 'domain:', 'rule/domain'],
  ['deny', 'domain:https://example.com', 'rule/domain'],
  ['allow', 'domain:*.*.com', 'rule/domain'],
];
for (const [effect, pattern, code] of mistakes) {
  test(`${effect} WebFetch(${pattern}) ${code === null ? 'is right' : `is refused: ${code}`}`, () => {
    assert.is(patternMistakes(rule(effect, `WebFetch(${pattern})`), sameName)[0]?.code ?? null, code);
  });
}

test('a deny whose domain cannot be read meets every URL', () => {
  assert.ok(meets('domain: example.com', 'https://other.example/'));
  assert.not(covers('domain: example.com', 'https://example.com/'));
});

test('a deny with a glob as host meets such hosts', () => {
  assert.ok(meets('domain:ex*.com', 'https://example.com/'));
  assert.not(meets('domain:ex*.com', 'https://other.com/'));
});

test.run();
