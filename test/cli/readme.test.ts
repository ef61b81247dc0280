// README: every command line in it is typed into a shell, in its order, and prints what stands there.
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLEAN_REPOSITORY, insideAgent, scratch } from './spawned.js';
import { commandFolder, printedBy, type Typed, typedLines } from './typed-lines.js';

const test = suite('README');

const home = scratch({});
const prefix = join(home, '.npm-global');
mkdirSync(prefix);
/** `policy` for the lines that come before it is installed. */
const built = commandFolder();
const GIT = Object.fromEntries(Object.entries(CLEAN_REPOSITORY).filter(([name]) => name.startsWith('.git/')));

/** A repository of somebody who has never heard of policies. */
const shop = scratch({
  ...GIT,
  'package.json': '{ "name": "shop", "private": true, "scripts": { "test": "node --test", "build": "tsc" } }\n',
  'src/cart.ts': 'export const cart = [];\n',
});
const desk = scratch(GIT);
cpSync('test/fixtures/demo-repo', desk, { recursive: true });

/** Where the lines of a section are typed; lines of other sections build and test this repository and are not run here. */
const places: ReadonlyMap<string, string> = new Map([
  ['policy', shop],
  ['Install: four commands', shop],
  ['A tour in five minutes', desk],
]);

const shown = typedLines('README.md');

/** What a line prints in the home of its reader. */
function answerTo({ line, section }: Typed): string {
  const cwd = line.startsWith('npm install') ? resolve('.') : (places.get(section) ?? shop);
  const prints = printedBy(line, cwd, {
    PATH: `${prefix}/bin:${built}:${process.env.PATH ?? ''}`,
    HOME: home,
    npm_config_prefix: prefix,
    npm_config_update_notifier: 'false',
    npm_config_offline: 'true',
  });
  const settings = join(home, '.claude/settings.json');
  // The lines that follow ask the hook; the machine that runs the tests is busy with them.
  if (line.startsWith('policy install') && existsSync(settings))
    writeFileSync(settings, readFileSync(settings, 'utf8').replaceAll(' -k 1 1.5 ', ' -k 1 25 '));
  return prints;
}

/** Without the time that npm took, and without the warnings of newer versions of npm; installed where most readers have it. */
function normal(text: string): string {
  const placed = text.replaceAll(resolve('schemas'), '/usr/lib/node_modules/agent-policy/schemas');
  return placed
    .replaceAll(/(?:^|\n)npm warn [^\n]*/g, '')
    .replace(/(?<=^(?:added|changed) 1 package) in \d+m?s$/m, '')
    .replace(/(?<= · )\d+\.\d s$/m, 'SECONDS');
}

for (const typed of shown.filter(({ section }) => places.has(section)))
  (insideAgent ? test.skip : test)(`${typed.section}: ${typed.line}`, () => {
    assert.is(normal(answerTo(typed)), normal(typed.prints));
  });

test('from an empty home to an enforced project it takes four commands', () => {
  const commands = shown.filter(({ section }) => section === 'Install: four commands');
  assert.is(commands.length, 4);
  assert.match(commands.at(-1)?.prints ?? '', /^\| Failing Open \| ✅ Protected \|/m);
});

test('the sections that are run are there', () => {
  for (const section of places.keys())
    assert.ok(
      shown.some((typed) => typed.section === section),
      section,
    );
});

test.run();
