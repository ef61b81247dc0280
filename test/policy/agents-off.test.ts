/** `agents.enabled: false`: no call starts a subagent; a layer that nobody trusts may switch off, and never on. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { compose, layer } from './composing.js';

const OFF = 'agents: {enabled: false}';
const ON = 'agents: {enabled: true}';

/** The layers, and where subagents are switched off; null: nowhere. */
const rows: readonly (readonly [why: string, layers: readonly Parameters<typeof layer>[], off: string | null])[] = [
  ['nothing is said', [], null],
  ['switched on', [['project', ON]], null],
  ['switched off', [['project', OFF]], 'project.yaml'],
  ['a stranger may switch off', [['project?', OFF]], 'project.yaml'],
  [
    'a stranger may not switch on',
    [
      ['user', OFF],
      ['project?', ON],
    ],
    'user.yaml',
  ],
  [
    'managed binds',
    [
      ['managed', OFF],
      ['user', ON],
    ],
    'managed.yaml',
  ],
  [
    'a trusted project may switch on what the user switched off',
    [
      ['user', OFF],
      ['project', ON],
    ],
    null,
  ],
  [
    'but not once it is locked',
    [
      ['user', `${OFF}\nsecurity: {disable_bypass_permissions: true}`],
      ['project', ON],
    ],
    'user.yaml',
  ],
];

for (const [why, layers, off] of rows)
  test(why, () => {
    const policy = compose(...layers.map(([name, yaml]) => layer(name, yaml)));
    assert.is(policy.agents.off?.file ?? null, off);
    const rules = policy.rules.map(({ effect, text, source }) => `${effect} ${text} ${source.file}`);
    assert.equal(rules, off === null ? [] : [`deny Agent ${off}`, `deny ResumeAgent ${off}`]);
  });

test.run();
