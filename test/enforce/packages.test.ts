/** The policy of a nested package holds for what lies in the package, wherever the call is made. */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { enforceDry } from '../../src/enforce/enforce.js';
import { recordTrust } from '../../src/enforce/project/trust.js';
import { GIT, openIn, placesIn, trustIn } from './opened.js';
import { withFiles } from './scratch.js';

const RULES = ['npm', 'rm', 'make', 'cargo', 'pnpm', 'yarn', 'git', 'tool', 'bun'].map((name) => `"Bash(${name} *)"`).join(', ');
const FILES = {
  ...GIT,
  'repo/policy.yaml': `version: 1\npreset: safe\nallow: [${RULES}]\n`,
  'repo/package.json': '{"workspaces":["packages/*"]}',
  'repo/Cargo.toml': '[workspace]\nmembers = ["crates/*"]\n',
  'repo/src/x.ts': '',
  'repo/packages/a/policy.yaml':
    'version: 1\ndeny: ["Edit(*.ts)", "Bash(rm *)", "Bash(* publish*)", "Bash(make *)", "Bash(tool *)", "Bash(cat *)", "Bash(git *)", "Bash(cargo *)"]\n',
  'repo/packages/a/package.json': '{"name":"@x/first"}',
  'repo/packages/a/x.ts': '',
  'repo/packages/b/x.ts': '',
  'repo/packages/broken/policy.yaml': 'version: 1\nallow: {}\n',
  'repo/packages/broken/x.ts': '',
  'repo/crates/c/policy.yaml': 'version: 1\ndeny: ["Bash(cargo *)"]\n',
  'repo/crates/c/Cargo.toml': '[package]\nname = "see"\n',
};

function answer(cwd: string, tool: string, input: string, changed: Readonly<Record<string, string>> = {}): string {
  return withFiles({ ...FILES, ...changed }, (folder) => {
    mkdirSync(placesIn(folder).stateDirectory, { recursive: true, mode: 0o700 });
    recordTrust(placesIn(folder).stateDirectory, trustIn(folder), new Date());
    const place = join(folder, cwd);
    const opened = openIn(folder, { cwd: place, project: join(folder, 'repo') });
    if (!opened.ok) return opened.problems.map(({ code }) => code).join(' ');
    const given = tool === 'Bash' ? { command: input } : { file_path: join(folder, input), old_string: 'x', new_string: 'y' };
    return enforceDry(opened.workspace, { tool, input: given, cwd: place, headless: false, shell: 'bash' }).decision;
  });
}

const rows: readonly (readonly [cwd: string, tool: string, input: string, expected: string, why: string])[] = [
  ['repo', 'Edit', 'repo/packages/a/x.ts', 'deny', 'a file of the package'],
  ['repo', 'Edit', 'repo/packages/a/new/x.ts', 'deny', 'one that is not there yet'],
  ['repo/packages/b', 'Edit', 'repo/packages/a/x.ts', 'deny', 'from another package'],
  ['repo', 'Edit', 'repo/packages/b/x.ts', 'allow', 'a file of another package'],
  ['repo', 'Edit', 'repo/src/x.ts', 'allow', 'a file of none'],
  ['repo', 'Bash', 'rm packages/a/x.ts', 'deny', 'a file of the package'],
  ['repo', 'Bash', 'rm packages/b/x.ts', 'allow', 'a file of another one'],
  ['repo', 'Bash', 'rm packages/*/x.ts', 'deny', 'by a pattern'],
  ['repo', 'Bash', 'echo x > packages/a/x.ts', 'deny', 'by a redirection'],
  ['repo', 'Bash', 'd=packages/a; cat $d/x.ts', 'deny', 'by a variable'],
  ['repo', 'Bash', 'cd packages/a && npm publish', 'deny', 'entered'],
  ['repo', 'Bash', 'cd packages && cd a && npm publish', 'deny', 'entered in steps'],
  ['repo', 'Bash', 'cd packages/b && npm publish', 'ask', 'another one entered'],
  ['repo', 'Bash', 'git -C packages/a log', 'deny', 'git -C'],
  ['repo', 'Bash', 'make -C packages/a', 'deny', 'make -C'],
  ['repo', 'Bash', 'make -Cpackages/a', 'deny', 'make -C, in one word'],
  ['repo', 'Bash', 'make --directory=packages/a', 'deny', 'make --directory='],
  ['repo', 'Bash', 'npm --prefix packages/a publish', 'deny', '--prefix'],
  ['repo', 'Bash', 'npm --prefix=./packages/a publish', 'deny', '--prefix='],
  ['repo', 'Bash', 'npm -w a publish', 'deny', 'a workspace by its folder'],
  ['repo', 'Bash', 'npm publish --workspace=packages/a', 'deny', 'by its path'],
  ['repo', 'Bash', 'npm publish -w @x/first', 'deny', 'by its name'],
  ['repo', 'Bash', 'pnpm --filter @x/first publish', 'deny', '--filter'],
  ['repo', 'Bash', 'pnpm --filter ./packages/a publish', 'deny', '--filter with a path'],
  ['repo', 'Bash', 'yarn --cwd packages/a publish', 'deny', '--cwd'],
  ['repo', 'Bash', 'npm -w b publish', 'ask', 'another workspace'],
  ['repo', 'Bash', 'npm publish', 'ask', 'the project itself'],
  ['repo', 'Bash', 'cargo build --manifest-path crates/c/Cargo.toml', 'deny', '--manifest-path'],
  ['repo', 'Bash', 'cargo build -p see', 'deny', 'a crate by its name'],
  ['repo', 'Bash', 'cargo build', 'ask', 'the whole'],
  ['repo', 'Bash', 'tool --anything packages/a', 'deny', 'an option that nobody knows'],
  ['repo', 'Bash', 'timeout 9 make -C packages/a', 'deny', 'behind a wrapper'],
  ['repo/packages/a', 'Bash', 'npm publish', 'deny', 'made there'],
  ['repo', 'Edit', 'repo/packages/broken/x.ts', 'ask', 'a policy that cannot be read'],
  ['repo', 'Bash', 'rm packages/broken/x.ts', 'ask', 'and by the shell'],
  ['repo', 'Bash', 'rm packages/b/x.ts', 'allow', 'elsewhere the project decides'],
];

for (const [cwd, tool, input, expected, why] of rows)
  test(`${tool} ${JSON.stringify(input)} in ${cwd}, ${why}: ${expected}`, () => assert.is(answer(cwd, tool, input), expected));

test('a package that would allow more allows nothing', () => {
  const allows = { 'repo/packages/b/policy.yaml': 'version: 1\nallow: ["Bash(curl *)"]\ndefault: allow\n' };
  assert.is(answer('repo', 'Bash', 'cd packages/b && curl https://example.com', allows), 'ask');
  assert.is(answer('repo', 'Bash', 'rm packages/b/x.ts', allows), 'allow');
});

test.run();
