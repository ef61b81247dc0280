/** Snapshots of the hook: when one counts, and that none of what changes or is done to it changes an answer. */
import { chmodSync, existsSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type HookWorld, payload, settle, verdictOf, withHookWorld } from './world.js';

const SAFE = 'version: 1\npreset: safe\n';
const USER_POLICY = '.config/policy/policy.yaml';
const GIT_STATUS = { command: 'git status' };

test('the second call takes the snapshot of the first', () => {
  withHookWorld({ [USER_POLICY]: SAFE }, (world) => {
    settle(world);
    for (const _ of [1, 2, 3]) assert.is(verdictOf(world.run(payload(world, 'Bash', GIT_STATUS))), 'allow');
    assert.is(world.compiled, 1);
    const [file = ''] = readdirSync(join(world.state, 'snapshots'));
    assert.is(statSync(join(world.state, 'snapshots', file)).mode & 0o777, 0o600);
  });
});

/** What changes under a snapshot, and what the same call gets then. */
const CHANGES: readonly (readonly [name: string, change: (world: HookWorld) => void, verdict: string])[] = [
  ['the policy changes', (world) => world.write(USER_POLICY, 'version: 1\ndeny: ["Bash(git *)"]\n'), 'deny'],
  ['another candidate appears', (world) => world.write('.config/policy/policy.json', '{"version":1,"deny":["Bash"]}'), 'deny'],
  ['a project policy appears', (world) => world.write('project/policy.yaml', 'version: 1\ndeny: ["Bash(git *)"]\n'), 'deny'],
  [
    'a local policy appears',
    (world) => world.write('project/policy.local.toml', 'version = 1\ndeny = ["Bash(git *)"]\n'),
    'deny',
  ],
];

for (const [name, change, verdict] of CHANGES) {
  test(`a snapshot does not count any more when ${name}`, () => {
    withHookWorld({ [USER_POLICY]: SAFE }, (world) => {
      settle(world);
      assert.is(verdictOf(world.run(payload(world, 'Bash', GIT_STATUS))), 'allow');
      change(world);
      assert.is(verdictOf(world.run(payload(world, 'Bash', GIT_STATUS))), verdict);
      assert.is(world.compiled, 2);
    });
  });
}

test('a subagent whose definition changes is judged by the new one', () => {
  const agent = (tools: string) => `---\nname: helper\ndescription: Helps.\ntools: ${tools}\n---\nHelp.\n`;
  withHookWorld({ [USER_POLICY]: SAFE, 'project/.claude/agents/helper.md': agent('Bash') }, (world) => {
    settle(world);
    const text = payload(world, 'Bash', GIT_STATUS, { agent_id: 'a1', agent_type: 'helper' });
    assert.is(verdictOf(world.run(text)), 'allow');
    world.write('project/.claude/agents/helper.md', agent('Read'));
    assert.is(verdictOf(world.run(text)), 'deny');
  });
});

/** What may be done to a snapshot; none of it may change an answer. */
const DAMAGE: readonly (readonly [name: string, damage: (file: string) => void])[] = [
  ['cut off', (file) => writeFileSync(file, readFileSync(file, 'utf8').slice(0, 500))],
  ['empty', (file) => writeFileSync(file, '')],
  ['no object', (file) => writeFileSync(file, '7')],
  ['null', (file) => writeFileSync(file, 'null')],
  [
    'JSON, and yet no snapshot',
    (file) => writeFileSync(file, readFileSync(file, 'utf8').replace(/"sources":\[/, '"sources":7,"x":[')),
  ],
  [
    'a snapshot without a policy',
    (file) => writeFileSync(file, readFileSync(file, 'utf8').replace(/"data":\{/, '"data":{},"x":{')),
  ],
  ['of another build', (file) => writeFileSync(file, readFileSync(file, 'utf8').replace(/"build":"[^"]*"/, '"build":"other"'))],
  ['writable for others', (file) => chmodSync(file, 0o666)],
];

for (const [name, damage] of DAMAGE) {
  test(`a snapshot that is ${name} is made anew`, () => {
    withHookWorld({ [USER_POLICY]: SAFE }, (world) => {
      settle(world);
      world.run(payload(world, 'Bash', GIT_STATUS));
      const folder = join(world.state, 'snapshots');
      const [file = ''] = readdirSync(folder);
      damage(join(folder, file));
      assert.is(verdictOf(world.run(payload(world, 'Bash', GIT_STATUS))), 'allow');
      assert.is(world.compiled, 2);
    });
  });
}

test('a policy that was written a moment ago gets no snapshot: it may change again within the same tick', () => {
  withHookWorld({ [USER_POLICY]: SAFE }, (world) => {
    settle(world);
    world.write(USER_POLICY, SAFE);
    const { ctimeMs } = statSync(join(world.home, USER_POLICY));
    const snapshots = (after: number) => {
      world.run(payload(world, 'Bash', GIT_STATUS), { now: () => ctimeMs + after });
      const folder = join(world.state, 'snapshots');
      return existsSync(folder) ? readdirSync(folder).length : 0;
    };
    assert.is(snapshots(50), 0);
    settle(world);
    assert.is(snapshots(60_000), 1, 'it has rested');
  });
});

test('a git command of the person does not make the snapshot stale', () => {
  withHookWorld({ [USER_POLICY]: SAFE }, (world) => {
    settle(world);
    world.run(payload(world, 'Bash', GIT_STATUS));
    world.write('project/.git/index.lock', '');
    rmSync(join(world.project, '.git', 'index.lock'));
    world.run(payload(world, 'Bash', GIT_STATUS));
    assert.is(world.compiled, 1);
  });
});

test.run();
