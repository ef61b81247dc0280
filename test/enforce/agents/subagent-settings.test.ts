/** What switches subagents off: the policy, a variable, Codex' configuration, in this order. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { subagentSettings } from '../../../src/definitions/subagent-settings.js';
import { scratch } from '../../cli/spawned.js';

const POLICY = { file: 'policy.yaml', line: 3, column: 1 };

interface Row {
  readonly why: string;
  readonly toml?: string;
  readonly environment?: Readonly<Record<string, string>>;
  readonly policy?: typeof POLICY;
  /** What `off` ends with; null: on. */
  readonly off: string | null;
  readonly model?: string;
  readonly discovery?: 'manual';
  readonly problem?: RegExp;
}

const rows: readonly Row[] = [
  { why: 'nothing is said: on (R158 as design.md has it)', off: null },
  { why: 'the configuration switches off (R161)', toml: '[subagents]\nenabled = false\n', off: 'config.toml:2' },
  {
    why: 'a variable overrides it, on (R033)',
    toml: '[subagents]\nenabled = false\n',
    environment: { CODEX_SUBAGENTS_ENABLED: 'TRUE' },
    off: null,
  },
  {
    why: 'a variable overrides it, off (R033)',
    toml: '[subagents]\nenabled = true\n',
    environment: { CODEX_SUBAGENTS_ENABLED: '0' },
    off: 'CODEX_SUBAGENTS_ENABLED',
  },
  {
    why: 'our own variable comes first',
    environment: { POLICY_SUBAGENTS_ENABLED: 'no', CODEX_SUBAGENTS_ENABLED: '1' },
    off: 'POLICY_SUBAGENTS_ENABLED',
  },
  {
    why: 'an unknown value is ignored and said (R032)',
    environment: { CODEX_SUBAGENTS_ENABLED: '2' },
    off: null,
    problem: /CODEX_SUBAGENTS_ENABLED is "2"/,
  },
  {
    why: 'nothing switches on what the policy switches off',
    environment: { POLICY_SUBAGENTS_ENABLED: '1' },
    toml: '[subagents]\nenabled = true\n',
    policy: POLICY,
    off: 'policy.yaml:3',
  },
  {
    why: 'model and discovery (R159, R160)',
    toml: '[subagents]\ndefault_model = "gpt-5"\ndiscovery = "manual"\n',
    off: null,
    model: 'gpt-5',
    discovery: 'manual',
  },
  { why: 'an empty model is none', toml: '[subagents]\ndefault_model = " "\n', off: null },
  {
    why: 'a switch that is a text is no switch',
    toml: '[subagents]\nenabled = "false"\n',
    off: null,
    problem: /config\.toml:2: subagents\.enabled has to be true or false/,
  },
  {
    why: 'a model that is a number',
    toml: '[subagents]\ndefault_model = 5\n',
    off: null,
    problem: /default_model has to be text/,
  },
  {
    why: 'a word that discovery does not know',
    toml: '[subagents]\ndiscovery = "maybe"\n',
    off: null,
    problem: /auto or manual/,
  },
  { why: 'what is no TOML says so', toml: '[subagents\n', off: null, problem: /\[subagents\] are not known/ },
  { why: 'what is no table', toml: 'subagents = 1\n', off: null },
];

for (const { why, toml, environment = {}, policy = null, off, model = null, discovery = 'auto', problem } of rows)
  test(why, () => {
    const home = scratch({});
    if (toml !== undefined) {
      mkdirSync(join(home, '.codex'));
      writeFileSync(join(home, '.codex', 'config.toml'), toml);
    }
    const settings = subagentSettings(home, environment, policy);
    assert.is(off === null ? settings.off : settings.off?.endsWith(off), off === null ? null : true, settings.off ?? 'on');
    assert.equal([settings.defaultModel, settings.discovery], [model, discovery]);
    if (problem === undefined) assert.equal(settings.problems, []);
    else assert.match(settings.problems.join('\n'), problem);
  });

test.run();
