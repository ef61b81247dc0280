/** The `eval` rows of the seed vectors: rule sets of agent-code, judged as a policy with a default mode. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type EvalRow, seedRows } from './vectors.js';
import { decideIn } from './world.js';

const text = (tool: string, pattern: string | null) => (pattern === null ? tool : `${tool}(${pattern})`);

/** Rows that expect ask because the original merely refuses a construct: never allow is what matters. */
const merelyRefused = (row: EvalRow) =>
  row.expect === 'ask' && row.rules.some((rule) => rule.action === 'allow') && row.tool === 'Bash';

for (const [index, row] of seedRows<EvalRow>('eval').entries()) {
  const rules = row.rules.map((rule) => `${rule.action} ${text(rule.tool, rule.pattern)}`).join(', ');
  test(`eval ${index + 1}: [${rules}] default ${row.default_mode}: ${row.tool} ${JSON.stringify(row.input)} → ${row.expect}`, () => {
    const of = (action: string) =>
      row.rules.filter((rule) => rule.action === action).map((rule) => text(rule.tool, rule.pattern));
    const world = { allow: of('allow'), ask: of('ask'), deny: of('deny'), policy: { default: row.default_mode } };
    const { decision } = decideIn(world, row.tool, row.input);
    if (merelyRefused(row)) assert.is.not(decision, 'allow');
    else assert.is(decision, row.expect);
  });
}

test.run();
