// Records that no seal covers: those since the last one are normal, older ones are not.
import { appendFileSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type Audited, auditedProject, claims } from './audited.js';

const A_DAY = 86_400_000;

/** Another record of this log, as if it was written so long after (or before) its first one. */
function write({ home }: Audited, later: number): void {
  const folder = join(home, '.local/state/policy/log');
  const [name = ''] = readdirSync(folder).filter((one) => one.endsWith('.jsonl'));
  const [line = ''] = readFileSync(join(folder, name), 'utf8').split('\n');
  const time = new Date(Date.parse((JSON.parse(line) as { time: string }).time) + later).toISOString();
  const text = `${line.replace(/"time":"[^"]*"/, `"time":"${time}"`)}\n`;
  appendFileSync(join(folder, `decisions-${time.slice(0, 10)}.jsonl`), text, { mode: 0o600 });
}

const said = (report: Awaited<ReturnType<Audited['audit']>>) => {
  const control = report.controls.find(({ id }) => id === 'AS-10');
  const ids = control?.claims.find(({ id }) => id === 'sealed')?.evidence ?? [];
  return (control?.evidence ?? []).filter(({ id }) => ids.includes(id)).map(({ shows }) => shows);
};

const cases: readonly (readonly [
  what: string,
  written: readonly number[],
  later: number,
  verdict: 'met' | 'unmet',
  shows: RegExp,
])[] = [
  ['nothing since the seal', [], 0, 'met', /^One record is sealed, the newest checkpoint is from \S+Z\.$/],
  ['records since the seal', [3_600_000, 3_700_000], 4_000_000, 'met', /^One record is sealed, .* Not sealed yet: 2\.$/],
  ['a record that was written while another hook sealed', [-1_000], 0, 'met', /Not sealed yet: 1\.$/],
  [
    'a record of an earlier day that a seal passed over',
    [-A_DAY],
    0,
    'unmet',
    /^One record is not sealed, .* before the newest checkpoint\.$/,
  ],
  [
    'a record of the same day from before the seal',
    [-120_000],
    0,
    'unmet',
    /^One record is not sealed, .* before the newest checkpoint\.$/,
  ],
  ['no seal for two days', [3_600_000, 3_700_000], 2 * A_DAY, 'unmet', /^2 records are not sealed; .* more than a day ago\.$/],
];
for (const [what, written, later, verdict, shows] of cases)
  test(`${what}: ${verdict}`, async () => {
    const project = auditedProject();
    for (const one of written) write(project, one);
    const report = await project.audit({ probes: false, checklists: ['agent-security'], now: () => Date.now() + later });
    assert.ok(claims(report, 'AS-10', verdict).includes('sealed'));
    assert.ok(
      said(report).some((one) => shows.test(one)),
      said(report).join('\n'),
    );
  });

test('the missing seal turns the status of the control', async () => {
  const project = auditedProject();
  write(project, -A_DAY);
  const report = await project.audit({ checklists: ['agent-security'] });
  assert.is(report.controls.find(({ id }) => id === 'AS-10')?.status, 'partial');
});

for (const [time, what] of [
  ['"never"', 'no time'],
  ['"2026-02-30T99:00:00.000Z"', 'a time of no day'],
  ['{}', 'a table'],
  ['"2099-01-01T00:00:00.000Z"', 'a time to come'],
] as const)
  test(`an unsealed line with ${what} in the place of its time`, async () => {
    const project = auditedProject();
    write(project, 1_000);
    const folder = join(project.home, '.local/state/policy/log');
    const [name = ''] = readdirSync(folder).filter((one) => one.endsWith('.jsonl'));
    const [line = ''] = readFileSync(join(folder, name), 'utf8').split('\n');
    appendFileSync(join(folder, name), `${line.replace(/"time":"[^"]*"/, `"time":${time}`)}\n`);
    const report = await project.audit({ probes: false, checklists: ['agent-security'] });
    assert.ok(claims(report, 'AS-10', 'unmet').includes('sealed'));
    assert.match(said(report).join('\n'), /One unsealed line has no time, or a future time/);
  });

test.run();
