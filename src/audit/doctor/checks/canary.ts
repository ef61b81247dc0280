/** A call that no policy can allow, sent through the installed line as the runner would send it: was it blocked? */
import { randomUUID } from 'node:crypto';
import { basename, isAbsolute } from 'node:path';
import { realPath } from '../../../disk/real-path.js';
import { ownHook } from '../../../install/own-hook.js';
import { trialSession } from '../../../log/read/trial-session.js';
import { STDOUT_FAILURES } from '../../../runner/hook/stdout-failures.js';
import { startHook } from '../../hooks/start-hook.js';
import { inherited } from '../../model/inherited.js';
import { type CheckResult, type DoctorCheck, fine, problem, worthKnowing } from '../found/check.js';
import type { FoundHook } from '../found/read-hooks.js';
import { type DoctorSubject, type ExaminedRunner, openedWorkspace } from '../found/subject.js';
import { installLine, isInstalledCopy, ownHooks, working } from '../found/words.js';
import { writableOnTheWay } from '../found/writable.js';

/** A built-in denial that no layer can loosen. Nothing runs the command; the hook only judges it. */
const CALL = 'rm -rf /';
/** The beginning of the line's own denial when the hook took too long. */
const LATE = 'policy denied this call: the hook did not answer in time';

export const canary: DoctorCheck = {
  id: 'canary',
  examine: async (subject) => {
    const started = ownHooks(subject);
    const said: CheckResult[] = [];
    for (const { one, hook } of started) if (working(one, hook)) said.push(await fire(subject, one, hook));
    for (const one of subject.examined)
      for (const hook of one.hooks)
        if (hook.blocks && !started.some((other) => other.hook === hook)) said.push(notTried(subject, one, hook));
    return said;
  },
};

async function fire(subject: DoctorSubject, one: ExaminedRunner, hook: FoundHook): Promise<CheckResult> {
  const { places, patience } = subject;
  const { id } = one.runner;
  const call = { tool: one.runner.sampleTools.shell, input: { command: CALL } };
  const payload = one.runner.samplePayload(call, places.project, trialSession(randomUUID()));
  const environment = inherited(places.environment, ['SHLVL', '_']);
  const start = { command: hook.command, args: null, cwd: places.project, environment, deadline: patience };
  const send = () => startHook({ ...start, input: JSON.stringify(payload) });
  const first = await send();
  // A machine that is busy for a moment is no fault of the line: as its own message advises, the call is tried again.
  const { exitCode, stderr, stdout, timedOut, milliseconds } = first.stderr.startsWith(LATE) ? await send() : first;
  const where = `${hook.file}:${hook.place}`;
  const reason = exitCode === 0 ? spokenReason(stdout) : (stderr.trim().split('\n')[0] ?? '');
  const fix = installLine(id, hook, one);
  // Some clients expect the reason on standard output, alone or as well; any other output there is not from our hook.
  const denial = one.runner.answer({ effect: 'deny', grant: false, message: reason, notice: null });
  const isDenied = exitCode === 0 ? denial.denies !== undefined && stdout !== '' : exitCode === 2;
  if (exitCode === 0 && isObserved(stdout) && observes(subject))
    return worthKnowing(
      id,
      `\`${CALL}\`, sent through the installed line in ${where}, was judged and allowed, because the policy is in observe mode`,
      'policy observe off',
    );
  const isOurs = stdout === '' || stdout === denial.stdout || stdout === `${STDOUT_FAILURES.get(id)?.(reason)}\n`;
  if (timedOut || !isDenied || !isOurs || reason === '') {
    const how = timedOut ? 'no answer in time' : `exit code ${exitCode}${stdout === '' ? '' : `, ${stdout.slice(0, 80)}`}`;
    return problem(id, `The installed line let \`${CALL}\` pass (${how}; ${where})`, fix);
  }
  if (reason.startsWith(LATE))
    return problem(id, `The installed line denies calls, because the hook did not answer in time twice in a row (${where})`, fix);
  // The hook fails closed: whatever is wrong, a message with this beginning reports it, and every other call is denied as well.
  if (reason.startsWith('policy denied this call:'))
    return problem(
      id,
      `The installed line denies every call: ${reason.slice('policy denied this call:'.length).trim()}`,
      'fix the problem that it names',
    );
  return fine(id, `\`${CALL}\`, sent through the installed line in ${where}, was blocked after ${milliseconds} ms: ${reason}`);
}

/** Returns the reason why standard output denies the call, in any runner's form; empty if it does not deny it. */
function spokenReason(stdout: string): string {
  let reason = '';
  try {
    JSON.parse(stdout, (_, value: unknown) => {
      if (typeof value === 'string' && value.startsWith('policy denied ')) reason = value;
    });
  } catch {
    return '';
  }
  return reason;
}

/** Whether the output is our hook's message to the person in observe mode. */
function isObserved(stdout: string): boolean {
  return /^\{"systemMessage":"OBSERVE MODE, nothing is blocked: policy denied /.test(stdout);
}

function observes(subject: DoctorSubject): boolean {
  if (subject.inRun === true) return false;
  const opened = openedWorkspace(subject);
  return opened.ok && opened.workspace.policy.mode === 'observe';
}

/**
 * The result for a line that is not certainly safe to start: the installed program started by another node than this one is not a
 * problem in itself.
 */
function notTried({ own, places }: DoctorSubject, one: ExaminedRunner, hook: FoundHook): CheckResult {
  const { file, place, scope, line, command } = hook;
  const node = line.node === null || !isAbsolute(line.node) ? null : realPath(line.node);
  const isOther = node !== null && node !== own?.node && basename(node).startsWith('node');
  if (own !== null && isOther && isInstalledCopy(line, own)) {
    const withOurs = ownHook(command.replaceAll(` ${line.node} `, ` ${own.node} `), own, '', one.runner.id) !== null;
    const isSafe = !`${node}/`.startsWith(`${places.project}/`) && writableOnTheWay(node).length === 0;
    if (withOurs && isSafe) {
      const other = `The line in ${file}:${place} was installed with a different node (${line.node}), so it was not tested`;
      return worthKnowing(
        one.runner.id,
        other,
        `run policy doctor with that node, or ${installLine(one.runner.id, { scope, file }, one)}`,
      );
    }
  }
  const what = `The line in ${file}:${place} may not be ours (it starts another node or a changed program), so it was not tested`;
  return problem(one.runner.id, what, installLine(one.runner.id, { scope, file }, one));
}
