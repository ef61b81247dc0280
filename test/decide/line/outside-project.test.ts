/** A rule of the project ends at its edge, also behind a `cd` of the line: what runs there does what it finds there. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { PermissionRule } from '../../../src/rule/pattern/permission-rule.js';
import { decideIn, type World } from '../world.js';

const PROJECT: World = {
  preset: 'safe',
  allow: ['Bash(npm run *)', 'Bash(make)', 'Bash(frob *)', 'Bash(cat *)'],
  links: { '/link/repo': '/repo' },
  missing: ['nowhere'],
};

const rows: readonly (readonly ['allow' | 'ask', string, string])[] = [
  ['ask', 'cd /elsewhere && npm run build', 'a script that nobody of the project wrote'],
  ['ask', 'cd /elsewhere; npm run build', 'it may well get there'],
  ['ask', 'cd ../other && make', 'an exact rule says nothing of the place, either'],
  ['ask', 'cd .. && frob x', 'nothing is known of the program'],
  ['ask', 'cd && frob x', 'the home folder'],
  ['ask', '(cd ../other && npm run build)', 'in a shell of its own'],
  ['ask', 'cd src && cd ../.. && make', 'by way of a folder of the project'],
  ['ask', 'cd nowhere; cd ..; make', 'the first may fail'],
  ['ask', `${'cd src; '.repeat(40)}make`, 'who enters that many folders may be anywhere'],
  ['allow', `cd src; ${'make; '.repeat(40)}make`, 'that many commands in one folder'],
  ['ask', 'cd ../other && timeout 9 npm run build', 'behind a wrapper'],
  ['ask', 'cd vendor/x && make', 'the code of others'],
  ['ask', 'cd vendor/x; make', 'the code of others'],
  ['ask', '(cd node_modules/x && npm run build)', 'the code of others'],
  ['allow', 'cd vendored && make', 'only a name that begins so'],
  ['allow', 'cd src && npm run build', 'in a folder of the project'],
  ['allow', 'cd src; make; cd ..; make', 'there and back'],
  ['allow', 'cd src && cd .. && make', 'there and back'],
  ['allow', 'cd /repo && npm run build', 'written out'],
  ['allow', 'cd /link/repo && npm run build', 'by a link to it'],
  ['allow', 'cd /link/repo; npm run build', 'by a link to it'],
  ['allow', 'cd "$(git rev-parse --show-toplevel)" && npm run build', 'as git calls it'],
  ['allow', 'npm run build; cd /elsewhere', 'before it leaves'],
  ['allow', 'cd /elsewhere && cat a.txt', 'its words say what it reads'],
];
for (const [expected, line, why] of rows)
  test(`${expected}: ${line} (${why})`, () => {
    const decision = decideIn(PROJECT, 'Bash', line);
    assert.is(decision.decision, expected, decision.message);
  });

for (const [expected, line] of [
  ['ask', 'cmake -S ../x -B build'],
  ['ask', 'cmake -B ../x'],
  ['ask', 'cmake ../x'],
  ['ask', 'cmake --build ../x'],
  ['ask', 'cmake --build build -- -f /tmp/x'],
  ['ask', 'cmake -DCMAKE_TOOLCHAIN_FILE=/tmp/x -B build'],
  ['ask', 'cmake -DCMAKE_PROJECT_INCLUDE=../x -B build'],
  ['ask', 'make -C ../x'],
  ['allow', 'cmake --build build'],
  ['allow', 'cmake -S . -B build -G Ninja'],
  ['allow', 'cmake --build build -- -j4'],
  ['allow', 'cmake -B build -DCMAKE_BUILD_TYPE=Debug'],
  ['allow', 'make test'],
] as const)
  test(`${expected}: ${line} (by a rule of the project with nothing but a star)`, () => {
    const decision = decideIn({ preset: 'safe', allow: ['Bash(cmake *)', 'Bash(make *)'] }, 'Bash', line);
    assert.is(decision.decision, expected, decision.message);
  });

test('the question says where it would run', () => {
  const { message } = decideIn(PROJECT, 'Bash', 'cd /elsewhere && make');
  assert.match(message, 'make would run in /elsewhere, outside the project /repo');
});

test('whoever wrote a rule for all projects, or one to run unseen, meant every folder', () => {
  const rule = (layer: PermissionRule['layer']): PermissionRule => ({
    effect: 'allow',
    tool: 'Bash',
    pattern: 'npm run *',
    text: 'Bash(npm run *)',
    layer,
    source: { file: 'policy.yaml', line: 1, column: 1 },
  });
  const answer = (world: World) => decideIn(world, 'Bash', 'cd /elsewhere && npm run build').decision;
  assert.is(answer({ preset: 'safe', policy: { rules: [rule('user')] } }), 'allow');
  assert.is(answer({ preset: 'safe', policy: { rules: [rule('local')] } }), 'ask');
  assert.is(answer({ allow: ['Bash(*)'] }), 'allow');
});

/** Rules that name paths: they mean those of the project, whoever wrote them. */
const NAMING = [
  'rm -rf dist',
  'cat notes.txt',
  'cat src/*',
  './build.sh',
  'frob run.js',
  'frob dist',
  'npm test',
  'rm -rf ../old',
  'bash deploy.sh',
  'pushd *',
];
const named: readonly (readonly ['allow' | 'ask', string, string])[] = [
  ['allow', 'rm -rf dist', 'that of the project'],
  ['allow', 'cd /repo && rm -rf dist', 'that of the project'],
  ['allow', 'cd packages/a && rm -rf dist', 'in a folder of the project'],
  ['allow', 'cd packages/a && npm test', 'in a folder of the project'],
  ['ask', 'cd ~ && rm -rf dist', 'in the home folder'],
  ['ask', 'cd && rm -rf dist', 'in the home folder'],
  ['ask', '(cd /elsewhere; rm -rf dist)', 'it may well get there'],
  ['ask', 'cd .. && rm -rf dist', 'above the project'],
  ['ask', 'cd "$X" && rm -rf dist', 'nobody knows where'],
  ['ask', 'pushd /elsewhere; rm -rf dist', 'not followed'],
  ['ask', 'pushd /elsewhere; npm test', 'not followed'],
  ['ask', 'cd out && rm -rf dist', 'by a link that leads out of the project'],
  ['ask', 'cd /elsewhere && cat notes.txt', 'another file of that name'],
  ['ask', 'cd /elsewhere && cat src/a.txt', 'another folder of that name'],
  ['allow', 'cd packages && cat src/a.txt', 'in a folder of the project'],
  ['ask', 'cd /elsewhere && ./build.sh', 'another script'],
  ['ask', 'cd /elsewhere && frob run.js', 'another script'],
  ['ask', 'cd /elsewhere && bash deploy.sh', 'another script'],
  ['allow', 'bash deploy.sh', 'that of the project'],
  ['allow', 'cd packages && bash deploy.sh', 'in a folder of the project'],
  ['allow', 'cd packages && ./build.sh', 'in a folder of the project'],
  ['allow', 'rm -rf ../old', 'as the rule says'],
  ['ask', 'cd ~/x && rm -rf ../old', 'another one'],
  ['ask', 'cd packages/.. && cd ../.. && rm -rf dist', 'by way of the project'],
  ['ask', 'env -C /elsewhere rm -rf dist', 'a wrapper that changes the folder'],
  ['ask', 'find /elsewhere -execdir rm -rf dist \\;', 'in each folder that it finds'],
];
for (const layer of ['project', 'user', 'cli'] as const)
  for (const [expected, line, why] of named)
    test(`${expected} by rules of the ${layer} layer: ${line} (${why})`, () => {
      const rules = NAMING.map((pattern) => ({
        effect: 'allow' as const,
        tool: 'Bash',
        pattern,
        text: `Bash(${pattern})`,
        layer,
        source: { file: 'policy.yaml', line: 1, column: 1 },
      }));
      const world: World = {
        preset: 'safe',
        policy: { rules },
        links: { '/repo/out': '/elsewhere', '/repo/out/dist': '/elsewhere/dist' },
      };
      const decision = decideIn(world, 'Bash', line);
      assert.is(decision.decision, expected, decision.message);
    });

test('a call that is made outside the project: rules that name paths do not hold there', () => {
  const rule = (pattern: string): PermissionRule => ({
    effect: 'allow',
    tool: 'Bash',
    pattern,
    text: `Bash(${pattern})`,
    layer: 'user',
    source: { file: 'policy.yaml', line: 1, column: 1 },
  });
  const world: World = {
    preset: 'safe',
    policy: { rules: [rule('rm -rf dist'), rule('npm test')] },
    facts: { elsewhere: true },
  };
  const answer = (line: string, cwd: string) => decideIn(world, 'Bash', line, { cwd }).decision;
  assert.is(answer('rm -rf dist', '/elsewhere'), 'ask');
  assert.is(answer('npm test', '/elsewhere'), 'allow');
});

test.run();
