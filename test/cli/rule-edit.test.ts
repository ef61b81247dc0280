// `policy init`, `policy allow`, `ask`, `deny` as a person meets them: what is printed, written, trusted and refused.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { type Answer, CLEAN_REPOSITORY, COMMAND, home, insideAgent, policy, policyEach, scratch } from './spawned.js';

const test = suite('policy init, allow, ask, deny');
const changing = insideAgent ? test.skip : test;

/** A project and a home of its own, and a way to run commands in them. */
function place(files: Readonly<Record<string, string>> = CLEAN_REPOSITORY) {
  const folder = scratch({
    ...Object.fromEntries(Object.entries(files).map(([name, text]) => [`project/${name}`, text])),
    'home/x': '',
  });
  mkdirSync(join(folder, 'project'), { recursive: true });
  const run = (...args: string[]): Answer => policy(args, { cwd: join(folder, 'project'), env: { HOME: join(folder, 'home') } });
  const read = (name: string) => readFileSync(join(folder, name), 'utf8');
  return { folder, run, read };
}

changing('from nothing to an allowed call: init, check, the line that settles it, check', () => {
  const { run, read } = place({ ...CLEAN_REPOSITORY, 'package.json': '{"scripts":{"test":"x"}}' });
  const started = run('init', '--yes');
  assert.is(started.status, 0, started.stderr);
  assert.match(started.stdout, /Written: policy\.yaml/);
  assert.match(read('project/policy.yaml'), /^preset: develop$/m);
  assert.is(run('check', 'Bash', 'npm run test -- --watch').status, 0, 'what init wrote is trusted');
  const asked = run('check', 'Bash', 'cargo doc --open');
  assert.is(asked.status, 2);
  const line = /^to allow it: policy allow '(.+)'$/m.exec(asked.stdout)?.[1];
  assert.is(line, 'Bash(cargo doc --open)');
  const allowed = run('allow', line ?? '', '--yes');
  assert.is(allowed.status, 0, allowed.stderr);
  assert.match(allowed.stdout, /Bash cargo doc --open {2}ask → allow/);
  assert.match(allowed.stderr, /keep it out of git/);
  assert.is(run('check', 'Bash', 'cargo doc --open').status, 0);
  assert.is(run('check', 'Bash', 'cargo doc --open --no-deps').status, 2);
});

changing('who tightens is not held up by an older rule that then means nothing, only told', () => {
  const { run } = place();
  assert.is(run('init', '--yes').status, 0);
  assert.is(run('allow', 'Bash(make *)', '--yes').status, 0);
  const denied = run('deny', 'Bash', '--yes');
  assert.is(denied.status, 0, denied.stderr);
  assert.match(denied.stderr, /warning: "Bash\(make \*\)" allows nothing/);
  assert.is(run('check', 'Bash', 'make all').status, 1);
  const again = run('allow', 'Bash(make test)', '--yes');
  assert.is(again.status, 3, 'the other way round the new rule would mean nothing');
  assert.match(again.stderr, /Nothing was changed/);
});

test('a folder that is not there, and a policy that is not, are told in one plain sentence', () => {
  const { run, folder } = place();
  assert.is(run('check', 'Bash', 'ls', '--cwd', join(folder, 'none')).stderr, `${join(folder, 'none')} is not a directory\n`);
  assert.is(run('check', 'Bash', 'ls', '--policy', 'none.yaml').stderr, 'none.yaml does not exist\n');
});

changing('remove takes back what allow wrote, keeps comments and trust, and says where the rule was', () => {
  const text =
    'version: 1\npreset: safe\nallow:\n  # tests\n  - Bash(npm test *) # all\n  - Bash(make test)\ndeny: ["Bash(rm *)"]\n';
  const { run, read } = place({ ...CLEAN_REPOSITORY, 'policy.yaml': text });
  assert.is(run('trust', '--yes').status, 0);
  assert.is(run('allow', 'Bash(make lint)', '--yes').status, 0);
  const own = run('remove', 'Bash(make lint)', '--yes');
  assert.is(own.status, 0, own.stderr);
  assert.match(own.stdout, /policy\.local\.yaml:3:\n {2}no longer allow: Bash\(make lint\)/);
  assert.match(own.stdout, /Bash make lint {2}allow → ask/);
  assert.is(read('project/policy.local.yaml'), 'version: 1\nallow: []\n');
  assert.is(run('remove', 'Bash(npm test *)', '--dry-run').status, 0);
  assert.is(read('project/policy.yaml'), text);
  assert.is(run('remove', 'Bash(npm test *)', '--yes').status, 0);
  assert.is(run('remove', 'Bash(rm *)', '--yes').status, 0);
  assert.is(read('project/policy.yaml'), 'version: 1\npreset: safe\nallow:\n  # tests\n  - Bash(make test)\ndeny: []\n');
  assert.is(run('check', 'Bash', 'make test').status, 0, 'what is left is trusted as before');
  const none = run('remove', 'Bash(rm *)', '--yes');
  assert.is(none.status, 3);
  assert.match(none.stderr, /Bash\(rm \*\) is in none of these policies: policy\.local\.yaml, policy\.yaml, your own policy/);
});

changing('a rule that is named twice is written once', () => {
  const { run, read } = place();
  assert.is(run('allow', 'Bash(make x)', 'Bash(make x)', '--yes').status, 0);
  assert.is(read('project/policy.local.yaml').split('Bash(make x)').length, 2);
});

changing('remove says where a rule stands twice, and takes the one that is named', () => {
  const { run, read } = place();
  assert.is(run('allow', '--user', 'Bash(make x)', '--yes').status, 0);
  assert.is(run('allow', '--local', 'Bash(make x)', '--yes').status, 0);
  const twice = run('remove', 'Bash(make x)', '--yes');
  assert.is(twice.status, 3);
  assert.match(twice.stderr, /is in several places: allow in policy\.local\.yaml:\d+ and allow in .*policy\.yaml:\d+; say which/);
  assert.is(run('remove', '--user', 'Bash(make x)', '--yes').status, 0);
  assert.match(read('project/policy.local.yaml'), /make x/);
  assert.not.match(read('home/.config/policy/policy.yaml'), /make x/);
});

changing('remove does not make a policy that nobody trusts count', () => {
  const { run } = place({ ...CLEAN_REPOSITORY, 'policy.yaml': 'version: 1\nallow: ["Bash(make x)", "Bash(make y)"]\n' });
  assert.is(run('remove', 'Bash(make x)', '--yes').status, 0);
  assert.is(run('check', 'Bash', 'make y').status, 2);
});

changing('allow --from-log offers what was approved, and prints lines to paste where nobody can be asked', () => {
  const { folder, run, read } = place({ ...CLEAN_REPOSITORY, 'policy.yaml': 'version: 1\npreset: safe\n' });
  const cwd = join(folder, 'project');
  const hook = (event: string, command: string, id: string) => {
    const call = { session_id: 's', cwd, hook_event_name: event, tool_name: 'Bash', tool_input: { command }, tool_use_id: id };
    const told = event === 'PostToolUse' ? { tool_response: { stdout: 'x' } } : {};
    const input = JSON.stringify({ ...call, ...told, permission_mode: 'default', transcript_path: '/x' });
    return policy(['hook', 'claude-code'], { cwd, env: { HOME: join(folder, 'home') }, input });
  };
  assert.is(run('trust', '--yes').status, 0);
  const none = run('allow', '--from-log');
  assert.is(none.status, 0, none.stderr);
  assert.match(none.stderr, /No call that was approved in the last 30 days would ask again/);
  for (const [command, id, approved] of [
    ['npm run docs', 'a', true],
    ['npm run docs', 'b', true],
    ['npm run docs -- x', 'c', true],
    ['make refused', 'd', false],
    ['git status', 'e', true],
  ] as const) {
    hook('PreToolUse', command, id);
    if (approved) hook('PostToolUse', command, id);
  }
  const offered = run('allow', '--from-log', '--days', '2');
  assert.is(offered.status, 0, offered.stderr);
  assert.match(offered.stdout, /^# approved 3 times: Bash npm run docs/m);
  assert.match(offered.stdout, /^policy allow 'Bash\(npm run docs \*\)'$/m);
  assert.not.match(offered.stdout, /refused|git status/);
  assert.not(existsSync(join(cwd, 'policy.local.yaml')), 'nothing is written');
  for (const wrong of [['--yes'], ['--days', '0'], ['Bash(x)']])
    assert.is(run('allow', '--from-log', ...wrong).status, 3, wrong.join(' '));
  assert.is(run('allow', 'Bash(npm run docs *)', '--yes').status, 0);
  assert.not.match(run('allow', '--from-log').stdout, /npm run docs/, 'what is settled is not offered again');
  assert.match(read('project/policy.local.yaml'), /npm run docs/);
});

changing('init never overwrites, and says what is there', () => {
  const { run, read } = place({ 'policy.toml': 'version = 1\npreset = "readOnly"\n' });
  const answer = run('init', '--yes');
  assert.is(answer.status, 3);
  assert.match(answer.stderr, /policy\.toml already exists/);
  assert.is(read('project/policy.toml'), 'version = 1\npreset = "readOnly"\n');
});

changing('init goes beside what policy allow and policy deny wrote before it, and all of it counts', () => {
  for (const [effect, status] of [
    ['allow', 0],
    ['deny', 1],
  ] as const) {
    const { run, read } = place(CLEAN_REPOSITORY);
    assert.is(run(effect, 'Bash(make lint)', '--yes').status, 0);
    const before = read('project/policy.local.yaml');
    const started = run('init', '--yes');
    assert.is(started.status, 0, started.stderr);
    assert.is(read('project/policy.local.yaml'), before);
    assert.is(run('check', 'Bash', 'make lint').status, status);
    assert.is(run('check', 'Edit', 'a.ts').status, 0, 'what init wrote is trusted');
  }
});

test("init does not trust a stranger's local policy that lies there", () => {
  const { run, folder } = place({ ...CLEAN_REPOSITORY, 'policy.local.yaml': 'version: 1\nallow: [Bash]\n' });
  assert.is(run('init', '--yes').status, 3);
  assert.not(existsSync(join(folder, 'project/policy.yaml')));
  assert.is(run('check', 'Bash', 'evil').status, 2);
});

changing("init leaves another tool's policy.json alone", () => {
  const { run } = place({ 'policy.json': '{"Statement":[]}' });
  assert.is(run('init', '--yes').status, 0);
  assert.is(run('check', 'Edit', 'a.ts').status, 0);
});

test('init --dry-run prints the policy and writes nothing', () => {
  const { run, folder } = place();
  const answer = run('init', '--dry-run');
  assert.is(answer.status, 0);
  assert.match(answer.stdout, /^preset: develop$/m);
  assert.match(answer.stdout, /^protectedBranches: \[main\]$/m);
  assert.equal(readdirSync(join(folder, 'home')), ['x']);
  assert.not(existsSync(join(folder, 'project/policy.yaml')));
});

changing('init --user writes a policy of the user', () => {
  const { run, read } = place();
  assert.is(run('init', '--user', '--yes').status, 0);
  assert.match(read('home/.config/policy/policy.yaml'), /default: ask/);
});

const REFUSED: readonly (readonly [args: readonly string[], says: RegExp])[] = [
  [['allow', 'Bash(git push', '--yes'], /closing "\)" is missing/],
  [['allow', 'Bahs(x)', '--yes'], /did you mean Bash\?/],
  [['allow', 'Bash(PGPASSWORD=hunter2hunter2 psql *)', '--yes'], /holds a password/],
  [['allow', 'Bash(x)'], /no terminal.*--yes/],
  [['init'], /no terminal.*--yes/],
  [['allow', 'Bash(x)', '--yes', '--user', '--local'], /--user and --local/],
  [['allow', '--yes'], /Name a rule/],
  [['allow', 'Bash(x)', '--yes', '--reason', 'a\nb'], /one sentence/],
  [['allow', 'Read(.env)', '--yes'], /would change nothing.*may hold secrets.*protected\.except/],
  [['allow', 'Edit(.github/workflows/**)', '--yes'], /would change nothing.*is protected.*protected\.except/],
  [['allow', 'Bash(rm -rf .git)', '--yes', '--user'], /would change nothing.*protected\.except/],
  [['allow', 'Bash(rm -rf /)', '--yes'], /would change nothing.*built-in denial/],
  [['allow', 'Bash(cd src && make)', '--yes'], /would change nothing/],
];
const refusedIn = REFUSED.map(() => scratch(CLEAN_REPOSITORY));
const refused = policyEach(REFUSED.map(([args], index) => ({ args, cwd: refusedIn[index] ?? '' })));
for (const [index, [args, says]] of REFUSED.entries())
  changing(`${args.join(' ')}: refused, and nothing written`, () => {
    const answer = refused[index];
    assert.is(answer?.status, 3, answer?.stdout);
    assert.match(answer?.stderr ?? '', says);
    assert.equal(readdirSync(home), []);
    assert.equal(readdirSync(refusedIn[index] ?? '').sort(), ['.git', 'src']);
  });

for (const args of [
  ['init', '--yes'],
  ['allow', 'Bash(x)', '--yes'],
])
  test(`${args.join(' ')}: refused inside a runner`, () => {
    const folder = scratch(CLEAN_REPOSITORY);
    const answer = policy(args, { cwd: folder, env: { HOME: scratch({}), CLAUDECODE: '1' } });
    assert.is(answer.status, 3);
    assert.match(answer.stderr, /inside Claude Code \(CLAUDECODE is set\)/);
    assert.equal(readdirSync(folder).sort(), ['.git', 'src']);
  });

changing('a wide rule is written with a warning', () => {
  const { run } = place();
  const answer = run('allow', 'Bash(python *)', '--yes');
  assert.is(answer.status, 0, answer.stderr);
  assert.match(answer.stderr, /warning: .*any code/);
});

changing('an allow that a stricter rule outranks is refused with the place of that rule', () => {
  const { run } = place({ ...CLEAN_REPOSITORY, 'policy.yaml': 'version: 1\nask: [Bash(git push *)]\n' });
  const answer = run('allow', 'Bash(git push origin main)', '--yes');
  assert.is(answer.status, 3);
  assert.match(answer.stderr, /the stricter Bash\(git push \*\) \(policy\.yaml:2\) already decides/);
});

changing("in a stranger's project only the user's own policy may allow", () => {
  const { run } = place({ ...CLEAN_REPOSITORY, 'policy.yaml': 'version: 1\nallow: [Bash]\n' });
  const refused = run('allow', 'Bash(make)', '--yes');
  assert.is(refused.status, 3);
  assert.match(refused.stderr, /run `policy trust` first/);
  assert.match(run('check', 'Bash', 'make').stdout, /to allow it: policy allow --user 'Bash\(make\)'/);
  assert.is(run('allow', '--user', 'Bash(make)', '--yes').status, 0);
  assert.is(run('check', 'Bash', 'make').status, 0);
  assert.is(run('check', 'Bash', 'evil').status, 2);
});

changing('several rules at once; a second time there is nothing to do', () => {
  const { run, read } = place();
  assert.is(run('deny', 'Bash(a *)', 'Bash(b *)', '--project', '--yes').status, 0);
  const before = read('project/policy.yaml');
  const again = run('deny', 'Bash(a *)', 'Bash(b *)', '--project', '--yes');
  assert.is(again.status, 0);
  assert.match(again.stdout, /policy\.yaml:3\. Nothing to do/);
  assert.is(read('project/policy.yaml'), before);
});

const NOWHERE: readonly (readonly string[])[] = [
  ['allow', 'Bash(make *)', '--yes'],
  ['deny', 'Bash(make *)'],
  ['ask', 'Bash(make *)', '--dry-run'],
];
for (const args of NOWHERE)
  changing(`policy ${args.join(' ')} outside of a project, without a terminal: says which flags there are`, () => {
    const { folder, run } = place({ 'notes.txt': '' });
    const { status, stdout, stderr } = run(...args);
    assert.is(status, 3, stdout);
    assert.match(
      stderr,
      /is not in a git repository and has no policy.*\n {2}--user .*\n {2}--local .*\n {2}--project .*\nNothing was changed\.$/m,
    );
    assert.equal(readdirSync(join(folder, 'home')), ['x']);
    assert.equal(readdirSync(join(folder, 'project')), ['notes.txt']);
  });

changing('outside of a project a flag says where, and a policy file there makes it a project', () => {
  const { run, read } = place({ 'notes.txt': '' });
  assert.is(run('allow', 'Bash(make *)', '--user', '--yes').status, 0);
  assert.match(read('home/.config/policy/policy.yaml'), /make/);
  assert.is(run('deny', 'Bash(make x)', '--project', '--yes').status, 0);
  assert.is(run('deny', 'Bash(make y)', '--yes').status, 0);
  assert.match(read('project/policy.local.yaml'), /make y/);
});

/** What a person types at a terminal, and the file that is then shown; null: nothing was changed. */
const ASKED: readonly (readonly [typed: string, shown: RegExp | null])[] = [
  ['1\n', /^\S*home\/\.config\/policy\/policy\.yaml \(new\):$/m],
  ['local\n', /^policy\.local\.yaml \(new\):$/m],
  ['3\n', /^policy\.yaml \(new\):$/m],
  ['\n', null],
];
for (const [typed, shown] of ASKED)
  (process.platform === 'linux' ? changing : test.skip)(
    `outside of a project a terminal asks where; ${JSON.stringify(typed)} is ${shown === null ? 'nowhere' : 'a file'}`,
    () => {
      const { folder } = place({ 'notes.txt': '' });
      const { error, stdout, status } = spawnSync(
        'script',
        ['-qec', `${process.execPath} ${COMMAND} deny 'Bash(make *)' --dry-run`, '/dev/null'],
        {
          cwd: join(folder, 'project'),
          env: { PATH: process.env.PATH ?? '', HOME: join(folder, 'home'), SHELL: '/bin/sh' },
          encoding: 'utf8',
          input: typed,
          timeout: 30_000,
          killSignal: 'SIGKILL',
        },
      );
      // There is no such program everywhere.
      if (error !== undefined && 'code' in error && error.code === 'ENOENT') return;
      const printed = stdout.replaceAll('\r\n', '\n');
      assert.match(printed, /is not in a git repository/);
      assert.is(status, shown === null ? 3 : 0, printed);
      assert.match(printed, shown ?? /^Nothing was changed\.$/m);
    },
  );

test.run();
