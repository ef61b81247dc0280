// README: every command line in it is typed into a shell, in its order, and prints what stands there.
import { spawnSync } from 'node:child_process';
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { insideRunner } from '../../src/enforce/inside-runner.js';
import { CLEAN_REPOSITORY, COMMAND, scratch } from './spawned.js';

const test = suite('README');

/** A line that a reader types, with what it prints. */
interface Typed {
  readonly section: string;
  readonly line: string;
  readonly prints: string;
}

const home = scratch({});
const prefix = join(home, '.npm-global');
mkdirSync(prefix);
/** `policy` for the lines that come before it is installed. */
const built = scratch({ policy: `#!/bin/sh\nexec ${process.execPath} ${COMMAND} "$@"\n` });
chmodSync(join(built, 'policy'), 0o755);
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
  ['Four commands to an enforced project', shop],
  ['A tour in five minutes', desk],
]);

const shown = typedLines(readFileSync('README.md', 'utf8'));

/** The lines of all console blocks, each with the title that it stands under. */
function typedLines(text: string): readonly Typed[] {
  const found: Typed[] = [];
  let section = '';
  for (const [, title, block] of text.matchAll(/^#{1,2} (.+)$|^```console\n([\s\S]*?)^```$/gm)) {
    if (title !== undefined) section = title;
    const [, ...commands] = `\n${block ?? ''}`.split('\n$ ');
    for (const command of commands) {
      const [line = '', ...prints] = command.split('\n');
      found.push({ section, line, prints: prints.join('\n').trimEnd() });
    }
  }
  return found;
}

/** Types one line into bash with a home of its own; what it prints on both streams. */
function answerTo({ line, section }: Typed): string {
  const cwd = line.startsWith('npm install') ? resolve('.') : (places.get(section) ?? shop);
  const env = {
    PATH: `${prefix}/bin:${built}:${process.env.PATH ?? ''}`,
    HOME: home,
    LC_ALL: 'C.UTF-8',
    npm_config_prefix: prefix,
    npm_config_update_notifier: 'false',
    npm_config_offline: 'true',
  };
  const { stdout } = spawnSync('bash', ['-c', `{ ${line}\n} 2>&1`], { cwd, env, encoding: 'utf8' });
  const settings = join(home, '.claude/settings.json');
  // The lines that follow ask the hook; the machine that runs the tests is busy with them.
  if (line.startsWith('policy install') && existsSync(settings))
    writeFileSync(settings, readFileSync(settings, 'utf8').replaceAll(' -k 1 1.5 ', ' -k 1 25 '));
  return stdout;
}

/** Without the empty lines around it, the blanks at line ends and the time that npm took. */
function normal(text: string): string {
  return text
    .trim()
    .replace(/ +$/gm, '')
    .replace(/(?<=^(?:added|changed) 1 package) in \d+m?s$/m, '');
}

/** Commands that change what agents may do refuse inside a coding agent, as they should; there nothing can be shown. */
const inside = insideRunner({ environment: {}, pid: process.pid, platform: process.platform }) !== null;

for (const typed of shown.filter(({ section }) => places.has(section)))
  (inside ? test.skip : test)(`${typed.section}: ${typed.line}`, () => {
    assert.is(normal(answerTo(typed)), normal(typed.prints));
  });

test('from an empty home to an enforced project it takes four commands', () => {
  const commands = shown.filter(({ section }) => section === 'Four commands to an enforced project');
  assert.is(commands.length, 4);
  assert.match(commands.at(-1)?.prints ?? '', /✅ enforced: A hook that we know stands before every tool call of the runner/);
});

test('the sections that are run are there', () => {
  for (const section of places.keys())
    assert.ok(
      shown.some((typed) => typed.section === section),
      section,
    );
});

test.run();
