// The check of the layers is itself checked: a copy of src/ passes, the same copy with wrong imports fails and names each of them.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';

const repository = resolve('.');

/** A copy of src/ with some files added; the caller removes it. */
function copyWith(files: Readonly<Record<string, string>>, parts: readonly string[] = ['src']): string {
  const root = mkdtempSync(join(tmpdir(), 'policy-arch-'));
  for (const part of [...parts, 'tsconfig.json', 'package.json']) cpSync(part, join(root, part), { recursive: true });
  symlinkSync(join(repository, 'node_modules'), join(root, 'node_modules'), 'junction');
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  }
  return root;
}

/** Runs the check over a copy; what it printed and its exit status. */
function check(root: string): { readonly status: number | null; readonly lines: readonly string[] } {
  const { status, stdout, stderr } = spawnSync(process.execPath, ['.ci/arch.mjs', root], { encoding: 'utf8' });
  rmSync(root, { recursive: true, force: true });
  return { status, lines: `${stdout}${stderr}`.split('\n') };
}

const wrong: Readonly<Record<string, string>> = {
  'src/shell/climbs.ts': "import { STAGES } from '../decide/ruling/decision.js';\nexport const climbs = STAGES;\n",
  'src/policy/crosses.ts': "import type { AgentDefinition } from '../agent/agent.js';\nexport type Crosses = AgentDefinition;\n",
  'src/shell/borrows.ts': "import { parse } from 'unbash';\nexport const borrows = parse;\n",
  'src/decide/draws.ts': "import chalk from 'chalk';\nexport const draws = chalk;\n",
  'src/enforce/globs.ts': "import micromatch from 'micromatch';\nexport const globs = micromatch;\n",
  'src/command/reads.ts': "import { readFileSync } from 'node:fs';\nexport const reads = readFileSync;\n",
  'src/rule/drives.ts': "import { join } from 'node:path';\nexport const drives = join;\n",
  'src/call/clock.ts': 'export const clock = (): number => Date.now();\n',
  'src/agent/chance.ts': 'export const chance = (): number => Math.random();\n',
  'src/policy/surroundings.ts': 'export const surroundings = (): unknown => process.env;\n',
  'src/report/decides.ts': "import { STAGES } from '../decide/ruling/decision.js';\nexport const decides = STAGES;\n",
  'src/report/knows.ts': "import type { Facts } from '../decide/ruling/facts.js';\nexport type Knows = Facts;\n",
  'src/rule/ring-a.ts': "import { ringB } from './ring-b.js';\nexport const ringA = (): unknown => ringB;\n",
  'src/rule/ring-b.ts': "import { ringA } from './ring-a.js';\nexport const ringB = (): unknown => ringA;\n",
  'src/decide/lost.ts': "import { lost } from './nowhere.js';\nexport const found = lost;\n",
  'src/enforce/foreign.ts': "import { build } from 'esbuild';\nexport const foreign = build;\n",
  'src/disk/climbs.ts': "import { repositoryTop } from './git/directory.js';\nexport const climbs = repositoryTop;\n",
  'src/enforce/utils.ts': 'export const anything = 1;\n',
  ...Object.fromEntries(
    Array.from({ length: 26 }, (_, at) => [`src/call/many/part-${at}.ts`, `export const part${at} = ${at};\n`]),
  ),
  'src/program/long.ts': '// A line.\n'.repeat(1_000),
  'src/cellar/new.ts': 'export const cellar = 1;\n',
};

const rows: readonly (readonly [what: string, file: string, named: string])[] = [
  ['an import that climbs', 'src/shell/climbs.ts', 'layer-of-shell'],
  ['policy importing agent, though they are one layer', 'src/policy/crosses.ts', 'layer-of-policy'],
  ['the shell parser outside its one file', 'src/shell/borrows.ts', 'home-of-unbash'],
  ['a terminal library on the hot path', 'src/decide/draws.ts', 'home-of-chalk'],
  ['micromatch outside rule', 'src/enforce/globs.ts', 'home-of-micromatch'],
  ['the file system below decide', 'src/command/reads.ts', 'pure-below-decide'],
  ['node:path instead of node:path/posix', 'src/rule/drives.ts', 'node:path'],
  ['the clock below decide', 'src/call/clock.ts', 'Date.now'],
  ['chance below decide', 'src/agent/chance.ts', 'Math.random'],
  ['the environment below decide', 'src/policy/surroundings.ts', 'process'],
  ['a report that runs code of decide', 'src/report/decides.ts', 'report-runs-nothing-of-others'],
  ['a report that knows more than results', 'src/report/knows.ts', 'report-knows-result-types'],
  ['a ring of two modules', 'src/rule/ring-a.ts', 'no-module-cycles'],
  ['a ring of two folders', 'src/policy → src/agent', 'no-folder-cycles'],
  ['a ring of two folders in one', 'src/disk/git', 'no-sub-folder-cycles'],
  ['an import that leads nowhere', 'src/decide/lost.ts', 'resolvable'],
  ['a package nobody decided on', 'src/enforce/foreign.ts', 'known-packages-only'],
  ['a file whose name says nothing', 'src/enforce/utils.ts', 'says nothing'],
  ['a folder with too many files', 'src/call/many', '26 files side by side'],
  ['a folder that has outgrown its budget', 'src/program', 'lines, and its budget is'],
  ['a folder without a layer', 'src/cellar', 'has no layer'],
];

const test = suite('layers');
/** What the wrong files import, and the other half of each ring: all of src/ would take five times as long and add no line. */
const HALVES = ['agent', 'call', 'decide/ruling', 'disk', 'policy'].map((folder) => `src/${folder}`);
const broken = check(copyWith(wrong, HALVES));

/** Folders that import nothing above them; `npm run arch` checks all of src/, which takes ten times as long, and CI runs it. */
const LOWER = ['agent', 'call', 'command', 'generated', 'policy', 'rule', 'secret', 'shell'].map((folder) => `src/${folder}`);

test('folders as they are pass', () => {
  const { status, lines } = check(copyWith({}, LOWER));
  assert.is(status, 0, lines.join('\n'));
});

test('wrong imports fail the check', () => {
  assert.is(broken.status, 1);
});

for (const [what, file, named] of rows)
  test(`the check names ${what}`, () => {
    assert.ok(
      broken.lines.some((line) => line.startsWith(file) && line.includes(named)),
      `no line names ${file} and ${named}:\n${broken.lines.join('\n')}`,
    );
  });

test('a check that sees fewer than 50 modules fails', () => {
  const { status, lines } = check(copyWith({}, ['src/call']));
  assert.is(status, 1);
  assert.ok(lines.some((line) => line.includes('at least 50 were expected')));
});

test.run();
