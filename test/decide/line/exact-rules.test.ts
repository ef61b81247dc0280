/** What no rule over the words of a command writes out: where git works, and what the repository's own configuration makes it run. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { LayerName, PermissionRule } from '../../../src/rule/pattern/permission-rule.js';
import { decideIn, type World } from '../world.js';

const HAZARD: World = { git: { hazards: [{ key: 'core.fsmonitor', file: '.git/config', line: 4 }] } };
const VENDORED: World = { git: { directories: { '/repo': '/repo', '/repo/src': '/repo', '/repo/vendor/x': '/repo/vendor/x' } } };

function ruleOf(pattern: string, layer: LayerName): PermissionRule {
  const source = { file: 'policy.yaml', line: 1, column: 1 };
  return { effect: 'allow', tool: 'Bash', pattern, text: `Bash(${pattern})`, layer, source };
}

const decisionOf = (world: World, layer: LayerName, patterns: readonly string[], line: string) =>
  decideIn({ preset: 'safe', ...world, policy: { rules: patterns.map((one) => ruleOf(one, layer)) } }, 'Bash', line).decision;

const STATUS = ['git status'];

/** The word of a rule about the project's own repository. */
const CONFIGURED: readonly (readonly [layer: LayerName, answer: 'allow' | 'ask', why: string])[] = [
  ['project', 'allow', 'written or trusted where the configuration can be seen'],
  ['local', 'allow', 'what `policy allow` writes'],
  ['cli', 'allow', 'given for this call'],
  ['user', 'ask', 'written for all projects'],
  ['managed', 'ask', 'written for all projects'],
];
for (const [layer, answer, why] of CONFIGURED) {
  test(`configuration that runs programs, exact rule of layer ${layer}: ${why}`, () => {
    assert.is(decisionOf(HAZARD, layer, STATUS, 'git status'), answer);
    assert.is(decisionOf({}, layer, STATUS, 'git status'), 'allow');
    assert.is(decisionOf(HAZARD, layer, ['git status *', 'git *'], 'git status'), 'ask', 'with a wildcard never');
    assert.is(decisionOf(HAZARD, layer, ['*'], 'git status'), 'allow', 'a total rule says: run it unseen');
    assert.is(decisionOf(HAZARD, layer, ['A=b git status'], 'A=b git status'), answer);
  });
}

/** Where git works is not among the words `git status`. */
const PLACED: readonly (readonly [rules: readonly string[], line: string, answer: 'allow' | 'ask', why: string])[] = [
  [STATUS, 'git status', 'allow', 'here'],
  [STATUS, 'cd src && git status', 'allow', 'in a folder of the repository'],
  [STATUS, 'cd vendor/x && git status', 'ask', 'in a repository that lies in the project, under its own configuration'],
  [STATUS, 'cd /elsewhere && git status', 'ask', 'in another project'],
  [STATUS, 'cd "$X" && git status', 'ask', 'nobody knows where'],
  [[...STATUS, 'cd *', 'mv *'], 'mv a vendor/HEAD; git status', 'ask', 'after something that may have changed the repository'],
  [['git -C vendor/x status'], 'git -C vendor/x status', 'allow', 'the rule names the place'],
  [['git -C * status'], 'git -C vendor/x status', 'ask', 'any place is none'],
  [STATUS, 'git -C vendor/x status', 'ask', 'other words'],
];
for (const [rules, line, answer, why] of PLACED)
  test(`exact rules ${rules.join(', ')} and ${line}: ${why}`, () =>
    assert.is(decisionOf(VENDORED, 'project', rules, line), answer));

test.run();
