/** A rule that asks or denies means a command under all its names, and behind programs that may run it. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { data } from '../../../src/generated/data.js';
import { validateSameCommands } from '../../../src/generated/validators/same-commands.js';
import { decideIn } from '../world.js';

const decided = (rule: string, line: string) => decideIn({ allow: ['Bash(*)'], deny: [`Bash(${rule})`] }, 'Bash', line).decision;

const { same } = data('same-commands') as { readonly same: readonly string[] };

test('the file is as its schema says', () => {
  assert.ok(validateSameCommands(data('same-commands')), JSON.stringify(validateSameCommands.errors));
});

test('every name of a group is denied by a rule for every other', () => {
  for (const line of same) {
    const names = line.split(' = ');
    for (const rule of names.filter((name) => !name.endsWith(' $')))
      for (const name of names)
        for (const folder of ['', '/usr/bin/'])
          assert.is(decided(`${rule} *`, folder + name.replace(' $', '')), 'deny', `${rule}: ${folder}${name}`);
  }
});

type Row = readonly [rule: string, denied: readonly string[], others: readonly string[]];

const ROWS: readonly Row[] = [
  ['npx *', ['npm exec x', 'npm x x', 'npm exec -- x', 'npm --silent exec x'], ['npm install', 'npm run exec', 'npm view x']],
  ['npm exec cowsay *', ['npx cowsay', 'npm x cowsay a'], ['npx other', 'npm exec other']],
  [
    'docker build *',
    ['docker buildx build .', 'docker -H x image build .', 'docker builder build .'],
    ['docker buildx ls', 'docker image ls', 'docker builder prune'],
  ],
  ['docker buildx build --push *', ['docker build --push .'], ['docker build .']],
  [
    'docker compose down *',
    ['docker-compose down', 'docker-compose -f x.yml down -v', 'docker-compose --file=x down'],
    ['docker-compose up', 'docker compose ps'],
  ],
  ['docker-compose down *', ['docker compose down', 'docker compose -f x.yml down'], ['docker compose up']],
  ['docker compose down -v *', ['docker-compose down --volumes'], ['docker-compose down']],
  [
    'kubectl get secret *',
    [
      'kubectl get secrets',
      'kubectl get secret/x',
      'kubectl get secrets/x -o yaml',
      'kubectl get -o yaml secrets x',
      'kubectl get pods,secrets',
      'kubectl -n a get Secrets',
    ],
    ['kubectl get pods', 'kubectl get svc,po', 'kubectl describe secrets x'],
  ],
  [
    'kubectl delete secret/x *',
    ['kubectl delete secret x', 'kubectl delete secrets/x'],
    ['kubectl delete secret y', 'kubectl delete pod x'],
  ],
  ['kubectl delete pods *', ['kubectl delete po x', 'kubectl delete pod/x'], ['kubectl delete deploy x']],
  ['kubectl delete deployment *', ['kubectl delete deploy x', 'kubectl delete deployments.apps/x'], ['kubectl delete ds x']],
  ['gh pr create *', ['gh pr new', 'gh pr new --fill'], ['gh pr list', 'gh issue new']],
  ['gh pr checkout *', ['gh co 1'], ['gh pr view 1']],
  ['gh codespace delete *', ['gh cs rm x', 'gh codespace rm'], ['gh cs ls']],
  ['glab mr merge *', ['glab mr accept 1', 'glab merge-request accept 1'], ['glab mr ls']],
  ['yarn install *', ['yarn', 'yarn --frozen-lockfile'], ['yarn add x', 'yarn build']],
  ['git stash push *', ['git stash', 'git stash -u'], ['git stash list', 'git stash pop']],
  [
    'git push --force *',
    ['git push origin +main', 'git push -u origin +a:b', 'git -C x push origin a +b', 'git push -f'],
    ['git push origin main', 'git push origin :old', 'git push origin a:b'],
  ],
  ['git push --delete *', ['git push origin :old', 'git push -d origin old'], ['git push origin a:b', 'git push origin +a']],
  ['cargo install *', ['cargo +nightly install x', 'cargo +nightly -v install x'], ['cargo +nightly check', 'cargo check']],
  ['kill -9 *', ['kill -s KILL 3', 'kill -KILL 3', 'kill 3 -SIGKILL'], ['kill 3', 'kill -TERM 3']],
  ['node -e *', ['node -p 1', 'node --print 1', 'node -pe 1'], ['node -v', 'node x.js']],
  ['terraform destroy *', ['terraform apply -destroy', 'terraform apply -auto-approve -destroy'], ['terraform apply']],
  ['rsync --delete *', ['rsync -a --del a b', 'rsync a b --delete-after'], ['rsync -a a b']],
  ['helm dependency update *', ['helm dep up'], ['helm dep list', 'helm ls']],
];

for (const [rule, denied, others] of ROWS) {
  for (const line of denied) test(`${rule} denies ${line}`, () => assert.is.not(decided(rule, line), 'allow'));
  for (const line of others) test(`${rule} leaves ${line}`, () => assert.is(decided(rule, line), 'allow'));
}

const many = 'a b c d e f g h i j k l m n o p q r s t u v'.split(' ').join(' ');

for (const [rule, line, decision] of [
  ['rm -rf *', `wrap ${many} rm -rf x`, 'ask'],
  ['rm -rf *', `wrap ${many} rm -r --force x`, 'ask'],
  ['rm -rf *', 'wrap /bin/rm -r -f x', 'ask'],
  ['rm -rf *', 'wrap ./x/rm -fr x', 'ask'],
  ['rm -rf *', 'wrap command rm -fr x', 'ask'],
  ['rm *', `wrap ${many} /usr/bin/rm x`, 'ask'],
  ['reboot', `wrap ${many} reboot`, 'ask'],
  ['npx *', 'wrap npm exec x', 'ask'],
  ['git push *', 'python3 run.py git push', 'ask'],
  ['git push *', `python3 run.py ${many} git push origin x`, 'ask'],
  ['git push *', 'node scripts/run.js -- git push', 'ask'],
  ['git push *', './run.sh git push', 'ask'],
  ['git push *', 'bash run.sh git push', 'ask'],
  ['git push *', `wrap ${'git pull '.repeat(60)}git push`, 'ask'],
  ['git push *', `wrap ${'git pull '.repeat(60)}`, 'ask'],
  ['rm -rf *', `wrap ${many} rm x`, 'allow'],
  ['git push *', `wrap ${many} git pull`, 'allow'],
  ['git push *', 'python3 run.py git pull', 'allow'],
  ['git push *', 'python3 run.py push', 'allow'],
  ['git push *', `echo ${many} git push`, 'allow'],
  ['git push *', 'git log --grep "git push"', 'allow'],
] as const)
  test(`${rule}: ${line.slice(0, 70)}: ${decision}`, () => assert.is(decided(rule, line), decision));

test('four hundred words and three thousand rules are looked through in time', () => {
  const word = (number: number) => [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('');
  const names = Array.from({ length: 3_000 }, (_, at) => word(at));
  const kinds = names.slice(0, 398).map((name) => `pod/${name}`);
  for (const [rules, line] of [
    [names.map((name) => `Bash(*${name}*)`), `wrap ${names.slice(0, 400).join(' ')}`],
    [names.map((name) => `Bash(*${name}*)`), `kubectl get ${kinds.join(' ')}`],
    [names.map((name) => `Bash(*${name}*)`), `wrap ${'npm exec '.repeat(200)}`],
    [names.map((name) => `Bash(rm -r ${name})`), `wrap ${'rm -f '.repeat(200)}`],
  ] as const) {
    const started = performance.now();
    decideIn({ allow: ['Bash(*)'], deny: rules }, 'Bash', line);
    const took = performance.now() - started;
    assert.ok(took < 5_000, `${line.slice(0, 16)}: ${Math.round(took)} ms`);
  }
});

test.run();
