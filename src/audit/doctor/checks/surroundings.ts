/**
 * Settings around the hook with which an agent goes past it: a project's own are problems, since whoever wrote the project decides
 * then; the person's own are worth knowing.
 */

import type { RunnerId, ToolCall } from '../../../call/tool-call.js';
import { findRemedyDry } from '../../../enforce/author/remedy.js';
import { enforceDry } from '../../../enforce/enforce.js';
import type { Workspace } from '../../../enforce/project/workspace.js';
import { allRunners } from '../../../runner/registry.js';
import { type RiskySetting, riskySettings, secretsOfServers } from '../../risky-settings.js';
import { type CheckResult, type DoctorCheck, note, problem } from '../check.js';
import { otherHooks } from '../other-hooks.js';
import { openedWorkspace } from '../subject.js';

export const surroundings: DoctorCheck = {
  id: 'surroundings',
  examine: (subject) => {
    const { places, runners } = subject;
    const opened = openedWorkspace(subject);
    const workspace = opened.ok ? opened.workspace : null;
    const named = allRunners().filter(({ id }) => runners.length === 0 || runners.includes(id));
    const ofRunners = named.flatMap((runner) => [
      ...riskySettings(runner, places).flatMap((one) =>
        one.isCommand && one.value !== null && one.ofProject
          ? commandSaid(runner.id, `${one.key} in ${one.file}:${one.line}`, one.value, workspace)
          : [saidOf(runner.id, one)],
      ),
      ...otherHooks(runner, places).flatMap(({ kind, ofProject, what, event, file, line }) =>
        kind === 'other-event' && ofProject
          ? commandSaid(runner.id, `The ${event} hook in ${file}:${line}`, what, workspace)
          : [],
      ),
    ]);
    return [...ofRunners, ...secretsOfServers(places).map((one) => saidOf(null, one))];
  },
};

const LONGEST = 80;

function cut(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}

/**
 * A command that the runner starts by itself: fine when the policy would let an agent run it, worth a note when it is a program of the
 * project that one rule would allow, else a problem.
 */
function commandSaid(id: RunnerId, where: string, command: string, workspace: Workspace | null): readonly CheckResult[] {
  const runs = `${where} runs a command without asking (${cut(command)})`;
  const fix = `read the command, and take it out; or do not start ${id} in this project`;
  const call = workspace === null ? null : callOf(command, id, workspace.surroundings.project);
  if (workspace === null || call === null) return [problem(id, runs, fix)];
  const decision = enforceDry(workspace, call);
  if (decision.decision === 'allow') return [];
  const remedy = decision.decision === 'ask' ? findRemedyDry(workspace, call, decision) : null;
  const offers = remedy?.kind === 'rules' ? remedy.offers : [];
  const offer = offers.find(({ scope, rules }) => scope === 'script' && rules.length === 1);
  if (offer !== undefined)
    return [note(id, `${runs}; it is a program of the project`, `read it, then policy allow '${offer.rules[0]}'`)];
  const why = decision.decision === 'deny' ? 'the policy denies it' : 'the policy does not allow it';
  return [problem(id, `${runs}, and ${why}: ${decision.message}`, fix)];
}

/** The call that the command would be. The runner writes the project's folder for its variable. Null where no shell would read it as written. */
function callOf(command: string, runner: RunnerId, project: string): ToolCall | null {
  if (!/^[\w@%+=:,./-]+$/.test(project)) return null;
  const written = command.replace(/"?\$(?:CLAUDE_PROJECT_DIR|\{CLAUDE_PROJECT_DIR\})"?/g, () => project);
  return { tool: 'Bash', input: { command: written }, runner, cwd: project, headless: false, shell: 'union' };
}

function saidOf(runner: string | null, { file, line, key, says, value, ofProject }: RiskySetting): CheckResult {
  const is = value === null || value === 'true' ? '' : ` (${value})`;
  const message = `${key}${is} in ${file}:${line} ${says}`;
  return ofProject
    ? problem(
        runner,
        message,
        value === null ? `take it out of ${file}:${line}, and replace the credential` : takeOut(file, line, runner),
      )
    : note(runner, message, `take it out of ${file}:${line} if you do not want that`);
}

function takeOut(file: string, line: number, runner: string | null): string {
  return `take it out of ${file}:${line}, or do not start ${runner ?? 'an agent'} in this project`;
}
