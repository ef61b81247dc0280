/**
 * What stands around the hook of a runner and goes past it: risky settings, hooks at other events, credentials beside them. A project's
 * own are problems, since whoever wrote the project decides then; the person's own are worth knowing.
 */
import type { RunnerId, ToolCall } from '../call/tool-call.js';
import { findRemedyDry } from '../enforce/author/remedy.js';
import { enforceDry } from '../enforce/enforce.js';
import type { InstallPlaces } from '../enforce/install/target.js';
import type { Workspace } from '../enforce/project/workspace.js';
import type { Runner } from '../runner/runner.js';
import { otherHooks } from './doctor/other-hooks.js';
import { type RiskySetting, riskySettings, secretsOfServers } from './risky-settings.js';
import { shownCommand, withoutSecrets } from './shown-command.js';

/** One setting or hook, and what it does. */
export interface Surrounding {
  readonly level: 'problem' | 'note';
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  /** One sentence: what was found, where, and what it does. */
  readonly message: string;
  /** One line that repairs it. */
  readonly fix: string;
}

interface Spot {
  readonly file: string;
  readonly line: number;
}

/** What a runner's settings do; `workspace` judges commands in them, and without one each is a problem. */
export function surroundingsOf(runner: Runner, places: InstallPlaces, workspace: Workspace | null): readonly Surrounding[] {
  const settings = riskySettings(runner, places).flatMap((one) =>
    one.isCommand && one.value !== null && one.ofProject
      ? commandSaid(runner.id, one, `${one.key} in ${one.file}:${one.line}`, one.value, workspace)
      : [saidOf(runner.id, one)],
  );
  const hooks = otherHooks(runner, places).flatMap(({ kind, ofProject, what, event, file, line }) =>
    kind === 'other-event' && ofProject
      ? commandSaid(runner.id, { file, line }, `The ${event} hook in ${file}:${line}`, what, workspace)
      : [],
  );
  return [...settings, ...hooks];
}

/** Credentials in the project's lists of MCP servers. */
export function serverSecrets(places: InstallPlaces): readonly Surrounding[] {
  return secretsOfServers(places).map((one) => saidOf(null, one));
}

/**
 * A command that the runner starts by itself: fine when the policy would let an agent run it, worth a note when a rule about this
 * program would allow it, else a problem.
 */
function commandSaid(
  id: RunnerId,
  { file, line }: Spot,
  where: string,
  command: string,
  workspace: Workspace | null,
): readonly Surrounding[] {
  const runs = `${where} runs a command without asking (${shownCommand(command)})`;
  const fix = `read the command, and take it out; or do not start ${id} in this project`;
  const call = workspace === null ? null : callOf(command, id, workspace.surroundings.project);
  if (workspace === null || call === null) return [{ level: 'problem', file, line, message: runs, fix }];
  const decision = enforceDry(workspace, call);
  if (decision.decision === 'allow') return [];
  const remedy = decision.decision === 'ask' ? findRemedyDry(workspace, call, decision) : null;
  const offers = remedy?.kind === 'rules' ? remedy.offers : [];
  const offer = offers.find(({ scope, rules }) => (scope === 'script' || scope === 'arguments') && rules.length === 1);
  if (offer !== undefined) {
    return [{ level: 'note', file, line, message: runs, fix: `read it, then policy allow '${offer.rules[0]}'` }];
  }
  const why = decision.decision === 'deny' ? 'the policy denies it' : 'the policy does not allow it';
  return [{ level: 'problem', file, line, message: `${runs}, and ${why}: ${withoutSecrets(decision.message)}`, fix }];
}

/** The call that the command would be. The runner writes the project's folder for its variable. Null where no shell would read it as written. */
function callOf(command: string, runner: RunnerId, project: string): ToolCall | null {
  if (!/^[\w@%+=:,./-]+$/.test(project)) return null;
  const written = command.replace(/"?\$(?:CLAUDE_PROJECT_DIR|\{CLAUDE_PROJECT_DIR\})"?/g, () => project);
  return { tool: 'Bash', input: { command: written }, runner, cwd: project, headless: false, shell: 'union' };
}

function saidOf(runner: RunnerId | null, { file, line, key, says, value, ofProject }: RiskySetting): Surrounding {
  const is = value === null || value === 'true' ? '' : ` (${value})`;
  if (key === '') return { level: 'problem', file, line, message: `${file} ${says}`, fix: `repair ${file}, or remove it` };
  const message = `${key}${is} in ${file}:${line} ${says}`;
  const out = `take it out of ${file}:${line}`;
  if (!ofProject) return { level: 'note', file, line, message, fix: `${out} if you do not want that` };
  const fix =
    value === null ? `${out}, and replace the credential` : `${out}, or do not start ${runner ?? 'an agent'} in this project`;
  return { level: 'problem', file, line, message, fix };
}
