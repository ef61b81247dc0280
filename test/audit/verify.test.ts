// A report that was written once, verified after something was changed: what does not hold any more is named, and nothing else.
import { spawnSync } from 'node:child_process';
import { cpSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { preToolUse } from '../../src/audit/claude-code/payload.js';
import type { AuditReport, ControlResult } from '../../src/audit/model/report.js';
import { contradictionsOf } from '../../src/audit/verify/contradictions.js';
import { readReport } from '../../src/audit/verify/read-report.js';
import type { Verification } from '../../src/audit/verify/verification.js';
import { validateAuditVerification } from '../../src/generated/validators/audit-verification.js';
import { verificationAsText } from '../../src/report/audit/verification.js';
import { policy } from '../cli/spawned.js';
import { auditedProject, newSealedState, POLICY, REVIEWER, SETTINGS, settingsWith, tamper } from './audited.js';

const project = auditedProject();
const { home, write, configure, client } = project;
const AGENT = '.claude/agents/code-reviewer.md';
const installed = readFileSync(join(project.project, SETTINGS), 'utf8');
const state = join(home, '.local/state/policy');

/** As it comes out of a file. */
const asRead = (report: AuditReport): AuditReport => JSON.parse(JSON.stringify(report));
/** What hooks enforce, and what is written down; the second starts none. */
const enforced = asRead(await project.audit({ checklists: ['risk-mitigation'] }));
const written = asRead(await project.audit({ checklists: ['agent-security'], probes: false }));

/** What is decided, and no hook asked. */
const open = asRead(await project.audit({ checklists: ['risk-mitigation'], probes: false }));

/** Everything that does not hold: `control: state: what`. */
function broken({ controls, changes }: Verification): readonly string[] {
  return [
    ...changes,
    ...controls.flatMap(({ id, claims }) =>
      claims.flatMap(({ evidence, added }) => [
        ...evidence.filter(({ state: one }) => one !== 'holds').map(({ state: one, what }) => `${id}: ${one}: ${what}`),
        ...added.filter(({ supports }) => !supports).map(({ shows }) => `${id}: new: ${shows}`),
      ]),
    ),
  ];
}

async function verified(report: AuditReport): Promise<Verification> {
  assert.equal(contradictionsOf(report), []);
  const verification = await project.verify(report);
  assert.ok(validateAuditVerification(verification), JSON.stringify(validateAuditVerification.errors));
  return verification;
}

for (const [what, report] of [
  ['what hooks enforce', enforced],
  ['what is written down', written],
] as const)
  test(`an unchanged project: ${what} holds`, async () => {
    const verification = await verified(report);
    assert.equal(broken(verification), []);
    assert.is(verification.holds, true);
    assert.is(verification.counts.holds, report.controls.flatMap(({ evidence }) => evidence).length);
    assert.match(verificationAsText(verification), /^Everything holds: all \d+ pieces of evidence are as the report says\.$/m);
  });

test('a log that went on, and was sealed again, is still the log of the report', async () => {
  const env = { PATH: process.env.PATH ?? '', HOME: home };
  const input = preToolUse({ tool: 'Bash', input: { command: 'git log' }, toolUseId: 't2' }, project.project);
  assert.is(spawnSync('sh', ['-c', project.command], { cwd: project.project, env, input }).status, 0);
  const sealed = policy(['log', 'seal', '--yes'], { cwd: project.project, env });
  assert.is(sealed.status, 0, sealed.stderr);
  for (const report of [written, open]) {
    const verification = await verified(report);
    assert.equal(broken(verification), []);
    assert.is(verification.holds, true, verification.sentence);
  }
});

test('the section on the log is computed again from the records that it had', async () => {
  const report = asRead(await project.audit({ checklists: ['risk-mitigation'], probes: false }));
  const log = report.decisionLog;
  if (log === null) throw new Error('the log holds a record');
  const env = { PATH: process.env.PATH ?? '', HOME: home };
  const input = preToolUse({ tool: 'Bash', input: { command: 'git log -1' }, toolUseId: 't3' }, project.project);
  assert.is(spawnSync('sh', ['-c', project.command], { cwd: project.project, env, input }).status, 0);
  const later = await verified(report);
  assert.equal(broken(later), []);
  assert.ok(later.notCompared.some((part) => /candidates to allow/.test(part)));
  const forged = { ...report, decisionLog: { ...log, decisions: { ...log.decisions, deny: 41 }, records: log.records + 41 } };
  assert.equal(broken(await verified(forged)), [
    `The decision log up to ${log.last} gives different values for: records, decisions (${log.records} records; the report says ${log.records + 41}).`,
  ]);
});

interface Row {
  readonly what: string;
  readonly report: AuditReport;
  readonly change: () => void;
  readonly undo: () => void;
  /** Each is among what does not hold any more. */
  readonly says: readonly RegExp[];
  /** The status of these controls, before and after. */
  readonly statuses?: Readonly<Record<string, readonly [was: string, now: string]>>;
}

const putBack = (folder: string) => {
  rmSync(state, { recursive: true });
  cpSync(folder, state, { recursive: true });
};
const kept = join(home, 'kept');

const rows: readonly Row[] = [
  {
    what: 'an edited file',
    report: written,
    change: () => write(AGENT, `${REVIEWER}\nBe brief.\n`),
    undo: () => write(AGENT, REVIEWER),
    says: [/^AS-2: changed: Searched files have changed: \.claude\/agents\/code-reviewer\.md was edited\.$/],
  },
  {
    what: 'the list of an agent removed',
    report: open,
    change: () => write(AGENT, REVIEWER.replace(/tools: .*\n/, '')),
    undo: () => write(AGENT, REVIEWER),
    says: [
      /^RM-4: changed: \.claude\/agents\/code-reviewer\.md:\d+ says now: Agent code-reviewer has no list of tools and inherits all\.$/,
      /^RM-4: gone: The audit no longer finds it: Bash for agent code-reviewer: deny\.$/,
    ],
  },
  {
    what: 'the list of an agent with one tool more',
    report: open,
    change: () => write(AGENT, REVIEWER.replace('Glob', 'Glob, Bash')),
    undo: () => write(AGENT, REVIEWER),
    says: [/^RM-4: changed: Another call is checked now: policy check .*--agent 'code-reviewer' .* Write$/],
  },
  {
    what: 'another version of the coding agent',
    report: written,
    change: () => client('2.1.401'),
    undo: () => client('2.1.400'),
    says: [/^claude-code is version 2\.1\.401 now; it was 2\.1\.400\.$/],
  },
  {
    what: 'what a check says where nothing is wrong',
    report: {
      ...written,
      controls: written.controls.map((control) => ({
        ...control,
        evidence: control.evidence.map((piece) =>
          piece.kind === 'check' && piece.check === 'installed' ? { ...piece, shows: 'Everything is fine.' } : piece,
        ),
      })),
    },
    change: () => {},
    undo: () => {},
    says: [/^AS-4: changed: It shows something else now: A policy hook checks the calls of claude-code/],
  },
  {
    what: 'a rule of the policy removed',
    report: enforced,
    change: () => configure(POLICY.replace('preset: safe\n', '')),
    undo: () => configure(POLICY),
    says: [
      /^The policy \/.*\/policy\.yaml was edited: its digest is sha256:[0-9a-f]{64}\.$/,
      /^RM-4: changed: The hook's answer is asked now; it was allowed: /,
    ],
  },
  {
    what: 'a changed policy that decides as before',
    report: written,
    change: () => configure(POLICY.replace('2000', '3000')),
    undo: () => configure(POLICY),
    says: [/^The policy \/.* was edited: /, /^AS-9: changed: budget\.calls is 3000 now; it was 2000\.$/],
  },
  {
    what: 'the hook disabled',
    report: enforced,
    change: () => write(SETTINGS, '{}\n'),
    undo: () => write(SETTINGS, installed),
    says: [
      /^claude-code has 0 known hooks before every call now; it had 1\.$/,
      /^RM-4: gone: The audit no longer finds it: This hook is ours\.$/,
      /^RM-4: new: The runner's settings have no policy hook in force\.$/,
      /^RM-2: gone: /,
    ],
    statuses: { 'RM-2': ['implemented', 'pending'], 'RM-4': ['implemented', 'partial'] },
  },
  {
    what: 'the hook replaced',
    report: enforced,
    change: () => write(SETTINGS, settingsWith('touch STARTED')),
    undo: () => write(SETTINGS, installed),
    says: [/^RM-4: changed: \.claude\/settings\.local\.json:\d+ says now: This hook does not count: it is not ours/],
    statuses: { 'RM-4': ['implemented', 'partial'] },
  },
  {
    what: 'a sealed record that was changed',
    report: written,
    change: () => tamper(project),
    undo: () => putBack(kept),
    says: [/^AS-10: changed: .*The check says problem now; it was ok: /],
    statuses: { 'AS-10': ['partial', 'partial'] },
  },
  {
    what: 'another log in the place of the one that was sealed',
    report: written,
    change: () => putBack(newSealedState()),
    undo: () => putBack(kept),
    says: [/^AS-10: changed: /],
  },
];

for (const { what, report, change, undo, says, statuses } of rows)
  test(`${what}: named`, async () => {
    rmSync(kept, { recursive: true, force: true });
    cpSync(state, kept, { recursive: true });
    change();
    try {
      const verification = await verified(report);
      const said = broken(verification);
      assert.is(verification.holds, false);
      assert.match(verification.sentence, /^DOES NOT HOLD: /);
      for (const one of says)
        assert.ok(
          said.some((line) => one.test(line)),
          `${one}\n${said.join('\n')}`,
        );
      for (const [id, [was, now]] of Object.entries(statuses ?? {}))
        assert.equal(verification.controls.find((one) => one.id === id)?.status, { was, now });
    } finally {
      undo();
    }
  });

test('a file among many that is searched and not listed: named as such', async () => {
  const names = Array.from({ length: 60 }, (_, index) => `.claude/agents/agent-${String(index).padStart(2, '0')}.md`);
  const definition = (file: string) => REVIEWER.replace('code-reviewer', file.slice('.claude/agents/'.length, -'.md'.length));
  for (const file of names) write(file, definition(file));
  try {
    const report = asRead(await project.audit({ checklists: ['agent-security'], probes: false }));
    const listed = new Set(
      report.controls.flatMap(({ evidence }) =>
        evidence.flatMap((one) => (one.kind === 'scan' ? one.files.map(({ file }) => file) : [])),
      ),
    );
    const hidden = names.find((file) => !listed.has(file)) ?? '';
    write(hidden, `${definition(hidden)}More.\n`);
    assert.ok(broken(await verified(report)).includes('AS-2: changed: A searched file that is not listed has changed.'));
  } finally {
    for (const file of names) rmSync(join(project.project, file), { force: true });
  }
});

test('after all of it was undone, everything holds again', async () => {
  assert.equal(broken(await verified(written)), []);
});

test('without probes, what they showed is not repeated: it does not hold, and is not called gone', async () => {
  const verification = await project.verify(enforced, { probes: false });
  assert.is(verification.holds, false);
  assert.is(verification.counts.gone, 0);
  assert.ok(verification.counts['not-repeated'] > 10);
});

/** The report with one control changed. */
function withControl(report: AuditReport, id: string, change: (control: ControlResult) => ControlResult): AuditReport {
  return { ...report, controls: report.controls.map((one) => (one.id === id ? change(one) : one)) };
}

const forged: readonly (readonly [what: string, report: AuditReport, says: RegExp])[] = [
  [
    'a status raised without evidence of enforcement',
    withControl(open, 'RM-4', (one) => ({ ...one, status: 'implemented', mitigationLevel: 'High', action: 'None' })),
    /says of RM-4 status "implemented"; its claims and evidence give "partial"/,
  ],
  [
    'evidence taken out, and its id with it',
    withControl(enforced, 'RM-4', (one) => ({ ...one, evidence: one.evidence.filter(({ kind }) => kind !== 'probe') })),
    /lacks evidence that it names for RM-4\/denies/,
  ],
  [
    'a verdict that its evidence refutes',
    withControl(enforced, 'RM-4', (one) => ({
      ...one,
      evidence: one.evidence.map((piece, index) => (index === 0 ? { ...piece, supports: false } : piece)),
    })),
    /says that RM-4\/lock is met; its evidence says otherwise/,
  ],
  [
    'a claim left out',
    withControl(open, 'RM-4', (one) => ({ ...one, claims: one.claims.filter(({ verdict }) => verdict !== 'unproven') })),
    /says of RM-4 claims that does not follow from its claims and evidence/,
  ],
  [
    'a claim twice',
    withControl(open, 'RM-4', (one) => ({ ...one, claims: [...one.claims, ...one.claims] })),
    /has a claim of RM-4 twice/,
  ],
  ['a control left out', { ...open, controls: open.controls.slice(1) }, /does not have the controls RM-1, RM-2/],
  ['a confirmed whole', { ...open, confirmed: true }, /says of the whole confirmed true; its controls give false/],
  ['a finding left out', { ...open, findings: [] }, /says of the whole findings that does not follow from its controls/],
  [
    'a lighter weight',
    withControl(open, 'RM-4', (one) => ({ ...one, weight: 1 })),
    /says of RM-4 weight 1; its claims and evidence give 7\.5/,
  ],
  [
    'a gap with a lower severity',
    withControl(open, 'RM-2', (one) => ({
      ...one,
      claims: one.claims.map((claim) => ({ ...claim, severity: 'info' as const })),
    })),
    /says of RM-2 claims that does not follow/,
  ],
  [
    'something that is not in force and nothing that could be',
    withControl(open, 'RM-2', (one) => ({ ...one, notInForce: 'x' })),
    /says that RM-2 is not in force, but has no claim that could be in force/,
  ],
  [
    'an unknown checklist',
    { ...open, checklists: [{ id: 'iso', title: 'x' }] },
    /names a checklist that this version does not have/,
  ],
  [
    'an unknown coding agent',
    { ...open, meta: { ...open.meta, runners: [{ id: 'x', version: null, hooks: 0 }] } },
    /names a coding agent that this version does not know/,
  ],
];
for (const [what, report, says] of forged)
  test(`forged: ${what}`, () => {
    assert.match(contradictionsOf(report).join('\n'), says);
  });

test('a report without hooks in force is as it should be', async () => {
  write(SETTINGS, '{}\n');
  try {
    assert.equal(contradictionsOf(asRead(await project.audit({ checklists: ['risk-mitigation'] }))), []);
  } finally {
    write(SETTINGS, installed);
  }
});

const unreadable: readonly (readonly [what: string, text: string, why: RegExp])[] = [
  ['no JSON', 'x', /^is not JSON/],
  ['something else', '{"version":1}', /^is not a report of policy audit$/],
  ['another format', JSON.stringify({ ...open, version: 2 }), /^has format version 2; this program reads 1$/],
  [
    'a member too many',
    JSON.stringify({ ...open, x: 1 }),
    /^is not a report that policy audit writes: it must NOT have additional/,
  ],
  ['evidence of no kind', JSON.stringify(open).replace('"kind":"setting"', '"kind":"trust me"'), /^is not a report that/],
  [
    'depth',
    JSON.stringify(open).replace('"score":{', `"score":{"x":${'['.repeat(5_000)}${']'.repeat(5_000)},`),
    /^is nested deeper/,
  ],
];
for (const [what, text, why] of unreadable)
  test(`no report: ${what}`, () => {
    const read = readReport(text);
    assert.match(read.ok ? '' : read.why, why);
  });

test('a report of many megabytes that is none is refused at its first mistake', () => {
  const flood = `${'{"kind":"file"},'.repeat(1_000_000)}{}`;
  const text = JSON.stringify(open).replace('"evidence":[', `"evidence":[${flood},`);
  const started = performance.now();
  const read = readReport(text);
  assert.match(read.ok ? '' : read.why, /^is not a report that policy audit writes: \/controls\/0\//);
  assert.ok(performance.now() - started < 10_000);
});

test('a text of a report is printed, not obeyed', async () => {
  const evil = withControl(enforced, 'RM-4', (one) => ({
    ...one,
    evidence: one.evidence.map((piece) =>
      piece.kind === 'decision' ? { ...piece, shows: '\u001b[2Jx\nEverything holds: all' } : piece,
    ),
  }));
  const text = verificationAsText(await project.verify(evil));
  assert.not.match(text, /\u001b|^Everything holds/m);
});

test('commands and paths of a report are not used', async () => {
  const evil = withControl(enforced, 'RM-4', (one) => ({
    ...one,
    evidence: one.evidence.map((piece) => {
      if (piece.kind === 'decision') return { ...piece, command: 'touch STARTED' };
      return piece.kind === 'probe' ? { ...piece, command: 'touch STARTED', payload: 'touch STARTED' } : piece;
    }),
  }));
  const verification = await project.verify(evil);
  assert.is(verification.holds, false);
  assert.ok(broken(verification).some((line) => /^RM-4: changed: Another command line is installed: /.test(line)));
  assert.throws(() => readFileSync(join(project.project, 'STARTED')), /ENOENT/);
});

test.run();
