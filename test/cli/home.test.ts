// HOME is untouched by every command that has no business there: compared as a whole before and after.
import { chmodSync, cpSync, lstatSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { commands } from '../../src/cli/commands.js';
import { nameOf } from '../../src/cli/words/command.js';
import { type Answer, CLEAN_REPOSITORY, policy, scratch } from './spawned.js';

const test = suite('untouched home');

/** Commands whose work is to write there. The hook keeps its log and its snapshots. */
const WRITERS = ['init', 'trust', 'allow', 'ask', 'deny', 'hook', 'install', 'uninstall', 'observe', 'run'];

const calls: readonly (readonly [args: readonly string[], input?: string])[] = [
  [[]],
  [['--help']],
  [['--version']],
  [['help', 'check']],
  [['check', 'Bash', 'git status && git push']],
  [['check', '--explain', '--agent', 'search-only', 'Bash', 'find . -name x']],
  [['check', '--trust-project', '--json', 'Write', '~/.bashrc']],
  [['check', '--batch'], '{"tool":"Bash","input":{"command":"ls"}}\noops\n'],
  [['lint']],
  [['lint', '--fix']],
  [['lint', '--format', 'sarif', '--output', 'lint.sarif']],
  [['audit']],
  [['audit', '--format', 'json', '--output', 'audit.json']],
  [['log', 'tail']],
  [['log', 'query', '--decision', 'deny']],
  [['log', 'show', '0123']],
  [['log', 'stats']],
  [['log', 'verify']],
  [['log', 'export', '--format', 'opa']],
  [['status']],
  [['preset', 'list']],
  [['preset', 'expand', 'safe']],
  [['preset', 'map', 'safe']],
  [['agents', 'list']],
  [['agents', 'show', 'search-only']],
  [['tools', 'list']],
  [['overlay', 'show', '--agent', 'search-only']],
  [['mcp', 'gateway', '--', 'false']],
  [['mcp', 'install', 'claude-code', '--dry-run']],
  [['mcp', 'uninstall', 'claude-code', '--dry-run']],
  [['mcp', 'pin', '--dry-run', '--', 'false']],
  [['mcp', 'diff', '--server', 'files']],
  [['mcp', 'inspect', '--', 'false']],
  [['replay', '--last', '1h']],
  [['completion', 'bash']],
  [['completion', 'zsh']],
  [['completion', 'fish']],
  [['completion', 'powershell']],
  // Those that write elsewhere at most, as they are asked here.
  [['trust', '--show']],
  [['init', '--user', '--dry-run']],
  [['allow', '--user', '--dry-run', 'Bash(npm run format *)']],
  [['remove', '--user', '--dry-run', 'Bash(shutdown *)']],
  [['observe', 'status']],
  [['observe', 'on', '--dry-run']],
  [['doctor', 'codex']],
  [['install', 'claude-code', '--dry-run']],
  [['uninstall', 'claude-code', '--dry-run']],
  [['hook', 'claude-code', '--print-command']],
  [['hook', 'claude-code', '--print-settings']],
];

test('every command that is no writer takes part', () => {
  const asked = new Set(calls.map(([[name]]) => name));
  for (const name of commands.map(nameOf)) if (!WRITERS.includes(name)) assert.ok(asked.has(name), name);
});

/** A home as somebody might have it: a policy, a settings file of a runner, an agent, and a log. */
function livedIn(): string {
  return scratch({
    '.config/policy/policy.yaml': 'version: 1\ndeny: [Bash(shutdown *)]\n',
    '.local/state/policy/log/notes.txt': 'not a log\n',
    '.claude/settings.json': '{}\n',
    '.claude/agents/mine.md': '---\nname: mine\ndescription: Mine\ntools: Read\n---\n\nBody.\n',
    '.bashrc': '# mine\n',
  });
}

function project(): string {
  const folder = scratch(Object.fromEntries(Object.entries(CLEAN_REPOSITORY).filter(([name]) => name.startsWith('.git/'))));
  cpSync('test/fixtures/demo-repo', folder, { recursive: true });
  return folder;
}

/** Every name below a folder with its kind, mode, size, times of change and content. */
function listing(folder: string): readonly string[] {
  return ['.', ...readdirSync(folder, { recursive: true, encoding: 'utf8' })].sort().map((name) => {
    const path = join(folder, name);
    const { mode, size, mtimeNs, ctimeNs } = lstatSync(path, { bigint: true });
    const content = lstatSync(path).isFile() ? readFileSync(path, 'base64') : '';
    return [name, mode, size, mtimeNs, ctimeNs, content].join(' ');
  });
}

/** Runs a command in a fresh copy of the demo repository. */
function run(args: readonly string[], env: Readonly<Record<string, string>>, input = ''): Answer {
  return policy(args, { cwd: project(), env, input });
}

/** That a command ended as commands do, with its answer or a sentence. */
function endsWell({ status, stderr }: Answer): void {
  assert.ok(status !== null && status <= 3, stderr);
  assert.not.match(stderr, /internal error|^ +at /m);
}

/** A command with a folder that it has to leave as it is. */
interface Case {
  readonly title: string;
  readonly args: readonly string[];
  readonly input: string | undefined;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
}

const representative = ['check Bash git status && git push', 'check --batch', 'lint', 'audit', 'log tail', 'agents list'];

const cases = calls.flatMap(([args, input]): readonly Case[] => {
  const line = args.join(' ');
  const home = livedIn();
  const inHome: Case = { title: `policy ${line} leaves HOME as it is`, args, input, folder: home, env: { HOME: home } };
  if (!representative.includes(line)) return [inHome];
  const base = scratch({ 'config/policy/policy.yaml': 'version: 1\n', 'state/x': '', 'cache/x': '', 'data/x': '', 'home/x': '' });
  const folders = ['config', 'state', 'cache', 'data'].map((name) => [`XDG_${name.toUpperCase()}_HOME`, join(base, name)]);
  const missing = scratch({ x: '' });
  return [
    inHome,
    {
      title: `policy ${line} leaves the folders of XDG_* as they are`,
      args,
      input,
      folder: base,
      env: { ...Object.fromEntries(folders), HOME: join(base, 'home') },
    },
    { title: `policy ${line} does without a HOME`, args, input, folder: missing, env: { HOME: join(missing, 'home') } },
  ];
});

for (const { title, args, input, folder, env } of cases)
  test(title, () => {
    const before = listing(folder);
    endsWell(run(args, env, input));
    assert.equal(listing(folder), before);
  });

test('the comparison would notice: the hook writes its log there', () => {
  const home = scratch({ x: '' });
  const before = listing(home);
  const call = {
    hook_event_name: 'PreToolUse',
    session_id: 's',
    cwd: tmpdir(),
    tool_name: 'Bash',
    tool_input: { command: 'ls' },
  };
  run(['hook', 'claude-code'], { HOME: home }, JSON.stringify(call));
  assert.not.equal(listing(home), before);
});

// To root modes mean nothing; then the comparison alone counts.
test('a HOME that nobody may write to is no obstacle', () => {
  const home = scratch({});
  mkdirSync(join(home, '.config'));
  chmodSync(join(home, '.config'), 0o500);
  chmodSync(home, 0o500);
  const before = listing(home);
  for (const args of [['check', 'Bash', 'git push'], ['lint'], ['agents', 'list'], ['log', 'tail'], ['audit']])
    endsWell(run(args, { HOME: home }));
  assert.equal(listing(home), before);
  chmodSync(home, 0o700);
  chmodSync(join(home, '.config'), 0o700);
});

test.run();
