// `mode: observe`: every face says loudly that nothing is blocked, and only a user's or managed policy may say so.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { validateDecision } from '../../src/generated/validators/decision.js';
import { OBSERVE_MODE } from '../../src/report/observe.js';
import { SEARCH_ONLY } from '../agent/search-only.js';
import { type Answer, CLEAN_REPOSITORY, policy, scratch } from './spawned.js';

const test = suite('observe mode');
const repository = scratch({ ...CLEAN_REPOSITORY, '.agent/agents/search-only.md': SEARCH_ONLY });
const observing = scratch({ '.config/policy/policy.yaml': 'version: 1\nmode: observe\n' });
const call = '{"tool":"Bash","input":{"command":"rm -rf /"}}\n';

/** Runs a command as a user whose own policy observes. */
function observed(args: readonly string[], input?: string): Answer {
  return policy(args, { cwd: repository, env: { HOME: observing }, ...(input !== undefined && { input }) });
}

const faces: readonly (readonly [args: readonly string[], status: number])[] = [
  [['check', 'Bash', 'rm -rf /'], 1],
  [['check', '--json', 'Bash', 'rm -rf /'], 1],
  [['check', '--explain', 'Bash', 'git push'], 2],
  [['check', 'Read', 'src/a.ts'], 0],
  [['lint'], 0],
  [['agents', 'list'], 0],
  [['agents', 'show', 'search-only'], 0],
  [['tools', 'list'], 0],
  [['overlay', 'show', '--agent', 'search-only'], 0],
  [['preset', 'expand', 'safe'], 0],
  [['log', 'tail'], 0],
  [['audit'], 1],
  [['allow', '--dry-run', 'Bash(npm run format *)'], 0],
  [['log', 'query', '--decision', 'deny'], 0],
];
for (const [args, status] of faces)
  test(`policy ${args.join(' ')} says it once, and ends as ever`, () => {
    const answer = observed(args);
    assert.is(answer.status, status, answer.stderr);
    assert.is(answer.stderr.split(OBSERVE_MODE).length - 1, 1, answer.stderr);
  });

test('the decision is what would be enforced, and its JSON says that nobody does', () => {
  const decision: unknown = JSON.parse(observed(['check', '--json', 'Bash', 'rm -rf /']).stdout);
  assert.ok(validateDecision(decision), JSON.stringify(validateDecision.errors));
  assert.match(JSON.stringify(decision), /^\{"version":1,"decision":"deny","mode":"observe",/);
});

test('every line of a batch says it, and standard error once', () => {
  const { stdout, stderr } = observed(['check', '--batch'], call.repeat(3));
  assert.is(stderr.split(OBSERVE_MODE).length - 1, 1);
  for (const line of stdout.trimEnd().split('\n')) assert.match(line, /"decision":"deny","mode":"observe"/);
});

test('an explanation says it below its answer, also where only standard output is kept', () => {
  const { stdout } = observed(['check', '--explain', 'Bash', 'git push']);
  assert.match(stdout.replace(/\n +/g, ' '), /^ASK .*OBSERVE MODE: nothing is blocked here; /);
});

const enforced: readonly (readonly [what: string, files: Readonly<Record<string, string>>, args: readonly string[]])[] = [
  ['a project', { 'policy.yaml': 'version: 1\nmode: observe\n' }, []],
  ['a trusted project', { 'policy.yaml': 'version: 1\nmode: observe\n' }, ['--trust-project']],
  ['the local additions', { 'policy.local.yaml': 'version: 1\nmode: observe\n' }, ['--trust-project']],
];
for (const [what, files, args] of enforced)
  test(`${what} cannot switch the gate off: ignored, with a note`, () => {
    const answer = policy(['check', ...args, '--json', 'Bash', 'rm -rf /'], { cwd: scratch({ ...CLEAN_REPOSITORY, ...files }) });
    assert.is(answer.status, 1);
    assert.not.match(answer.stdout, /observe/);
    assert.not.match(answer.stderr, /OBSERVE MODE/);
    assert.match(answer.stderr, /^note: policy(?:\.local)?\.yaml:2:\d+: .*mode/m);
  });

test('a policy that enforces says nothing of the kind', () => {
  const answer = policy(['check', '--json', 'Bash', 'rm -rf /'], { cwd: repository });
  assert.not.match(answer.stdout + answer.stderr, /observe/i);
});

test.run();
