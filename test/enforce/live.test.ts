/**
 * One decision behind every face: what `policy check` says of a call and what the hook logs and answers are the same,
 * for every vector, every recorded payload, and calls made up at random.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ToolCall } from '../../src/call/tool-call.js';
import type { Decision } from '../../src/decide/ruling/decision.js';
import { enforceDry } from '../../src/enforce/enforce.js';
import { enforceLive } from '../../src/enforce/live.js';
import { preparePolicy } from '../../src/enforce/snapshot/compile.js';
import { openPolicy } from '../../src/enforce/snapshot/open.js';
import type { PolicyPlaces } from '../../src/enforce/snapshot/prepared-policy.js';
import { openWorkspace } from '../../src/project/workspace.js';
import { hook as claudeCode } from '../../src/runner/claude-code/hook.js';
import { throughStore } from '../decide/stored.js';
import { type EvalRow, type SafeGitRow, seedRows } from '../decide/vectors.js';
import { type HookWorld, payload, verdictOf, withHookWorld } from '../hook/world.js';
import { seed } from '../seed.js';
import { gitAskedOnce } from './git-asked-once.js';

const VECTORS = 'test/fixtures/vectors/claude-code';
const PAYLOADS = 'test/fixtures/payloads/claude-code';
const AGENT = '---\nname: reviewer\ndescription: Reads.\ntools: Read, Bash(git diff:*)\n---\nReview.\n';

const POLICIES: Readonly<Record<string, string>> = {
  nothing: 'version: 1\n',
  safe: 'version: 1\npreset: safe\nprotectedBranches: [main]\n',
  inspect: 'version: 1\npreset: inspect\n',
  readOnly: 'version: 1\npreset: readOnly\n',
  rules: `version: 1
preset: safe
allow: ["Bash(npm run test *)", "Bash(zz *)", "Edit(/src/**)", "Bash(echo *)"]
ask: ["Bash(git push *)", "Read(/docs/**)"]
deny:
  - { rule: "Bash(rm -rf *)", suggest: git status }
  - WebFetch(domain:*.example.com)
`,
};

/** The commands of every vector. */
function commands(): string[] {
  const git = seedRows<SafeGitRow>('safe-git').map(({ cmd }) => cmd);
  const evaluated = seedRows<EvalRow>('eval').flatMap(({ input }) => (typeof input.command === 'string' ? input.command : []));
  const recorded = readdirSync(VECTORS).flatMap((file) => texts(JSON.parse(readFileSync(join(VECTORS, file), 'utf8'))));
  return [...new Set([...git, ...evaluated, ...recorded])];
}

/** Every text under a name that holds a command, wherever it stands. */
function texts(value: unknown, name = ''): string[] {
  if (typeof value === 'string') return /^(?:call|cmd|command|form)$/.test(name) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap((one) => texts(one, name));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) => texts(one, key));
}

/** On a busy machine git may not answer one of the two in time, which makes it ask; that does not happen three times. */
function inTime(decide: () => readonly [Decision, Decision]): readonly [Decision, Decision] {
  for (let left = 2; ; left -= 1) {
    const [live, dry] = decide();
    if (left === 0 || live.decision === dry.decision) return [live, dry];
  }
}

/** Both roads of a call in one world: the dry one of `policy check`, and the live one with a gate that was stored and read back. */
function roads(world: HookWorld): { readonly check: (call: ToolCall) => Decision; readonly hook: (call: ToolCall) => Decision } {
  const environment = { HOME: world.home, PATH: '/usr/bin:/bin' };
  const opened = openWorkspace({
    cwd: world.project,
    home: world.home,
    platform: process.platform,
    environment,
    withAgents: true,
    runner: 'claude-code',
    managedDirectory: join(world.home, 'managed'),
  });
  if (!opened.ok) throw new Error(JSON.stringify(opened.problems));
  const places: PolicyPlaces = {
    project: world.project,
    folder: world.project,
    home: world.home,
    platform: process.platform,
    runner: 'claude-code',
    userDirectory: join(world.home, '.config', 'policy'),
    managedDirectory: join(world.home, 'managed'),
    stateDirectory: world.state,
    run: null,
  };
  const gate = openPolicy({
    places,
    environment,
    build: 'test',
    now: Date.now,
    compile: preparePolicy,
  });
  const data = preparePolicy(places);
  if (!gate.ok || !data.ok) throw new Error(JSON.stringify([gate, data]));
  // As the hook finds it in a snapshot.
  const stored = { ...gate.prepared, compiled: throughStore(data.data.policy) };
  // Calls that start agents must not meet each other.
  let calls = 0;
  const said = () => {
    calls += 1;
    return { session: `s${calls}`, toolUseId: 't', model: null, permissionMode: null };
  };
  const context = {
    stateDirectory: world.state,
    version: '0',
    time: 0,
    microseconds: () => 0,
    isUnheard: () => false,
    launched: null,
  };
  return {
    check: (call) => enforceDry(opened.workspace, call),
    hook: (call) => enforceLive(stored, call, said(), context).decision,
  };
}

/** A world whose repository stays as it is: both roads may be told by git what it answered before. */
function unchanged(files: Readonly<Record<string, string>>, use: (world: HookWorld) => void): void {
  withHookWorld(files, (world) => gitAskedOnce(() => use(world)));
}

const ALL = commands();
/** Who calls: the session, an agent with a list of tools, one that nobody defined. */
const CALLERS = [{}, { agent: 'reviewer' }, { agent: 'nobody' }] as const;

/** Under each policy a command has one caller, another every day; each has all three under the five policies. */
for (const [index, [name, policy]] of Object.entries(POLICIES).entries()) {
  test(`check and hook agree on ${ALL.length} commands under the policy "${name}"`, () => {
    unchanged({ '.config/policy/policy.yaml': policy, 'project/.claude/agents/reviewer.md': AGENT }, (world) => {
      const { check, hook } = roads(world);
      assert.ok(ALL.length > 400, 'the vectors were found');
      for (const [at, command] of ALL.entries()) {
        const call: ToolCall = {
          tool: 'Bash',
          input: { command },
          runner: 'claude-code',
          cwd: world.project,
          headless: false,
          shell: 'union',
          ...CALLERS[(seed + index + at) % CALLERS.length],
        };
        const [live, dry] = inTime(() => [hook(call), check(call)]);
        assert.equal(live, dry, command);
      }
    });
  });
}

test('check and hook agree on calls made up at random', () => {
  unchanged({ '.config/policy/policy.yaml': POLICIES.rules ?? '' }, (world) => {
    const { check, hook } = roads(world);
    const word = fc.constantFrom(
      'git',
      'push',
      'rm',
      '-rf',
      '/',
      'src',
      '$(',
      ')',
      '"',
      "'",
      ';',
      '&&',
      '|',
      '>',
      'x',
      '*',
      '`',
      '\\',
    );
    const call = fc.record({
      tool: fc.constantFrom('Bash', 'Read', 'Edit', 'Write', 'Grep', 'WebFetch', 'Monitor', 'mcp__a__b', 'Nothing'),
      command: fc.array(word, { maxLength: 12 }).map((words) => words.join(' ')),
      path: fc.constantFrom('src/a.ts', '/etc/passwd', '.env', '~/.ssh/id', '../x', 'docs/a', 'https://a.example.com/'),
      headless: fc.boolean(),
    });
    fc.assert(
      fc.property(call, ({ tool, command, path, headless }) => {
        const input = { command, file_path: path, path, url: path, pattern: command };
        const made: ToolCall = { tool, input, runner: 'claude-code', cwd: world.project, headless, shell: 'union' };
        const [live, dry] = inTime(() => [hook(made), check(made)]);
        assert.equal(live, dry);
      }),
      { numRuns: 400 },
    );
  });
});

test('what the hook tells the runner is what check decides, for every recorded payload', () => {
  withHookWorld({ '.config/policy/policy.yaml': POLICIES.rules ?? '', 'project/.claude/agents/reviewer.md': AGENT }, (world) => {
    const { check } = roads(world);
    let compared = 0;
    for (const file of readdirSync(PAYLOADS)) {
      const text = readFileSync(join(PAYLOADS, file), 'utf8')
        .replaceAll('/home/user/project', world.project)
        .replaceAll('/home/user', world.home)
        // An agent that one file starts must not be in the way of those that others start.
        .replace(/"session_id": "[^"]+"/, `"session_id": "${file}"`);
      const event = claudeCode.parse(JSON.parse(text), 'union');
      if (event.kind !== 'before-call') continue;
      const told = verdictOf(world.run(text));
      assert.is(told === 'silence' ? 'allow' : told, check(event.call).decision, file);
      compared += 1;
    }
    assert.ok(compared >= 40, `${compared} payloads`);
  });
});

test('a payload that is judged twice gets the same answer twice', () => {
  withHookWorld({ '.config/policy/policy.yaml': POLICIES.rules ?? '' }, (world) => {
    const text = payload(world, 'Bash', { command: 'rm -rf build' });
    const answers = [world.run(text), world.run(text)].map(({ stderr }) => stderr.replace(/decision [0-9a-f-]+/, ''));
    assert.is(answers[0], answers[1]);
    assert.match(answers[0] ?? '', /try instead: git status/i);
  });
});

test.run();
