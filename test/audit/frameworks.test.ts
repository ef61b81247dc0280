// The published lists of risks: their ids and titles as published, and what an audit says of their items.
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { controlResult } from '../../src/audit/controls/score.js';
import { FRAMEWORKS, framework, frameworkCoverage } from '../../src/audit/model/frameworks.js';
import type { ControlResult } from '../../src/audit/model/report.js';
import { ratingOf } from '../../src/audit/model/risk.js';
import { CHECKLISTS, checklist } from '../../src/audit/subject/checklist.js';
import { validateRiskFramework } from '../../src/generated/validators/risk-framework.js';

const entries = CHECKLISTS.flatMap((id) => checklist(id).controls);

test('each follows its schema, and names only controls that there are', () => {
  const known = new Set(entries.map(({ id }) => id));
  for (const name of FRAMEWORKS) {
    const read = framework(name);
    assert.ok(validateRiskFramework(read), `${name}: ${JSON.stringify(validateRiskFramework.errors)}`);
    assert.is(read.id, name);
    assert.is(new Set(read.items.map(({ id }) => id)).size, read.items.length, name);
    for (const { id, controls } of read.items) for (const control of controls) assert.ok(known.has(control), `${id}: ${control}`);
  }
});

test('each control is about an item of at least two lists', () => {
  for (const { id } of entries) {
    const about = FRAMEWORKS.filter((name) => framework(name).items.some(({ controls }) => controls.includes(id)));
    assert.ok(about.length >= 2, `${id}: ${about.join(', ')}`);
  }
});

test('the lists that end at ten are whole, in their own order', () => {
  for (const [name, prefix, suffix] of [
    ['owasp-agentic-2026', 'ASI', ''],
    ['owasp-llm-2025', 'LLM', ':2025'],
    ['owasp-mcp-2025', 'MCP', ':2025'],
  ] as const)
    assert.equal(
      framework(name).items.map(({ id }) => id),
      Array.from({ length: 10 }, (_, at) => `${prefix}${String(at + 1).padStart(2, '0')}${suffix}`),
    );
});

test('titles that others get wrong are as published', () => {
  const titles = new Map(FRAMEWORKS.flatMap((name) => framework(name).items.map(({ id, title }) => [id, title])));
  assert.is(titles.get('ASI01'), 'Agent Goal Hijack');
  assert.is(titles.get('ASI08'), 'Cascading Failures');
  assert.is(titles.get('ASI09'), 'Human-Agent Trust Exploitation');
  assert.is(titles.get('ASI10'), 'Rogue Agents');
  assert.is(titles.get('MCP06:2025'), 'Intent Flow Subversion');
  assert.is(titles.get('LLM06:2025'), 'Excessive Agency');
  assert.is(titles.get('CWE-636'), "Not Failing Securely ('Failing Open')");
});

/** The control as if a probe had come out so. */
function withProbe(id: string, blocked: boolean): ControlResult {
  const entry = entries.find((one) => one.id === id);
  if (entry === undefined) throw new Error(id);
  const probe = {
    kind: 'probe',
    supports: blocked,
    shows: 's.',
    runner: 'claude-code',
    probe: 'p',
    place: { file: 'f', line: 1, digest: `sha256:${'0'.repeat(64)}` },
    command: 'c',
    payload: '{}',
    expected: 'blocked',
    outcome: blocked ? 'blocked' : 'allowed',
    why: 'w',
    exitCode: 0,
    signal: null,
    timedOut: false,
    stdout: '',
    stderr: '',
    milliseconds: 1,
  } as const;
  const found = { verdict: blocked ? 'met' : 'unmet', evidence: [probe] } as const;
  return controlResult(
    entry,
    entry.claims.map(({ id: claim }) => ({ claim, runner: null, found })),
  );
}

/** The coverage of an item. */
function coverage(item: string, controls: readonly ControlResult[]): string | undefined {
  return frameworkCoverage(controls)
    .flatMap(({ items }) => items)
    .find(({ id }) => id === item)?.coverage;
}

test('an item is covered when each control about it is in force, and not assessed without one', () => {
  const failsClosed = [withProbe('RM-2', true), withProbe('AS-5', true)];
  assert.is(coverage('CWE-636', failsClosed), 'covered');
  assert.is(coverage('CWE-636', [withProbe('RM-2', true), withProbe('AS-5', false)]), 'partly covered');
  assert.is(coverage('CWE-636', [withProbe('RM-2', false), withProbe('AS-5', false)]), 'not covered');
  assert.is(coverage('ASI07', failsClosed), 'not assessed');
  assert.is(coverage('CWE-798', failsClosed), 'not assessed');
  const idle = failsClosed.map((one) => ({ ...one, notInForce: 'Nothing asks it.' }));
  assert.is(coverage('CWE-636', idle), 'not covered');
});

test('a risk grows with what was shown not to hold', () => {
  const claims = withProbe('RM-4', false).claims;
  const rated = (status: ControlResult['status'], notInForce: string | null = null) =>
    ratingOf(5, { status, notInForce, claims: status === 'implemented' ? withProbe('RM-4', true).claims : claims, evidence: [] });
  assert.equal(rated('implemented'), { likelihood: 1, impact: 5, score: 5, band: 'medium', confidence: 'high' });
  assert.is(rated('implemented', 'Nothing asks it.').band, 'critical');
  assert.is(rated('partial').score, 20);
  assert.is(rated('missing').score, 25);
  assert.equal(rated('pending'), { likelihood: 3, impact: 5, score: 15, band: 'high', confidence: 'low' });
});

test.run();
