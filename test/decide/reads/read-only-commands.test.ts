/**
 * Needless prompts: under preset `safe`, command lines that only look must pass. Every line that does not pass is listed with its
 * cause in a file of its own; a line that newly asks fails here, so the number of allowed lines can only rise. Lines that the design
 * wants a person to be asked about stand apart, with the reason, and are counted apart.
 */
import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn, type World } from '../world.js';

/** A project of one repository, as test/decide/world.ts has it. */
const WORLD = {
  preset: 'safe',
  missing: ['.ackrc', '_ackrc', '.shellcheckrc', 'shellcheckrc', '.npmrc', 'bunfig.toml', '.mvn'],
} as const;
/** The same with a secret file at its top: searching all of it asks. */
const WITH_SECRET = { ...WORLD, secrets: ['/repo/.env'] } as const;
/** Calls that a client with no rule at all lets pass, recorded from version 2.1.329. */
const CLIENT = 'test/fixtures/vectors/claude-code/readonly-norules.2.1.329.json';

/** How many are allowed now: of the fixture, of it in a project with a secret file, of the client's calls. To be raised when more are. */
const ALLOWED = { fixture: 1369, withSecret: 1294, client: 130 };
/** The share of read-only lines that must pass. */
const LEAST = 0.99;

interface ClientCall {
  readonly call: string;
  readonly verdict: 'allow' | 'ask';
}

function linesOf(file: string): string[] {
  return readFileSync(`test/fixtures/${file}`, 'utf8')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#'));
}

const lines = linesOf('read-only-commands.txt');
const calls = (JSON.parse(readFileSync(CLIENT, 'utf8')) as ClientCall[])
  .filter(({ verdict }) => verdict === 'allow')
  .map(({ call }) => call);
const exceptions = new Set(linesOf('read-only-exceptions.txt'));
const asking = new Set(linesOf('read-only-asking.txt'));
const passes = (line: string, world: World = WORLD) => decideIn(world, 'Bash', line).decision === 'allow';

for (const line of new Set([...lines, ...calls])) {
  const allowed = passes(line);
  if (allowed && exceptions.has(line)) console.log(`Allowed by now, take it out of read-only-exceptions.txt: ${line}`);
  if (!exceptions.has(line) && !asking.has(line)) test(`passes without a prompt: ${line}`, () => assert.ok(allowed));
}

test('there are at least 500 lines, each once', () => {
  assert.ok(lines.length >= 500);
  assert.is(new Set(lines).size, lines.length);
});

test('every exception is one of the lines', () => {
  const known = new Set([...lines, ...calls]);
  assert.equal(
    [...exceptions].filter((line) => !known.has(line)),
    [],
  );
});

test('as many lines as before pass, 99 of 100 at least', () => {
  const allowed = lines.filter((line) => passes(line)).length;
  const share = (part: number, whole: number) => `${part} of ${whole} (${((100 * part) / whole).toFixed(1)} %)`;
  console.log(`read-only lines allowed: ${share(allowed, lines.length)}; lines that ask on purpose: ${asking.size}`);
  assert.ok(allowed >= ALLOWED.fixture && allowed >= LEAST * lines.length);
});
test('what asks on purpose is asked, not denied, and is no read-only line', () => {
  for (const line of asking) {
    assert.is(decideIn(WORLD, 'Bash', line).decision, 'ask', line);
    assert.not.ok(lines.includes(line) || exceptions.has(line), line);
  }
});
test('as many lines as before pass in a project with a secret file', () => {
  assert.ok(lines.filter((line) => passes(line, WITH_SECRET)).length >= ALLOWED.withSecret);
});
test('as many calls of the client as before pass, nine of ten at least', () => {
  const allowed = calls.filter((line) => passes(line)).length;
  assert.ok(allowed >= ALLOWED.client && allowed >= 0.9 * calls.length);
});
test('no line that only looks is denied', () => {
  for (const line of exceptions) assert.is.not(decideIn(WORLD, 'Bash', line).decision, 'deny', line);
});

test.run();
