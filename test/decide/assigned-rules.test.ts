// Variables before a command and written allow rules: one that makes programs run others is covered only where the rule writes it out.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn } from './world.js';

const ROWS: readonly (readonly [rule: string, line: string, expect: 'allow' | 'ask'])[] = [
  ['git diff', 'git diff', 'allow'],
  ['git diff', 'GIT_EXTERNAL_DIFF=/tmp/evil git diff', 'ask'],
  ['git diff', 'env GIT_EXTERNAL_DIFF=/tmp/evil git diff', 'ask'],
  ['git log', 'PAGER=evil git log', 'ask'],
  ['npm test', 'NODE_OPTIONS=--require=/tmp/evil.js npm test', 'ask'],
  ['npm test', 'npm_config_script_shell=./evil npm test', 'ask'],
  ['npm test', 'CI=1 npm test', 'allow'],
  ['npm test', 'FOO=1 npm test', 'allow'],
  ['PYTHONPATH=src pytest', 'PYTHONPATH=src pytest', 'allow'],
  ['PYTHONPATH=src pytest', 'PYTHONPATH=/tmp/evil pytest', 'ask'],
  ['PYTHONPATH=src pytest', 'PYTHONPATH=src pytest -p evil', 'ask'],
  ['PYTHONPATH=src tool *', 'PYTHONPATH=src tool a b', 'allow'],
  ['PYTHONPATH=src tool *', 'PYTHONPATH=src PYTHONPATH=/tmp/evil tool a', 'ask'],
  ['PYTHONPATH=src tool *', 'PYTHONPATH=src LESSOPEN=evil tool a', 'ask'],
  ['PYTHONPATH=src *', 'PYTHONPATH=src LESSOPEN=evil tool a', 'ask'],
  ['PYTHONPATH=* tool', 'PYTHONPATH=/tmp/evil tool', 'ask'],
  ['* tool', 'PYTHONPATH=/tmp/evil tool', 'ask'],
  ['PYTHONPATH=src tool', 'PYTHONPATH=$x tool', 'ask'],
  ['PYTHONPATH=src tool', 'PYTHONPATH+=src tool', 'ask'],
  ["'A=b c' tool", "A='b c' tool", 'allow'],
];

for (const [rule, line, expect] of ROWS)
  test(`Bash(${rule}): ${line} is ${expect}`, () => {
    assert.is(decideIn({ allow: [`Bash(${rule})`] }, 'Bash', line).decision, expect);
  });

test.run();
