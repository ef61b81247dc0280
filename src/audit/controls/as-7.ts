/** AS-7, commands that cannot be limited: which isolation do agents that may change things run in, and who reviewed the dangerous tools? */
import type { RunnerId } from '../../call/tool-call.js';
import { ownSandbox } from '../isolation/own-sandbox.js';
import { NAMES, seenIsolation } from '../isolation/signs.js';
import { isCalendarDay } from '../model/calendar-day.js';
import { excerptOf, shownFile } from '../model/digest.js';
import { type EvidenceDraft, type Examined, judged, notApplicable } from '../model/examined.js';
import type { PermissionAnswer, PermissionRow } from '../model/table.js';
import { answering } from '../permissions/answer.js';
import type { Control } from '../subject/control.js';
import { checkEvidence, lineEvidence } from '../subject/evidence.js';
import {
  type AuditedRunner,
  type AuditSubject,
  decidedForEach,
  forEachRunner,
  placeOfSetting,
  settingEvidence,
} from '../subject/subject.js';
import { allowedCall } from './as-2.js';

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

/** Classes of calls that leave something changed, or run code that nobody has read. */
const CHANGES: ReadonlySet<string> = new Set([
  ...['write-repository', 'write-outside', 'execute', 'publish', 'destroy', 'change-limits'],
]);

/**
 * Examines the isolation of agents that may change things without a prompt: the one that the policy declares, or a sandbox that
 * the runner's settings enable.
 */
function isolated(subject: AuditSubject, one: AuditedRunner): Examined {
  const { id } = one.runner;
  const { permissions, workspace } = subject;
  const writer = permissions.rows.filter(({ runner }) => runner === id).flatMap(writing)[0];
  const code = ownCode(subject, one);
  if (writer === undefined && code.length === 0) {
    const unjudged = permissions.unjudged.filter(({ runner }) => runner === id).length;
    if (unjudged === 0) return notApplicable('Nobody may change anything or run code without a question.');
    return judged([], `${unjudged} agents with their own permissions were not examined.`);
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
      ...(code.length > 0 || writer === undefined ? code : allowedChange(id, writer, subject)),
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

/** Returns an allowed call, the reason why its isolation matters. */
function allowedChange(runner: RunnerId, { row, answer }: Writer, { permissions }: AuditSubject): readonly EvidenceDraft[] {
  const call = permissions.calls.find((one) => one.id === answer.call && one.runner === runner);
  if (call === undefined) return [];
  const shows = `Allowed without a question: ${call.label}.`;
  return [allowedCall(runner, { ...call, agent: row.agents?.[0]?.name ?? null }, answer, shows)];
}

/** Command lines that run files of a project: whoever may edit those files decides what the lines do. */
const RUNS_PROJECT = [
  ...['npm test', 'npm run build', 'make', 'make test', 'pytest', 'cargo test', 'go test ./...', 'mvn test', './gradlew test'],
  ...['bash scripts/build.sh', './scripts/build.sh', 'node scripts/build.js', 'python3 scripts/build.py'],
];

/**
 * Returns the rules and decisions that let somebody both run and edit files of the project, which means any code; empty if nobody
 * may do both.
 */
function ownCode(subject: AuditSubject, { runner }: AuditedRunner): readonly EvidenceDraft[] {
  const { id, sampleTools } = runner;
  const rows = subject.permissions.rows.filter((row) => row.runner === id);
  const callers = rows.map(({ agents }) => agents?.[0]?.name ?? null);
  const tool = sampleTools.shell;
  const runs = RUNS_PROJECT.flatMap((command) => {
    const decisions = decidedForEach(subject, id, { tool, input: { command } }, callers);
    return rows.flatMap((row, at) => {
      const decision = decisions[at];
      return decision?.decision === 'allow' ? [{ row, command, decision, agent: callers[at] ?? null, edit: editIn(row) }] : [];
    });
  });
  const found = runs.find(({ edit }) => edit !== undefined) ?? runs[0];
  if (found === undefined) return [];
  const { row, command, agent, edit } = found;
  const answer = answering()(command, found.decision);
  const shows = `${edit === undefined ? 'This runs project files' : 'Because edits are allowed, too, this runs any code in project files'}: ${command}.`;
  return [
    ...[edit, answer]
      .flatMap((one) => one?.rules ?? [])
      .flatMap(({ layer, file, line, text }) =>
        layer === 'preset'
          ? []
          : lineEvidence(subject.project, { file, line }, 'This allows one of the two without a question.', { excerpt: text }),
      ),
    ...(edit === undefined ? [] : allowedChange(id, { row, answer: edit }, subject)),
    allowedCall(id, { tool, input: { command }, agent }, answer, shows),
  ];
}

function editIn({ cells }: PermissionRow): PermissionAnswer | undefined {
  return cells.find((cell) => cell.class === 'write-repository')?.answers.find(({ decision }) => decision === 'allow');
}

/** Returns what the settings state about the runner's own sandbox; null if it is off or not mentioned. */
function sandboxOf({ places, project }: AuditSubject, { runner }: AuditedRunner): EvidenceDraft | null {
  const said = ownSandbox(runner, places);
  if (said === null || !said.isOn) return null;
  const { open, key, value, file, line } = said;
  const shows = excerptOf(`The settings of ${runner.id} switch on its sandbox${open === null ? '' : `, but ${open}`}.`);
  const told = { supports: open === null, excerpt: excerptOf(`${key}: ${String(value)}`) };
  return lineEvidence(project, { file: shownFile(project, file), line }, shows, told)[0] ?? null;
}

/** A declaration alone is only a claim: something on the machine has to confirm it, unless the runner has a sandbox of its own. */
function isolationSeen(subject: AuditSubject, one: AuditedRunner): Examined {
  const { isolation } = subject.workspace.policy;
  if (isolation === null || isolation === 'none') return notApplicable('The policy declares no isolation.');
  const seen = seenIsolation(isolation, subject.machine());
  const { runner } = one;
  if (seen.state === 'seen') {
    const shows = `This machine shows a sign of ${NAMES[isolation]}: ${seen.sign.what}.`;
    return judged([checkEvidence(true, shows, { check: 'machine', command: seen.sign.command })], '');
  }
  if (sandboxOf(subject, one)?.supports === true)
    return notApplicable(`${runner.id} has its own sandbox, so the policy's declaration does not matter.`);
  if (isolated(subject, one).verdict === 'not-applicable')
    return notApplicable('Nobody may change anything or run code without a question.');
  if (seen.state === 'untold') return judged([], `${seen.why} ${INSTEAD}`);
  return judged([checkEvidence(false, seen.why, { check: 'machine', command: seen.command })], '');
}

const INSTEAD = "Switch on the coding agent's sandbox in its settings, or audit on the machine where the agents run.";

/** Who reviewed the tools that the policy calls dangerous. */
function reviewed(subject: AuditSubject): Examined {
  const today = new Date(subject.now).toISOString().slice(0, 10);
  const dangerous = subject.workspace.policy.customTools.filter(({ tier }) => tier === 'dangerous');
  if (dangerous.length === 0) return notApplicable('The policy declares no dangerous tool.');
  return judged(
    dangerous.map(({ name, review }): EvidenceDraft => {
      const isDay = review !== undefined && isCalendarDay(review.date);
      const isDone = isDay && review.date <= today;
      const said = review === undefined ? 'none' : `by ${review.by}, ${review.date}: ${review.reason}`;
      const wrongDay = isDay ? 'has a review with a future date' : 'has a review with an invalid date';
      const why = review === undefined ? 'has no review' : isDone ? 'was reviewed' : wrongDay;
      const shows = excerptOf(`The dangerous tool ${name} ${why}.`);
      const place = placeOfSetting(subject, 'custom_tools', (value) => isNamed(value, name));
      return { kind: 'setting', supports: isDone, shows, key: 'custom_tools.review', value: excerptOf(said), place };
    }),
    '',
  );
}

function isNamed(value: unknown, name: string): boolean {
  return typeof value === 'object' && value !== null && 'name' in value && value.name === name;
}
