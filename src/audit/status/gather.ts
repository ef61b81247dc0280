/** `policy status` from start to end: the policy, the hooks, the log, the latest denials, and the next step. Only reads, starts nothing. */
import { existsSync } from 'node:fs';
import { logDirectory } from '../../log/files/directory.js';
import { LogError } from '../../log/files/log-error.js';
import { lastRecords } from '../../log/read/query.js';
import { maskText } from '../../log/record/mask-text.js';
import type { DecisionRecord, LogRecord } from '../../log/record/record.js';
import { tallyLog } from '../../log/tally.js';
import { line } from '../doctor/checks/line.js';
import { log } from '../doctor/checks/log.js';
import { matcher } from '../doctor/checks/matcher.js';
import { program } from '../doctor/checks/program.js';
import { settings } from '../doctor/checks/settings.js';
import { switches } from '../doctor/checks/switches.js';
import { trust } from '../doctor/checks/trust.js';
import type { DoctorCheck } from '../doctor/found/check.js';
import { programOnPath } from '../doctor/found/client.js';
import { type DoctorSubject, doctorSubject } from '../doctor/found/subject.js';
import { runnerStatuses } from './hooks.js';
import { nextCommand } from './next.js';
import type { StatusOptions } from './options.js';
import { policyStatus } from './policy.js';
import type { Denial, DenialStatus, Problem, Status } from './status.js';

/** The doctor checks that start nothing, and that read no more than settings and one copy of the program. */
const CHECKS: readonly DoctorCheck[] = [settings, matcher, switches, trust, line, program, log];
const MOST_DENIALS = 3;
/** At most this many bytes of the log are searched for denials. */
const MOST_BYTES = 32 * 1024 * 1024;
const LONGEST_CALL = 200;

/** Gathers everything that a person wants to know first. Something unreadable becomes a problem in it, never an error. */
export async function gatherStatus(options: StatusOptions): Promise<Status> {
  const { places, stateDirectory, now } = options;
  const subject = doctorSubject(options, (runner) => {
    const found = programOnPath(runner, places);
    return found === null ? null : { path: found.path, version: null };
  });
  const { policy, problems: policyProblems } = policyStatus(options);
  const hooks = runnerStatuses(subject);
  const { value: tally, problem: logProblem } = ofLog(stateDirectory, () => tallyLog(stateDirectory, now));
  const { value: denials } = ofLog(stateDirectory, () => lastDenials(stateDirectory, places.project));
  const problems = [...policyProblems, ...(await hookProblems(subject)), ...(logProblem === null ? [] : [logProblem])];
  const found = { policy, hooks, log: tally, denials: denials ?? { last: [], whole: false }, problems: problems.map(masked) };
  return { version: 1, project: places.project, program: options.program, ...found, next: nextCommand(found, now) };
}

/** Returns the problems that the checks found. */
async function hookProblems(subject: DoctorSubject): Promise<readonly Problem[]> {
  const results = await Promise.all(CHECKS.map(({ examine }) => examine(subject)));
  return results
    .flat()
    .filter(({ level }) => level === 'problem')
    .map(({ runner, message, fix }) => ({ runner, message, fix: fix ?? 'policy doctor' }));
}

function ofLog<Value>(stateDirectory: string, read: () => Value): { value: Value | null; problem: Problem | null } {
  try {
    return { value: read(), problem: null };
  } catch (error) {
    if (!(error instanceof LogError)) throw error;
    const fix = existsSync(logDirectory(stateDirectory)) ? 'policy log verify' : 'policy doctor';
    return { value: null, problem: { runner: null, message: error.message, fix } };
  }
}

/** Denials of calls that an agent made. In observe mode, includes calls that would have been denied. */
function lastDenials(stateDirectory: string, project: string): DenialStatus {
  const filter = { kind: 'decision', decision: 'deny', project, withoutTrials: true } as const;
  const { records, whole } = lastRecords(stateDirectory, filter, MOST_DENIALS, MOST_BYTES);
  return { last: records.filter(isDecision).map(denialOf), whole };
}

function isDecision(record: LogRecord): record is DecisionRecord {
  return record.kind === 'decision';
}

/** A log may be configured to keep inputs unchanged (`log: { input: full }`); no secret is printed here. */
function denialOf({ id, time, tool, input, message, reasons, agent, would }: DecisionRecord): Denial {
  const texts = typeof input === 'object' && input !== null ? Object.values(input) : [];
  const call = texts.find((value) => typeof value === 'string');
  return {
    id,
    time,
    tool,
    call: typeof call === 'string' ? cut(maskText(call)) : '',
    reason: cut(maskText(message ?? reasons.join(', '))),
    agent,
    observed: would !== undefined,
  };
}

function cut(text: string): string {
  const characters = [...text];
  return characters.length > LONGEST_CALL ? `${characters.slice(0, LONGEST_CALL - 1).join('')}…` : text;
}

function masked({ runner, message, fix }: Problem): Problem {
  return { runner, message: maskText(message), fix: maskText(fix) };
}
