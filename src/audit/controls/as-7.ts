/** AS-7, commands that cannot be limited: what do agents run in, where they may change things, and who reviewed the dangerous tools? */
import type { RunnerId } from '../../call/tool-call.js';
import { readText } from '../../disk/read.js';
import { readSetting } from '../../disk/setting.js';
import type { InstallPlaces } from '../../install/target.js';
import type { Runner, SandboxSetting } from '../../runner/runner.js';
import { isCalendarDay } from '../calendar-day.js';
import { checkCommand } from '../check-command.js';
import type { Control } from '../control.js';
import { excerptOf, placeIn, shownFile } from '../digest.js';
import { isOnPath } from '../doctor/client.js';
import { switchFile } from '../doctor/switch-file.js';
import { type EvidenceDraft, type Examined, judged, notApplicable } from '../examined.js';
import { sandboxOpenings } from '../isolation/openings.js';
import { NAMES, seenIsolation } from '../isolation/signs.js';
import type { PermissionAnswer, PermissionRow } from '../permissions/table.js';
import { type AuditedRunner, type AuditSubject, forEachRunner, placeOfSetting, settingEvidence } from '../subject.js';

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
  if (writer === undefined) {
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
      ...allowedChange(id, writer, subject),
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
  const agent = row.agents?.[0]?.name ?? null;
  if (call === undefined) return [];
  const { tool, input, label } = call;
  return [
    {
      kind: 'decision',
      supports: false,
      shows: `Allowed without a question: ${label}.`,
      agent,
      tool,
      input,
      expected: 'ask or deny',
      actual: answer.decision,
      message: answer.why,
      command: checkCommand(runner, { tool, input, ...(agent !== null && { agent }) }),
    },
  ];
}

/** The first file that says something about the runner's sandbox decides; null where it is off, or nothing is said. */
function sandboxOf({ places, project }: AuditSubject, { runner }: AuditedRunner): EvidenceDraft | null {
  for (const one of runner.sandboxes ?? []) {
    const file = switchFile(runner, one, places);
    const value = readSetting(file, one.format, one.key);
    if (value === undefined) continue;
    const isOn = one.on.some((on) => on === value);
    if (isOn && one.onlyOff === true) continue;
    const place = placeIn(project, shownFile(project, file), lineNaming(file, one.key.at(-1) ?? ''));
    if (place === null || !isOn) return null;
    const open = whyVoid(runner, one, places);
    const shows = excerptOf(`The settings of ${runner.id} switch its sandbox on${open === null ? '' : `, but ${open}`}.`);
    const excerpt = excerptOf(`${one.key.join('.')}: ${String(value)}`);
    return { kind: 'file', supports: open === null, shows, place, excerpt };
  }
  return null;
}

/** Why commands run outside of a sandbox that is on; null when nothing is known of that. */
function whyVoid(runner: Runner, one: SandboxSetting, places: InstallPlaces): string | null {
  const [opening] = sandboxOpenings(runner, places);
  if (opening !== undefined) return opening.says;
  const { needs } = one;
  if (needs === undefined || needs.platform !== process.platform) return null;
  // The runner refuses to start where its sandbox is missing.
  if (said(runner, needs.unless, places)[0] === true) return null;
  const missing = needs.programs.find((name) => !isOnPath(name, places));
  return missing === undefined ? null : `${missing} is not on PATH: without it, commands run outside of any sandbox`;
}

/** What its files say of a setting, the one that counts most first. */
function said(runner: Runner, key: readonly string[], places: InstallPlaces): readonly unknown[] {
  return (runner.sandboxes ?? [])
    .map((one) => readSetting(switchFile(runner, one, places), one.format, key))
    .filter((value) => value !== undefined);
}

function lineNaming(file: string, key: string): number {
  const read = readText(file);
  const at = read.ok ? read.text.split('\n').findIndex((line) => line.includes(key)) : -1;
  return Math.max(1, at + 1);
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
