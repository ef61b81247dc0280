// What most tests ask in a thread, a process answers alike: every command, with each exit code, both streams, and standard input.
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { commands } from '../../src/cli/commands.js';
import { nameOf } from '../../src/cli/words/command.js';
import { type Answer, type Circumstances, CLEAN_REPOSITORY, insideAgent, policy, policyProcess, scratch } from './spawned.js';

const test = suite('a command line in a thread, and as a process');

/** What is answered in the folder of a project, one line after the other; `input` is what stands on standard input. */
const LINES: readonly { readonly args: readonly string[]; readonly input?: string; readonly changes?: true }[] = [
  { args: [] },
  { args: ['chekc'] },
  { args: ['--help'] },
  { args: ['--version'] },
  { args: ['check', 'Bash', 'git status'] },
  { args: ['check', 'Bash', 'git push'] },
  { args: ['check', 'Bash', 'rm -rf /'] },
  { args: ['check', '--explain', 'Read', 'src/a.ts'] },
  { args: ['check', '--color', 'Bash', 'ls'] },
  { args: ['check', '--no-such-flag'] },
  { args: ['check', '--batch'], input: 'git status\nrm -rf /\n' },
  { args: ['lint'] },
  { args: ['lint', '--format', 'json'] },
  { args: ['lint', '--stdin', '.claude/agents/a.md'], input: '---\nname: a\ntool: Read\n---\n' },
  { args: ['agents'] },
  { args: ['tools'] },
  { args: ['preset', 'expand', 'safe'] },
  { args: ['status'] },
  { args: ['log', 'query'] },
  { args: ['replay'] },
  { args: ['doctor'] },
  { args: ['audit', '--no-probes'] },
  { args: ['completion', 'bash'] },
  { args: ['help', 'check'] },
  { args: ['init', '--dry-run'], changes: true },
  { args: ['allow', 'Bash(make *)', '--yes'], changes: true },
  { args: ['ask', 'Bash(make *)', '--yes'], changes: true },
  { args: ['deny', 'Bash(make x)', '--dry-run'], changes: true },
  { args: ['remove', 'Bash(make *)', '--yes'], changes: true },
  { args: ['trust'], changes: true },
  { args: ['observe', 'on', '--yes'], changes: true },
  { args: ['overlay', 'show', 'a'], changes: true },
  { args: ['install', 'claude-code', '--project', '--dry-run'], changes: true },
  { args: ['install', 'claude-code', '--project', '--yes'], changes: true },
  { args: ['uninstall', 'claude-code', '--project', '--yes'], changes: true },
];

/** Below a coding agent nothing is changed, and where that is has nothing to do with this. */
const asked = LINES.filter(({ changes }) => changes !== true || !insideAgent);

type Run = (args: readonly string[], circumstances: Circumstances) => Answer;

/** A person with a project, and every line run there in turn. */
function answersOf(run: Run): readonly (Answer & { readonly files: readonly string[] })[] {
  const base = realpathSync(scratch({}));
  const [cwd, home] = [join(base, 'project'), join(base, 'home')];
  for (const [file, text] of Object.entries({
    ...CLEAN_REPOSITORY,
    '.claude/agents/a.md': '---\nname: a\ntools: Read\n---\nx\n',
  })) {
    mkdirSync(join(cwd, file, '..'), { recursive: true });
    writeFileSync(join(cwd, file), text);
  }
  mkdirSync(home);
  return asked.map(({ args, input }) => {
    const answer = run(args, { cwd, env: { HOME: home }, ...(input !== undefined && { input }) });
    const written = ['policy.yaml', 'policy.local.yaml', '.claude/settings.local.json'].flatMap((name) =>
      readdirSync(join(cwd, name, '..')).includes(name.split('/').at(-1) ?? '') ? [readFileSync(join(cwd, name), 'utf8')] : [],
    );
    return {
      ...answer,
      stdout: told(answer.stdout, base),
      stderr: told(answer.stderr, base),
      files: written.map((text) => told(text, base)),
    };
  });
}

/** Without what differs from one run to the next: where the folders lie, ids, digests and times. */
function told(text: string, base: string): string {
  return text
    .replaceAll(base, '<base>')
    .replaceAll(/\b[0-9a-f]{8,}(?:-[0-9a-f]{4,})*\b/g, '<id>')
    .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:\.\d+)?)?Z?/g, '<time>')
    .replaceAll(/\b\d{1,2} [A-Z][a-z]+ \d{4}, \d\d:\d\d UTC/g, '<time>')
    .replaceAll(/\b\d+(?:\.\d+)? m?s\b/g, '<time>');
}

const threads = answersOf(policy);
const processes = answersOf(policyProcess);
for (const [index, { args }] of asked.entries())
  test(`policy ${args.join(' ')}`, () => assert.equal(threads[index], processes[index]));

test('every command is among them, but for those that are always a process', () => {
  const named = new Set(LINES.map(({ args }) => args[0]));
  const left = commands.map(nameOf).filter((name) => !named.has(name));
  assert.equal(left, ['hook', 'run', 'mcp']);
});

test.run();
