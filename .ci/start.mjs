// `npm start`: a tour. Installs and builds, copies the demo repository to a temporary folder, and asks the built CLI about six
// tool calls there. Leaves nothing behind.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { install, runNode } from './install.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

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

install();
runNode('.ci/build.mjs', '--dist');
const scratch = mkdtempSync(join(tmpdir(), 'policy-tour-'));
try {
  tour(join(scratch, 'desk'), join(scratch, 'home'));
} finally {
  rmSync(scratch, { recursive: true, force: true });
}

/** Asks about each call in a copy of the demo repository; ends the process with 1 when the CLI fails to answer. */
function tour(project, home) {
  cpSync(join(root, 'test', 'fixtures', 'demo-repo'), project, { recursive: true });
  mkdirSync(home);
  const environment = {
    PATH: process.env.PATH,
    HOME: home,
    TMPDIR: process.env.TMPDIR ?? tmpdir(),
    SystemRoot: process.env.SystemRoot,
  };
  say('This is `policy`, in a copy of a small web service. Its policy.yaml holds 76 rules.');
  if (!makeRepository(project, environment))
    say('(git was not found, so the copy is no repository and git commands are asked about.)');
  calls.forEach(({ say: sentence, args }, index) => {
    say(`${index + 1}. ${sentence}`);
    console.log(`   $ policy check --explain --trust-project ${args.map(quoted).join(' ')}\n`);
    const { stdout, stderr, status } = spawnSync(
      process.execPath,
      [join(root, 'bin', 'policy.js'), 'check', '--explain', '--trust-project', ...args],
      { cwd: project, env: environment, encoding: 'utf8' },
    );
    if (status === null || status > 2) {
      console.error(`The CLI did not answer:\n${stderr}`);
      process.exitCode = 1;
    }
    console.log(indented(`${stdout}${stderr}`));
    console.log(`   exit code ${status}`);
  });
  say(
    'Now try your own: run `npm link`, go to a repository, and ask `policy check --preset safe Bash "git push"`.',
    'docs/policy-file.md explains the policy file, docs/decisions.md the answers.',
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

function say(...lines) {
  console.log(`\n${lines.join('\n')}\n`);
}

function indented(text) {
  return text.trimEnd().replace(/^(?=.)/gm, '   ');
}

function quoted(argument) {
  return /^[\w./-]+$/.test(argument) ? argument : `"${argument}"`;
}
