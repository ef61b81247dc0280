/** AS-7, commands that cannot be limited: what do agents run in, where they may change things, and who reviewed the dangerous tools? */
import type { RunnerId } from '../../call/tool-call.js';
import { isCalendarDay } from '../calendar-day.js';
import { checkCommand } from '../check-command.js';
import type { Control } from '../control.js';
import { excerptOf, placeIn, shownFile } from '../digest.js';
import { type EvidenceDraft, type Examined, judged, notApplicable } from '../examined.js';
import { ownSandbox } from '../isolation/own-sandbox.js';
import { NAMES, seenIsolation } from '../isolation/signs.js';
import { answering } from '../permissions/answer.js';
import type { PermissionAnswer, PermissionCall, PermissionRow, PermissionRuleAt } from '../permissions/table.js';
import {
  type AuditedRunner,
  type AuditSubject,
  decidedForEach,
  forEachRunner,
  placeOfSetting,
  settingEvidence,
} from '../subject.js';

export const as7: Control = {
  id: 'AS-7',
  async examine(subject) {
    return [
      ...(await forEachRunner(subject, 'isolated', (one) => isolated(subject, one))),
      ...(await forEachRunner(subject, 'isolation-seen', (one) => isolationSeen(subject, one))),
      { claim: 'reviewed', runner: null, found: reviewed(subject) },
    ];
  },
};

/** Classes of calls that leave something changed, or run what nobody has read. */
const CHANGES: ReadonlySet<string> = new Set([
  ...['write-repository', 'write-outside', 'execute', 'publish', 'destroy', 'change-limits'],
]);

/** Where somebody may change things without a question: what the policy declares, or a sandbox that the runner's settings switch on. */
function isolated(subject: AuditSubject, one: AuditedRunner): Examined {
  const { id } = one.runner;
  const { permissions, workspace } = subject;
  const writer = permissions.rows.filter(({ runner }) => runner === id).flatMap(writing)[0];
  const code = ownCode(subject, one);
  if (writer === undefined && code === null) {
    const unjudged = permissions.unjudged.filter(({ runner }) => runner === id).length;
    if (unjudged === 0) return notApplicable('Nobody may change anything or run code without a question.');
    return { verdict: 'unproven', why: `${unjudged} agents with permissions of their own were not asked about.`, evidence: [] };
  }
  const { isolation } = workspace.policy;
  const declared = isolation === null || isolation === 'none' ? null : isolation;
  const sandbox = declared === null ? sandboxOf(subject, one) : null;
  if (declared !== null) {
    const shows = `The policy declares that agents run in a ${declared === 'vm' ? 'virtual machine' : 'container'}.`;
    return judged([settingEvidence(subject, { key: 'isolation', value: declared, supports: true, shows })], '');
  }
  if (sandbox?.supports === true) return judged([sandbox], '');
  const value = isolation ?? 'not declared';
  const shows = isolation === null ? 'No isolation is declared.' : 'The policy declares that there is no isolation.';
  return judged(
    [
      settingEvidence(subject, { key: 'isolation', value, supports: false, shows }),
      ...(sandbox === null ? [] : [sandbox]),
      ...(code !== null ? codeEvidence(subject, one, code) : writer !== undefined ? allowedChange(id, writer, subject) : []),
    ],
    '',
  );
}

interface Writer {
  readonly row: PermissionRow;
  readonly answer: PermissionAnswer;
}

function writing(row: PermissionRow): readonly Writer[] {
  return row.cells
    .filter((cell) => CHANGES.has(cell.class) && cell.allowed > 0)
    .flatMap(({ answers }) => answers.filter(({ decision }) => decision === 'allow').map((answer) => ({ row, answer })));
}

/** A call that is allowed, so that it matters what it is made in. */
function allowedChange(runner: RunnerId, { row, answer }: Writer, { permissions }: AuditSubject): readonly EvidenceDraft[] {
  const call = permissions.calls.find((one) => one.id === answer.call && one.runner === runner);
  if (call === undefined) return [];
  const shows = `Allowed without a question: ${call.label}.`;
  return [allowedCall(runner, { ...call, agent: row.agents?.[0]?.name ?? null, shows, answer })];
}

interface AllowedCall extends Pick<PermissionCall, 'tool' | 'input'> {
  readonly agent: string | null;
  readonly shows: string;
  readonly answer: PermissionAnswer;
}

function allowedCall(runner: RunnerId, { tool, input, agent, shows, answer }: AllowedCall): EvidenceDraft {
  return {
    kind: 'decision',
    supports: false,
    shows,
    agent,
    tool,
    input,
    expected: 'ask or deny',
    actual: answer.decision,
    message: answer.why,
    command: checkCommand(runner, { tool, input, ...(agent !== null && { agent }) }),
  };
}

/** Lines that run files of a project: what these do, whoever may edit them says. */
const RUNS_PROJECT = [
  ...['npm test', 'npm run build', 'pnpm test', 'yarn test', 'make', 'make test', 'pytest', 'python3 -m pytest', 'cargo test'],
  ...[
    'go test ./...',
    './gradlew test',
    'mvn test',
    'bundle exec rake',
    'composer test',
    'bash scripts/build.sh',
    './scripts/build.sh',
  ],
  ...['node scripts/build.js', 'python3 scripts/build.py'],
];

/** Somebody who may run files of the project without a question, and may edit them so, where `edit` is there: that is any code. */
interface OwnCode {
  readonly row: PermissionRow;
  readonly edit: PermissionAnswer | undefined;
  readonly command: string;
  readonly run: PermissionAnswer;
}

/** Who may do both is found before who may only run them; null where nobody may. */
function ownCode(subject: AuditSubject, { runner }: AuditedRunner): OwnCode | null {
  const rows = subject.permissions.rows.filter((one) => one.runner === runner.id);
  const callers = rows.map(({ agents }) => agents?.[0]?.name ?? null);
  const tool = runner.sampleTools.shell;
  let found: OwnCode | null = null;
  for (const command of RUNS_PROJECT) {
    const decisions = decidedForEach(subject, runner.id, { tool, input: { command } }, callers);
    for (const [at, row] of rows.entries()) {
      const decision = decisions[at];
      if (decision?.decision !== 'allow') continue;
      const edits = row.cells.filter((cell) => cell.class === 'write-repository').flatMap(({ answers }) => answers);
      const one = { row, edit: edits.find(isAllowed), command, run: answering()(command, decision) };
      if (one.edit !== undefined) return one;
      found ??= one;
    }
  }
  return found;
}

/** The two rules, then the two decisions. */
function codeEvidence(subject: AuditSubject, { runner }: AuditedRunner, code: OwnCode): readonly EvidenceDraft[] {
  const { row, edit, command, run } = code;
  const shows =
    edit === undefined
      ? `This runs what files of the project say: ${command}.`
      : `With the edit that is allowed, too, this runs any code of an agent: ${command}.`;
  const call = { tool: runner.sampleTools.shell, input: { command }, agent: row.agents?.[0]?.name ?? null, shows, answer: run };
  return [
    ...[edit, run].flatMap((answer) => ruleEvidence(answer?.rules[0], subject.project)),
    ...(edit === undefined ? [] : allowedChange(runner.id, { row, answer: edit }, subject)),
    allowedCall(runner.id, call),
  ];
}

function isAllowed({ decision }: PermissionAnswer): boolean {
  return decision === 'allow';
}

/** A rule that a person can change; those of presets and built-in ones stand in no file of theirs. */
function ruleEvidence(rule: PermissionRuleAt | undefined, project: string): readonly EvidenceDraft[] {
  const place = rule === undefined || rule.layer === 'preset' ? null : placeIn(project, rule.file, rule.line);
  if (rule === undefined || place === null) return [];
  return [
    {
      kind: 'file',
      supports: false,
      shows: 'This allows edits of the project, or runs of its files, without a question.',
      place,
      excerpt: rule.text,
    },
  ];
}

/** What the settings say of the runner's own sandbox; null where it is off, or nothing is said. */
function sandboxOf({ places, project }: AuditSubject, { runner }: AuditedRunner): EvidenceDraft | null {
  const said = ownSandbox(runner, places);
  const place = said === null ? null : placeIn(project, shownFile(project, said.file), said.line);
  if (said === null || place === null || !said.isOn) return null;
  const { open, key, value } = said;
  const shows = excerptOf(`The settings of ${runner.id} switch its sandbox on${open === null ? '' : `, but ${open}`}.`);
  return { kind: 'file', supports: open === null, shows, place, excerpt: excerptOf(`${key}: ${String(value)}`) };
}

/** A declaration alone is a claim: something on the machine has to show it, unless the runner has a sandbox of its own. */
function isolationSeen(subject: AuditSubject, one: AuditedRunner): Examined {
  const { isolation } = subject.workspace.policy;
  if (isolation === null || isolation === 'none') return notApplicable('The policy declares no isolation.');
  const seen = seenIsolation(isolation, subject.machine());
  const { runner } = one;
  if (seen.state === 'seen') {
    const shows = `This machine shows a sign of ${NAMES[isolation]}: ${seen.sign.what}.`;
    return judged([machineEvidence(true, shows, seen.sign.command)], '');
  }
  if (sandboxOf(subject, one)?.supports === true)
    return notApplicable(`${runner.id} has its own sandbox, so that nothing rests on what the policy declares.`);
  if (isolated(subject, one).verdict === 'not-applicable')
    return notApplicable('Nobody may change anything or run code without a question.');
  if (seen.state === 'untold') return { verdict: 'unproven', why: `${seen.why} ${INSTEAD}`, evidence: [] };
  return judged([machineEvidence(false, seen.why, seen.command)], '');
}

const INSTEAD = 'Switch on the sandbox of the coding agent in its settings, or audit on the machine on which the agents run.';

function machineEvidence(supports: boolean, shows: string, command: string): EvidenceDraft {
  const level = supports ? 'ok' : 'problem';
  return { kind: 'check', supports, shows, check: 'machine', runner: null, level, command, fix: null };
}

/** Who looked at the tools that the policy calls dangerous. */
function reviewed(subject: AuditSubject): Examined {
  const today = new Date(subject.now).toISOString().slice(0, 10);
  const dangerous = subject.workspace.policy.customTools.filter(({ tier }) => tier === 'dangerous');
  if (dangerous.length === 0) return notApplicable('The policy declares no dangerous tool of its own.');
  return judged(
    dangerous.map(({ name, review }): EvidenceDraft => {
      const isDay = review !== undefined && isCalendarDay(review.date);
      const isDone = isDay && review.date <= today;
      const said = review === undefined ? 'none' : `by ${review.by}, ${review.date}: ${review.reason}`;
      const wrongDay = isDay ? 'has a review of a day to come' : 'has a review of no day of the calendar';
      const why = review === undefined ? 'has no review' : isDone ? 'was reviewed' : wrongDay;
      return {
        kind: 'setting',
        supports: isDone,
        shows: excerptOf(`The dangerous tool ${name} ${why}.`),
        key: 'custom_tools.review',
        value: excerptOf(said),
        place: placeOfSetting(subject, 'custom_tools', (value) => isNamed(value, name)),
      };
    }),
    '',
  );
}

function isNamed(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && 'name' in value && value.name === name;
}
