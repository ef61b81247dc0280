// `npm start`: a tour. Installs and builds, copies the demo repository to a temporary folder, and shows there what the built CLI
// does: lint, six checks, three recorded tool calls through the hook, a run of an agent, and the first screen of the audit. Leaves
// nothing behind.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, runNode } from './install.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const command = join(root, 'bin', 'policy.js');
const payloads = join(root, 'test', 'fixtures', 'payloads', 'claude-code');
const fakeRunner = join(root, 'test', 'fixtures', 'fake-runner', 'claude');
const FIRST_SCREEN = 15;

const calls = [
  {
    say: 'Looking is free. Both commands are in the preset `safe`, so nobody is asked.',
    args: ['Bash', 'git status && git diff --stat'],
  },
  {
    say: 'The preset would let a push pass, but this repository wants a person to look first. The stricter rule wins.',
    args: ['Bash', 'git push'],
  },
  {
    say: 'One bad command among good ones decides the line, wherever it stands.',
    args: ['Bash', 'npm test; rm -rf build'],
  },
  {
    say: '`git log` only reads? Not with this option: it would write a hook that runs on your next commit.',
    args: ['Bash', 'git log -1 --output=.git/hooks/pre-commit'],
  },
  {
    say: 'Wrappers are looked through, and secrets are kept whichever program reads them.',
    args: ['Bash', 'timeout 5 cat .env'],
  },
  {
    say: 'An agent has its own, narrower permissions: search-only reads below src/ and nowhere else.',
    args: ['FileRead', '/etc/passwd', '--agent', 'search-only'],
  },
];

/** Tool calls as Claude Code wrote them to its hook, with the project of the tour in place of the recorded one. */
const recorded = [
  {
    say: 'It reads a file that the policy allows to be read: the person is not asked.',
    file: 'main.PreToolUse.Read.json',
  },
  {
    say: 'It wants to fetch a page that no rule names: the person is asked, by the runner itself.',
    file: 'main.PreToolUse.WebFetch.json',
  },
  {
    say: 'It tries to delete a tree behind a harmless command. Exit code 2 and one line on standard error: the call does not happen.',
    file: 'main.PreToolUse.Bash.2.json',
  },
];

install();
runNode('.ci/build.mjs', '--dist');
const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'policy-tour-')));
try {
  tour(join(scratch, 'desk'), join(scratch, 'home'));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** The whole tour; ends the process with 1 when the CLI fails to answer. */
function tour(project, home) {
  cpSync(join(root, 'test', 'fixtures', 'demo-repo'), project, { recursive: true });
  mkdirSync(join(home, '.config', 'policy'), { recursive: true });
  // What `policy trust` would note once a person has agreed.
  writeFileSync(join(home, '.config', 'policy', 'policy.yaml'), `version: 1\ntrustedRepos: [${JSON.stringify(project)}]\n`);
  const environment = {
    PATH: process.env.PATH,
    HOME: home,
    TMPDIR: process.env.TMPDIR ?? tmpdir(),
    SystemRoot: process.env.SystemRoot,
  };
  const run = (args, input) => policy(args, project, environment, input);
  say('This is `policy`, in a copy of a small web service. Its policy.yaml holds 76 rules, and a person has trusted it.');
  if (!makeRepository(project, environment))
    say('(git was not found, so the copy is no repository and git commands are asked about.)');

  title('Lint: what is wrong with the agent definitions and the policy?');
  say('Each finding names its rule, its place and what to do. Here are the headlines of those that matter.');
  shown(run(['lint']), "policy lint | grep -E '^(error|warning|[0-9]+ error)'", (line) =>
    /^(error|warning|\d+ error)/.test(line),
  );

  title('Check: may a tool call run?');
  calls.forEach(({ say: sentence, args }, index) => {
    say(`${index + 1}. ${sentence}`);
    shown(run(['check', '--explain', ...args]), `policy check --explain ${args.map(quoted).join(' ')}`);
  });

  title('Hook: the same decision, before every tool call of a running agent');
  say('Claude Code is told to ask `policy` first:');
  console.log('   $ policy hook claude-code --print-settings > .claude/settings.local.json');
  writeFileSync(join(project, '.claude', 'settings.local.json'), run(['hook', 'claude-code', '--print-settings']).stdout);
  recorded.forEach(({ say: sentence, file }, index) => {
    const payload = readFileSync(join(payloads, file), 'utf8').replaceAll('/home/user/project', project);
    const { tool_name: tool, tool_input: input } = JSON.parse(payload);
    say(`${index + 1}. ${sentence}`);
    console.log(`   ${tool} ${JSON.stringify(input).replaceAll(`${project}/`, '')}`);
    shown(run(['hook', 'claude-code'], payload), 'policy hook claude-code < PAYLOAD');
  });

  title('Run: an agent at work under the policy');
  say(
    'A stand-in for Claude Code is started as the agent code-reviewer. It asks the hook before each call, as the real client does;',
    'in a run nobody is there to be asked, so what the policy asks about is denied.',
  );
  const goal = ['run git status', 'run git push', 'run rm -rf src', 'say Nothing was pushed and nothing was deleted.'].join('\n');
  shown(
    run(['run', 'code-reviewer', '--goal', goal, '--program', fakeRunner]),
    'policy run code-reviewer --goal "Review the last change."',
  );

  title('Audit: is it enforced, by what is really installed?');
  say('The audit starts the hook that it finds in the settings, and reports what that answered.');
  shown(run(['audit']), `policy audit | head -n ${FIRST_SCREEN}`, (_, index) => index < FIRST_SCREEN);

  say(
    'Now your own repository: `npm install -g .` here (a link to this folder: keep it), then `policy init` there; README.md shows the four commands.',
    'docs/policy-file.md explains the policy file, docs/decisions.md the answers, `policy --help` the commands.',
  );
}

/** Makes the copy a git repository with a remote, so that git commands can be judged; false when there is no git. */
function makeRepository(project, env) {
  const commands = [
    ['init', '-q'],
    ['symbolic-ref', 'HEAD', 'refs/heads/main'],
    ['remote', 'add', 'origin', 'https://git.example.com/desk.git'],
    ['config', 'branch.main.remote', 'origin'],
    ['config', 'branch.main.merge', 'refs/heads/main'],
  ];
  return commands.every((args) => spawnSync('git', args, { cwd: project, env, stdio: 'ignore' }).status === 0);
}

/** Runs the CLI; without an answer the tour fails. */
function policy(args, cwd, env, input = '') {
  const { stdout, stderr, status } = spawnSync(process.execPath, [command, ...args], { cwd, env, input, encoding: 'utf8' });
  // A coding agent must not start others; whoever takes the tour inside of one sees why.
  const isRefused = status === 3 && stderr.includes('this one runs inside');
  if (status === null || (status > 2 && !isRefused)) {
    console.error(`The CLI did not answer:\n${stderr}`);
    process.exitCode = 1;
  }
  return { stdout, stderr, status };
}

/** Prints a command line, the wanted lines of its output, and its exit code. */
function shown({ stdout, stderr, status }, line, wanted = () => true) {
  console.log(`   $ ${line}\n`);
  const lines = `${stdout}${stdout === '' || stdout.endsWith('\n') ? '' : '\n'}${stderr}`.trimEnd().split('\n').filter(wanted);
  console.log(lines.map((text) => (text === '' ? '' : `   ${text}`)).join('\n'));
  console.log(`   exit code ${status}`);
}

function title(text) {
  console.log(`\n\n${text}\n${'='.repeat(text.length)}`);
}

function say(...lines) {
  console.log(`\n${lines.join('\n')}\n`);
}

function quoted(argument) {
  return /^[\w./-]+$/.test(argument) ? argument : `"${argument}"`;
}
