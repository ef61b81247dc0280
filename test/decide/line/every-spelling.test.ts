/** Rules that ask or deny mean a command in every spelling that its grammar knows. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn } from '../world.js';

type Row = readonly [rule: string, meets: readonly string[], others: readonly string[]];

const ROWS: readonly Row[] = [
  [
    'rm -r *',
    [
      'rm -r b',
      'rm -R b',
      'rm --recursive b',
      'rm -Rf b',
      'rm -fr b',
      'rm b -r',
      'rm --rec b',
      'rm --recurs -f b',
      'rm -- b; rm -vR c',
    ],
    ['rm b', 'rm -f b', 'rm -i b'],
  ],
  ['rm --recursive *', ['rm -r b', 'rm -Rf b'], ['rm -f b']],
  ['chmod -R *', ['chmod --recursive 755 b', 'chmod -vR 755 b', 'chmod 755 b -R'], ['chmod 755 b', 'chmod -v 755 R']],
  [
    'git commit --no-verify *',
    ['git commit -n -m x', 'git commit -nm x', 'git commit --no-veri -m x', 'git commit -m x -n', 'git -C . commit -n -m x'],
    ['git commit -m x', 'git commit -m -n', 'git commit --verbose -m x'],
  ],
  ['git commit --amend*', ['git commit --amend', 'git commit --am -m x', 'git commit -m x --amend'], ['git commit -m amend']],
  [
    'git push -f *',
    ['git push --force', 'git push origin x --force'],
    ['git push', 'git push --follow-tags', 'git push --force-with-lease'],
  ],
  ['git push *--force*', ['git push -f', 'git push origin -f x'], ['git push origin x']],
  [
    'git branch -D *',
    ['git branch -d -f x', 'git branch --delete --force x', 'git branch -df x'],
    ['git branch -d x', 'git branch -f x'],
  ],
  [
    'npm i -g *',
    ['npm install -g x', 'npm i --global x', 'npm add x -g', 'npm --global install x'],
    ['npm install x', 'npm i x'],
  ],
  ['npm test *', ['npm t', 'npm tst x', 'npm -s t'], ['npm run test', 'npm ls']],
  ['npm install', ['npm i', 'npm add'], ['npm i x', 'npm install x', 'npm ci']],
  [
    'curl -X DELETE *',
    ['curl --request DELETE http://x', 'curl --request=DELETE http://x', 'curl -XDELETE http://x'],
    ['curl -X GET http://x', 'curl http://x'],
  ],
  [
    'docker rm *',
    ['docker container rm x', 'docker container rm -f x', 'docker container remove x'],
    ['docker rmi x', 'docker ps', 'docker image rm x'],
  ],
  ['docker rmi *', ['docker image rm x'], ['docker rm x']],
  ['pip install *', ['pip3 install x', 'pip --quiet install x', 'python3 -m pip install x'], ['pip list', 'pip3 uninstall x']],
  ['pytest *', ['py.test x'], ['python3 x.py']],
  ['make *', ['gmake x'], ['cmake x']],
  ['tar -x *', ['tar --extract -f a', 'tar xf a', 'tar -xf a'], ['tar -tf a', 'tar tf a']],
  // Options that share an entry of a grammar are no spellings of each other.
  ['docker ps --format *', ['docker container ls --format x'], ['docker ps -f x', 'docker ps --filter x']],
  ['npm ls --depth *', ['npm list --depth=0'], ['npm ls --omit dev']],
  // Grammars that several commands share make them no other names of each other.
  ['mix ecto.migrate *', ['mix ecto.migrate'], ['mix ecto.migrations', 'mix ecto.rollback']],
  ['gzip *', ['gzip a'], ['gunzip a']],
  ['gcc *', ['gcc a.c'], ['clang a.c']],
];

for (const [pattern, meets, others] of ROWS) {
  const decision = (line: string) => decideIn({ allow: ['Bash(*)'], deny: [`Bash(${pattern})`] }, 'Bash', line).decision;
  for (const line of meets) test(`${pattern} denies ${line}`, () => assert.is(decision(line), 'deny'));
  for (const line of others) test(`${pattern} leaves ${line}`, () => assert.is.not(decision(line), 'deny'));
}

test('the beginning of a subcommand may stand for it', () => {
  const decision = (line: string) => decideIn({ allow: ['Bash(*)'], deny: ['Bash(npm publish *)'] }, 'Bash', line).decision;
  assert.is(decision('npm publ --tag x'), 'ask');
  assert.is(decision('npm -s pub'), 'ask');
  assert.is(decision('npm frob'), 'allow');
});

test('without a grammar the form of the words tells what a rule means', () => {
  const decision = (rule: string, line: string) =>
    decideIn({ allow: ['Bash(*)'], deny: [`Bash(${rule})`] }, 'Bash', line).decision;
  for (const [rule, line, expected] of [
    ['gh pr merge --admin *', 'gh pr merge 1 --admin', 'deny'],
    ['gh pr merge *', 'gh pr -R a/b merge 1', 'ask'],
    ['gh release delete -y *', 'gh release delete v1 --yes', 'ask'],
    ['gh release delete --yes *', 'gh release delete v1 -y', 'ask'],
    ['git rm -f *', 'git rm --force a', 'ask'],
    ['git reset --hard *', 'git reset -q --hard', 'deny'],
    ['git remote add *', 'git remote -v add a b', 'deny'],
    ['shred -f *', 'shred --force a', 'ask'],
    ['terraform apply -auto-approve *', 'terraform apply --auto-approve', 'deny'],
    ['make deploy *', 'make clean A=b deploy', 'deny'],
    ['git add -A *', 'git stage -A', 'deny'],
    ['gh pr merge --admin *', 'gh pr merge 1 --auto', 'allow'],
    ['gh pr merge *', 'gh pr list', 'allow'],
    ['git rm -f *', 'git rm --cached a', 'allow'],
    ['shred -f *', 'shred -u a', 'allow'],
    ['make deploy *', 'make clean', 'allow'],
  ] as const)
    assert.is(decision(rule, line), expected, `${rule}: ${line}`);
});

test('names are folded as file systems do', () => {
  assert.is(decideIn({ allow: ['Bash(*)'], deny: ['Bash(rm -r *)'] }, 'Bash', 'RM -R b').decision, 'deny');
});

/** A policy that nobody trusts may restrict, too: its size must not keep a call waiting. */
test('thousands of patterns and options are looked through once', () => {
  const letters = (number: number) => [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  const deny = Array.from({ length: 2_000 }, (_, number) => `Bash(*${letters(number)}*)`);
  const rows: readonly (readonly [deny: readonly string[], line: string])[] = [
    [deny, 'echo "$X" $((1))'],
    [['Bash(curl -X DELETE *)'], `curl ${'-H a '.repeat(4_000)}http://h`],
    [['Bash(rm -r *)'], `foo ${'rm -f '.repeat(4_000)}`],
  ];
  for (const [rules, line] of rows) {
    const started = performance.now();
    decideIn({ allow: ['Bash(*)'], deny: rules }, 'Bash', line);
    const took = performance.now() - started;
    assert.ok(took < 5_000, `${line.slice(0, 10)}: ${Math.round(took)} ms`);
  }
});

test('an option that only the shell knows may be what a rule names', () => {
  const decided = (line: string) =>
    decideIn({ allow: ['Bash(*)'], deny: ['Bash(git push --force *)'] }, 'Bash', line).reasons.map(({ code }) => code);
  assert.ok(decided('git push origin $X').includes('rule/uncertain'));
  assert.not.ok(decided('git push origin -- "$X"').includes('rule/uncertain'));
});

/** Programs that policy does not know may run the words behind them. */
for (const [line, decision] of [
  ['mywrap git add -A', 'ask'],
  ['./notify.sh git add --all', 'ask'],
  ['./notify.sh "git add -A"', 'ask'],
  ["./notify.sh --run='git add --all'", 'ask'],
  ['mywrap -x -- git add -A .', 'ask'],
  ['mywrap git add src', 'allow'],
  ['echo git add -A', 'allow'],
  ['grep "git add -A" x', 'allow'],
] as const)
  test(`a restriction behind another program: ${line}: ${decision}`, () => {
    assert.is(decideIn({ allow: ['Bash(*)'], deny: ['Bash(git add -A*)'] }, 'Bash', line).decision, decision);
  });

test.run();
