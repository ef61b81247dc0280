// The quick no about paths never contradicts the search behind it: whatever a pattern names gets through, however it is spelled.
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { SegmentFilter } from '../../../src/decide/place/path-prefilter.js';
import { filterData } from '../../../src/decide/place/path-prefilter-data.js';
import { protectedPath, secretPath } from '../../../src/decide/place/sensitive-paths.js';
import { data } from '../../../src/generated/data.js';

interface PatternSet {
  readonly anywhere: readonly string[];
  readonly home: readonly string[];
  readonly absolute: readonly string[];
}

const HOME = '/home/me';
const protectedData = data('protected') as { readonly deny: PatternSet; readonly ask: PatternSet };

/** A path that the pattern names: in some folder, its stars filled, some of its letters in upper case. */
function pathOf(set: PatternSet): fc.Arbitrary<string> {
  const folder = fc.constantFrom('', '/repo', '/repo/a.b/c', 'src', '/x\\y', '/home/me/p', '/ſrc');
  const patterns = [
    ...set.anywhere.map((pattern) => folder.map((start) => `${start}/${pattern}`)),
    ...set.home.map((pattern) => fc.constant(`${HOME}/${pattern}`)),
    ...set.absolute.map((pattern) => fc.constant(pattern)),
  ];
  return fc
    .tuple(
      fc.oneof(...patterns),
      fc.stringMatching(/^[a-z0-9-][a-z0-9.-]{0,40}$/),
      fc.nat(),
      fc.constantFrom('', '/x', '/x/y.ts', '\\x'),
    )
    .map(([pattern, star, upper, end]) => {
      const path = pattern.replaceAll('*', star);
      const at = path.startsWith('/home/') ? path.length : upper % path.length;
      return path.slice(0, at) + path.slice(at).toUpperCase() + end;
    });
}

test('every path that a protected pattern names is protected', () => {
  for (const set of [protectedData.deny, protectedData.ask])
    fc.assert(
      fc.property(pathOf(set), (path) => {
        assert.is.not(protectedPath(path, HOME, []), null, path);
      }),
      { numRuns: 1500 },
    );
});

test('every path that a secret pattern names is a secret', () => {
  const secrets = data('secrets') as PatternSet;
  const except = /(?:\.(?:example|sample|template|dist|pub)|known_hosts|\.env\.d\.ts)$/i;
  fc.assert(
    fc.property(pathOf(secrets), (path) => {
      if (!except.test(path)) assert.is.not(secretPath(path, HOME), null, path);
    }),
    { numRuns: 1500 },
  );
});

const rows: readonly (readonly [pattern: string, path: string, maybe: boolean, why: string])[] = [
  ['.env', '/repo/src/a.ts', false, 'no segment begins with a dot'],
  ['.env', '/repo/.envrc', false, 'another length'],
  ['.env', '/repo/.eng', false, 'another last character'],
  ['.env', '/repo/.ENV', true, 'upper case'],
  ['.env.*', '/repo/.env.local', true, 'a star is any number of characters'],
  ['*.pem', '/repo/a.b.pem', true, 'the last ending counts'],
  ['*.pem', '/repo/pem', false, 'no ending at all'],
  ['*.pem', '/repo/key.pem/x', true, 'also a folder'],
  ['*secret*', '/repo/src', true, 'a pattern that begins with a star may meet anything'],
  ['id_rsa', 'repo\\id_rsa', true, 'a backslash separates'],
  ['kube', '/repo/\u212Aube', true, 'the Kelvin sign is a k in lower case'],
  ['id_rsa', '/repo/ID_RSA/x', true, 'a folder of that name'],
  ['id_rsa', '/repo/invoke', false, 'begins alike and is as long'],
  ['ssh_host_*_key', '/repo/scratch-folder-key', false, 'begins with the same character only'],
  [`${'a'.repeat(40)}`, `/repo/${'a'.repeat(40)}`, true, 'long names share one bit'],
  [`${'a'.repeat(40)}`, `/repo/${'a'.repeat(50)}`, false, 'but are told apart'],
  [`${'a'.repeat(40)}*`, `/repo/${'a'.repeat(30)}`, false, 'too short for the pattern'],
];
for (const [pattern, path, maybe, why] of rows)
  test(`${pattern} and ${path}: ${why}`, () => {
    assert.is(new SegmentFilter(filterData([pattern])).mayMeet(path), maybe);
  });

test('patterns share no bits that let through what none of them names', () => {
  const filter = new SegmentFilter(filterData(['id_ecdsa', '.env.*', 'service-account*.json', '*.pem']));
  assert.is(filter.mayMeet('/repo/src/index.ts'), false);
  assert.ok(filter.mayMeet('/repo/service-accounts.json'));
});

test('a pattern whose first segment the filter could not hold is refused by the build', () => {
  assert.throws(() => filterData(['sécret']), /no ASCII/);
});

test.run();
