// How many of the secrets that agents handle are masked, and how many ordinary commands are left as they are.
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { cappedInput } from '../../src/log/record/capped-input.js';
import { jsonLine } from '../../src/log/record/json-line.js';
import { maskText } from '../../src/log/record/mask-text.js';
import { seedRows } from '../decide/vectors.js';
import { seed } from '../seed.js';
import {
  chance,
  fingerprints,
  fits,
  inputPlaces,
  keyPlaces,
  keys,
  password,
  passwordPlaces,
  tokenPlaces,
  tokens,
} from './secrets.js';

const test = suite('mask');
const roll = chance(seed);

/** A text with a secret in it, masked. */
interface Case {
  readonly what: string;
  /** Where the secret stands. */
  readonly carrier: string;
  readonly secret: string;
  readonly given: string;
  readonly shown: string;
}

/** True when 10 characters of the secret in a row are still there, or all of a shorter one. */
function leaks({ secret, shown }: Case): boolean {
  const base = secret.includes('PRIVATE KEY')
    ? secret.slice(40, -35)
    : (/:\/\/desk:(.*)@/.exec(secret)?.[1] ?? secret.replace(/^https:.*services/, ''));
  const encoded = Buffer.from(secret).toString('base64').slice(0, -4);
  return [base, encoded].some((text) => windows(text).some((window) => shown.includes(window)));
}

/** The parts of a text that must not be seen; a JWT's header, which is the same in all, is left out. */
function windows(text: string): readonly string[] {
  const from = text.startsWith('eyJ') ? text.indexOf('.') + 1 : 0;
  const length = Math.min(10, text.length - from);
  return Array.from({ length: text.length - from - length + 1 }, (_, index) => text.slice(from + index, from + index + length));
}

/** Every format in every place, several times. */
function cases(rounds: number): Case[] {
  const found: Case[] = [];
  const add = (format: string, carrier: string, secret: string, given: string) =>
    found.push({ what: `${format}, ${carrier}`, carrier, secret, given, shown: maskText(given) });
  for (let round = 0; round < rounds; round += 1) {
    for (const [format, token] of Object.entries(tokens))
      for (const [place, put] of Object.entries(tokenPlaces)) {
        const secret = token(roll);
        if (fits(format, place)) add(format, `token as ${place}`, secret, put(secret));
      }
    for (const [format, key] of Object.entries(keys))
      for (const [place, put] of Object.entries(keyPlaces)) {
        const secret = key(roll);
        add(format, `key as ${place}`, secret, put(secret));
      }
    for (const [place, put] of Object.entries(passwordPlaces)) {
      const secret = password(roll);
      add('password', `password as ${place}`, secret, put(secret));
    }
    for (const [format, make] of Object.entries({ ...keys, password }))
      for (const [place, put] of Object.entries(inputPlaces)) {
        const secret = make(roll);
        const given = put(secret);
        found.push({
          what: `${format}, input with ${place}`,
          carrier: `input with ${place}`,
          secret,
          given: jsonLine(given),
          shown: jsonLine(cappedInput(given).value),
        });
      }
  }
  return found;
}

const all = cases(100);
const leaked = all.filter(leaks);
const carriers = [...new Set(all.map(({ carrier }) => carrier))];
const countIn = (found: readonly Case[], carrier: string) => found.filter((one) => one.carrier === carrier).length;
const rates = carriers.map((carrier) => ({ carrier, count: countIn(all, carrier), leaks: countIn(leaked, carrier) }));

test(`${all.length} invented secrets in ${carriers.length} places: at least 98 % are masked`, () => {
  const worst = [...rates].sort((a, b) => b.leaks / b.count - a.leaks / a.count)[0];
  console.log(
    `  recall ${(1 - leaked.length / all.length).toFixed(4)} of ${all.length} secrets in ${carriers.length} places, at worst ${worst && (1 - worst.leaks / worst.count).toFixed(4)}: ${worst?.carrier} (seed ${seed})`,
  );
  assert.ok(all.length >= 50_000 && carriers.length >= 80);
});

for (const { carrier, count, leaks: lost } of rates)
  test(`${carrier}: at least 98 % of ${count} are masked`, () => {
    assert.ok(count >= 100);
    const shown = leaked.filter((one) => one.carrier === carrier).slice(0, 5);
    const what = shown.map((one) => `${one.what}\n  given ${one.given}\n  shown ${one.shown}`).join('\n');
    assert.ok(lost / count <= 0.02, `${lost} of ${count} leak, seed ${seed}:\n${what}`);
  });

// Lines that were not written with the generator in mind; SECRET stands for a secret and `\\n` for a line break.
const inLines = readFileSync('test/log/secrets-in-lines.txt', 'utf8').trimEnd().split('\n');
for (const line of inLines)
  test(`masked: ${line}`, () => {
    const secret = `Zq7${roll(10)}Lx9TbN4kRm8PyD3sHf6Gc${roll(10)}`;
    const given = line.replaceAll(/\bSECRET\b/g, secret).replaceAll('\\n', '\n');
    const shown = maskText(given);
    assert.not.ok(leaks({ what: line, carrier: line, secret, given, shown }), shown);
  });

const references: readonly (readonly [given: string, shown: string])[] = [
  ['mysql -psecret1 -u root', 'mysql -p[masked:password] -u root'],
  ['curl -H "Authorization: Bearer abc123def456" https://x', 'curl -H "Authorization: Bearer [masked:token]" https://x'],
  ['psql postgres://ann:s3cret@db/desk', 'psql postgres://ann:[masked:password]@db/desk'],
  ["DB_PASSWORD='$ecret1' run", "DB_PASSWORD='[masked:password]' run"],
  ['DB_PASSWORD=$DB_PASSWORD run', 'DB_PASSWORD=$DB_PASSWORD run'],
  ['a --password one --token twotwo22 b', 'a --password [masked:password] --token [masked:secret] b'],
  ['x -----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAAS', 'x [masked:private-key]'],
  ['', ''],
];
for (const [given, shown] of references)
  test(`${given} → ${shown}`, () => {
    assert.is(maskText(given), shown);
  });

test('long texts made of beginnings take no time to speak of', () => {
  const beginnings = [
    'eyJ',
    'ghp_',
    'token=',
    'password="',
    'https://a:',
    'mysql -p',
    'curl -u a',
    'authorization: ',
    '-----BEGIN PRIVATE KEY-----',
    'bearer ',
  ];
  for (const one of beginnings)
    for (const two of beginnings) assert.type(maskText(`${one}${two}`.repeat(300).slice(0, 3_072)), 'string');
});

test('10,000 commit ids, UUIDs, digests and integrity strings stay as they are', () => {
  const hits: string[] = [];
  const forms = Object.entries(fingerprints);
  for (let index = 0; index < 10_000; index += 1) {
    const [form, make] = forms[index % forms.length] ?? ['', () => ''];
    const line = make(roll);
    if (maskText(line) !== line) hits.push(`${form}: ${line} → ${maskText(line)}`);
  }
  console.log(`  ${hits.length} of 10000 fingerprints in ${forms.length} forms masked (seed ${seed})`);
  assert.equal(hits.slice(0, 20), []);
});

const ordinary = [
  ...readFileSync('test/log/ordinary-commands.txt', 'utf8').trimEnd().split('\n'),
  ...seedRows<{ readonly kind: 'safe-git'; readonly cmd: string }>('safe-git').map(({ cmd }) => cmd),
];
const changed = ordinary.filter((line) => maskText(line) !== line);

test(`${ordinary.length} ordinary command lines: at most 2 % are changed`, () => {
  const rate = changed.length / ordinary.length;
  console.log(`  false positives ${rate.toFixed(4)} of ${ordinary.length} command lines`);
  assert.ok(rate <= 0.02, changed.map((line) => `${line}\n  ${maskText(line)}`).join('\n'));
});

test.run();
