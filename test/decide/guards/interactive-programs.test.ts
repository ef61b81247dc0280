/** Under Codex an agent may type into a running program and no hook is asked: what waits for that is denied, whatever allows it. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn } from '../world.js';

const EVERYTHING = { allow: ['Bash'] };

const waiting: readonly string[] = [
  ...[
    'sh',
    'bash',
    'bash -i',
    'bash -l',
    'zsh -s',
    'sh -',
    'bash /dev/stdin',
    'bash -o pipefail',
    'bash +O extglob',
    'bash -ic ls',
  ],
  ...[
    'python',
    'python3',
    'python3.12',
    'python3 -i x.py',
    'python3 -W ignore',
    'python -',
    'python3 -q',
    'node',
    'node -r ./x.js',
    'node -i',
  ],
  ...[
    'irb',
    'ghci',
    'php -a',
    'lua',
    'perl',
    'R',
    'sqlite3',
    'sqlite3 x.db',
    'psql',
    'psql mydb',
    'psql -h db',
    'mysql -u root',
    'redis-cli',
  ],
  ...[
    'ssh host',
    'ssh -p 22 host',
    'su',
    'sudo -i',
    'sudo -s',
    'su - bob',
    'sudo bash',
    'env sh',
    'nohup python3',
    'timeout 5 sh',
    'nice node',
  ],
  ...[
    'docker exec -it box sh',
    'kubectl exec -it pod -- bash',
    'vim x',
    'less README.md',
    'gdb ./a.out',
    'ed',
    'tmux',
    'script',
    'xargs touch',
  ],
  ...[
    'ls; sh',
    'ls && bash',
    '(sh)',
    '{ sh; }',
    'if true; then sh; fi',
    'cat | sh',
    'tee x | bash',
    "grep '' | sh",
    'sh < /dev/tty',
    '/bin/sh',
    './sh',
    'exec bash',
  ],
  ...[
    'bash "$(true)"',
    'python3 $SCRIPT',
    'source /dev/stdin',
    '. /dev/stdin',
    'FOO=1 sh',
    'sh 2>/dev/null',
    'sh & wait',
    'find . -exec sh \\;',
  ],
];

for (const command of waiting)
  test(`under codex, ${command} waits for keystrokes: denied`, () => {
    const decision = decideIn(EVERYTHING, 'Bash', { command }, { runner: 'codex' });
    assert.is(decision.decision, 'deny', JSON.stringify(decision.reasons));
  });

const told: readonly string[] = [
  ...[
    "bash -c 'ls'",
    'bash -lc ls',
    'sh x.sh',
    'bash -o pipefail x.sh',
    'bash --version',
    'python3 x.py',
    "python3 -c 'print(1)'",
    'python3 -m json.tool',
  ],
  ...[
    'node x.js',
    'node -e 1',
    'node --test',
    'perl -ne print x',
    'ruby x.rb',
    "sqlite3 x.db 'select 1'",
    "psql -c 'select 1'",
    'psql -h db -f x.sql',
  ],
  ...[
    'ssh host ls',
    'sudo ls',
    'su -c ls',
    'sudo -u bob ls',
    'docker exec box ls',
    'sh < x.sh',
    'bash <<< ls',
    'python3 - < x.py',
    'gdb -batch x',
  ],
  ...[
    'echo ls | sh',
    'cat x.sh | bash',
    "printf '1' | python3",
    'find . | xargs ls',
    'git ls-files | xargs cat',
    'cat x.sql | psql mydb',
    'xargs -a x ls',
  ],
  ...['ls', 'git status', 'npm test', 'grep -r sh src', 'cat', 'man ls', './run.sh'],
];

for (const command of told)
  test(`under codex, ${command} has all of its work`, () => {
    const { reasons } = decideIn(EVERYTHING, 'Bash', { command }, { runner: 'codex' });
    assert.not(
      reasons.some(({ code }) => code === 'keystrokes/unseen'),
      JSON.stringify(reasons),
    );
  });

test('a here-document is all that a shell reads', () => {
  const { reasons } = decideIn(EVERYTHING, 'Bash', { command: 'bash <<E\nls\nE' }, { runner: 'codex' });
  assert.not(reasons.some(({ code }) => code === 'keystrokes/unseen'));
});

for (const runner of ['claude-code', 'gemini-cli', undefined] as const)
  test(`elsewhere (${runner}) nobody can type, and a rule may allow it`, () => {
    const { decision } = decideIn(EVERYTHING, 'Bash', { command: 'python3' }, runner === undefined ? {} : { runner });
    assert.is(decision, 'allow');
  });

test('no rule and no default allows it', () => {
  const worlds = [EVERYTHING, { allow: ['Bash(sh)'] }, { preset: 'all' as const }, { policy: { default: 'allow' as const } }];
  for (const world of worlds) assert.is(decideIn(world, 'Bash', { command: 'sh' }, { runner: 'codex' }).decision, 'deny');
});

test.run();
