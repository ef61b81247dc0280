/** Budget arithmetic: the vectors of seed 004, and what may never happen to a budget. */
import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { BudgetLedger } from '../../src/policy/budget.js';

type Operation =
  | readonly ['new', number]
  | readonly ['limit', string, number]
  | readonly ['consume', string, number, boolean]
  | readonly ['used', number]
  | readonly ['remaining', number]
  | readonly ['rebalance', Readonly<Record<string, number>>];

const rows: { kind: string; ops: readonly Operation[] }[] = readFileSync('test/fixtures/vectors/seed-vectors.jsonl', 'utf8')
  .split('\n')
  .filter((line) => line.startsWith('{"kind": "budget"'))
  .map((line) => JSON.parse(line));

for (const { ops } of rows) {
  test(`vector budget: ${ops.map((operation) => operation[0]).join(', ')}`, () => {
    let ledger = new BudgetLedger(0);
    for (const operation of ops) {
      if (operation[0] === 'new') ledger = new BudgetLedger(operation[1]);
      else if (operation[0] === 'limit') ledger.limit(operation[1], operation[2]);
      else if (operation[0] === 'consume') assert.is(ledger.consume(operation[1], operation[2]), operation[3]);
      else if (operation[0] === 'used') assert.is(ledger.used(), operation[1]);
      else if (operation[0] === 'remaining') assert.is(ledger.remaining(), operation[1]);
      else ledger.rebalance(operation[1]);
    }
  });
}

test('the vectors are there', () => {
  assert.is(rows.length, 4);
});

for (const amount of [-1, 0.5, Number.NaN, Number.POSITIVE_INFINITY, Number.MAX_SAFE_INTEGER + 1]) {
  test(`${amount} tokens are no amount: nothing is consumed, no limit is made of it`, () => {
    const ledger = new BudgetLedger(null);
    assert.is(ledger.consume('a', amount), false);
    assert.is(ledger.used(), 0);
    assert.throws(() => ledger.limit('a', amount), /whole number/);
    assert.throws(() => new BudgetLedger(amount), /whole number/);
  });
}

test('a limit below what was used leaves nothing, not a debt', () => {
  const ledger = new BudgetLedger(100);
  assert.ok(ledger.consume('a', 50));
  ledger.limit('a', 10);
  assert.is(ledger.remaining('a'), 0);
  assert.is(ledger.consume('a', 1), false);
});

test('agents called like members of every object have no budget of their own', () => {
  const ledger = new BudgetLedger(10, JSON.parse('{"__proto__": 5}'));
  assert.is(ledger.remaining('__proto__'), 5);
  assert.is(ledger.remaining('constructor'), 10);
  assert.is(ledger.used('toString'), 0);
});

test('property: never more is consumed than the total and each limit hold', () => {
  const agent = fc.constantFrom('a', 'b', 'c');
  fc.assert(
    fc.property(
      fc.nat(1000),
      fc.dictionary(agent, fc.nat(500)),
      fc.array(fc.tuple(agent, fc.nat(400))),
      (total, limits, calls) => {
        const ledger = new BudgetLedger(total, limits);
        for (const [name, tokens] of calls) {
          const before = ledger.used();
          const taken = ledger.consume(name, tokens);
          assert.is(ledger.used() - before, taken ? tokens : 0);
        }
        assert.ok(ledger.used() <= total);
        assert.is(ledger.used() + ledger.remaining(), total);
        for (const [name, limit] of Object.entries(limits)) assert.ok(ledger.used(name) <= limit);
      },
    ),
  );
});

test.run();
