/**
 * Settings around a runner's hook that bypass it: risky settings, hooks at other events, credentials beside them. A project's own
 * are problems, since the project's author decides then; the person's own are worth knowing about.
 */
import type { RunnerId } from '../../call/tool-call.js';
import type { Decision } from '../../decide/ruling/decision.js';
import { isInside } from '../../disk/inside.js';
import type { InstallPlaces } from '../../install/target.js';
import type { Workspace } from '../../project/workspace.js';
import type { Runner } from '../../runner/hook/runner.js';
import type { OtherHook } from '../doctor/found/other-hook.js';
import { otherHooks } from '../doctor/found/other-hooks.js';
import { shownCommand, withoutSecrets } from '../model/shown-command.js';
import { hasSandbox, sandboxOpenings } from './openings.js';
import { type RiskySetting, riskyServers, riskySettings } from './risky-settings.js';
import { isOfThisMachine } from './setting-conditions.js';
import { allowLine, startedCall, startedCommand } from './started-command.js';

/** One setting or hook, and its effect. */
export interface Surrounding {
  readonly level: 'problem' | 'note';
  readonly file: string;
  /** Counts from 1. */
  readonly line: number;
  /** One sentence: what was found, where, and its effect. */
  readonly message: string;
  /** One line that repairs it. */
  readonly fix: string;
  /** Set if it is a command that the policy would not let an agent run; absent for everything else. */
  readonly starts?: Started;
}

/** A command that a runner starts by itself. */
export interface Started {
  /** The policy's decision; null if no shell would read the command as written, and without a policy. */
  readonly decision: Decision | null;
  /** The setting or the event that names it: `statusLine.command`, `PostToolUse`. */
  readonly by: string;
  /** For a hook: the tools to which it applies, as written in the file; null: all of them. */
  readonly matcher: string | null;
}

interface Spot {
  readonly file: string;
  readonly line: number;
}

/**
 * Returns the effects of a runner's settings.
 * @param workspace judges commands in them; without one each command is a problem
 * @param wanted selects the hooks to report
 */
export function surroundingsOf(
  runner: Runner,
  places: InstallPlaces,
  workspace: Workspace | null,
  wanted: (hook: OtherHook) => boolean = () => true,
): readonly Surrounding[] {
  const settings = riskySettings(runner, places).flatMap((one) => settingSaid(runner.id, one, workspace));
  const hooks = otherHooks(runner, places).flatMap((hook) =>
    hook.kind === 'other-event' && hook.ofProject && wanted(hook) ? hookSaid(runner.id, hook, workspace) : [],
  );
  return [...settings, ...hooks, ...openedSandbox(runner, places)];
}

/** Covered by a list of its own (risky-settings.yaml). */
const LISTED = /^(?:sandbox\.excludedCommands|permissions)\./;

/**
 * Returns settings that open an enabled sandbox. A variable of the project is reported even if no sandbox is enabled, since it
 * would also open the next one.
 */
function openedSandbox(runner: Runner, places: InstallPlaces): readonly Surrounding[] {
  const isOn = hasSandbox(runner, places);
  return sandboxOpenings(runner, places).flatMap(({ file, line, key, says, isVariable }): Surrounding[] => {
    const ofProject = file !== null && places.project !== places.home && isInside(file, places.project);
    if (!(isOn || (isVariable && ofProject)) || LISTED.test(key) || key === '') return [];
    const fix = file === null ? `unset ${key}` : `remove it from ${file}:${line}`;
    const message = `The sandbox of ${runner.id} has a hole: ${says}`;
    return [{ level: ofProject ? 'problem' : 'note', file: file ?? '', line, message, fix }];
  });
}

/** Reports a hook at an event at which it cannot change a call. */
function hookSaid(
  id: RunnerId,
  { what, form, event = '', matcher = null, file, line }: OtherHook,
  workspace: Workspace | null,
): readonly Surrounding[] {
  const where = `The ${event} hook in ${file}:${line}`;
  if (form === 'command') return commandSaid(id, { file, line, by: event, matcher }, where, what, workspace);
  const isSent = form === 'address';
  const message = isSent
    ? `${where} sends its input to ${shownCommand(what)}`
    : `${where} starts a hook of type ${shownCommand(what)}`;
  const isNote = isSent ? isOfThisMachine(what) : MODELS.has(what);
  return [
    { level: isNote ? 'note' : 'problem', file, line, message, fix: `remove it from ${file}:${line} if you do not want that` },
  ];
}

/** Hooks that ask a model about the event, and start nothing. */
const MODELS: ReadonlySet<string> = new Set(['prompt', 'agent']);

/** Returns the effects of the project's lists of MCP servers, and credentials in them. */
export function serverSurroundings(places: InstallPlaces, workspace: Workspace | null): readonly Surrounding[] {
  return riskyServers(places).flatMap((one) => settingSaid(null, one, workspace));
}

function settingSaid(id: RunnerId | null, one: RiskySetting, workspace: Workspace | null): readonly Surrounding[] {
  return one.isCommand && one.value !== null && one.ofProject
    ? commandSaid(id, { ...one, by: one.key, matcher: null }, `${one.key} in ${one.file}:${one.line}`, one.value, workspace)
    : [saidOf(id, one)];
}

/**
 * Judges a command that the runner starts by itself: fine if the policy would let an agent run it, a note if it is a script of
 * the project, a formatter or a command that a narrow rule would allow, otherwise a problem.
 */
export function commandSaid(
  id: RunnerId | null,
  { file, line, ...named }: Spot & Pick<Started, 'by' | 'matcher'>,
  where: string,
  command: string,
  workspace: Workspace | null,
): readonly Surrounding[] {
  const runs = `${where} runs a command without asking (${shownCommand(command)})`;
  const out = `remove it from ${file}:${line}`;
  const fix = `read the command, and ${out}; or do not start ${id ?? 'an agent'} in this project`;
  const call = workspace === null ? null : startedCall(command, workspace.surroundings.project);
  const { by, matcher } = named;
  if (workspace === null || call === null)
    return [{ level: 'problem', file, line, message: runs, fix, starts: { decision: null, by, matcher } }];
  const { level, why, offer, scriptable, decision } = startedCommand(workspace, call);
  if (level === 'allowed') return [];
  const starts = { decision, by, matcher };
  const accept = offer === null ? null : allowLine(offer, workspace);
  if (level === 'note') {
    return [
      {
        level,
        file,
        line,
        message: runs,
        fix: accept === null ? `keep it if you want that; otherwise ${out}` : `read it, then ${accept}`,
        starts,
      },
    ];
  }
  const message = `${runs}, and ${withoutSecrets(why)}`;
  const wanted = accept ?? (scriptable === true ? 'put it into a project script, which a rule can name' : null);
  const problemFix = wanted === null ? fix : `read the command, and ${out}; if you want it, ${wanted}`;
  return [{ level, file, line, message, fix: problemFix, starts }];
}

/** Whether the policy explicitly forbids it. A preset without any shell concerns agents only. */
export function isDenied({ starts }: Surrounding): boolean {
  const decision = starts?.decision;
  return decision?.decision === 'deny' && !decision.reasons.every(({ code }) => code.startsWith('preset/'));
}

function saidOf(runner: RunnerId | null, { file, line, key, says, value, level, ofProject }: RiskySetting): Surrounding {
  const is = value === null || value === 'true' ? '' : ` (${value})`;
  if (key === '') return { level: 'problem', file, line, message: `${file} ${says}`, fix: `repair ${file}, or remove it` };
  const message = `${key}${is} in ${file}:${line} ${says}`;
  const out = `remove it from ${file}:${line}`;
  if (!ofProject || level === 'note') return { level: 'note', file, line, message, fix: `${out} if you do not want that` };
  const fix =
    value === null ? `${out}, and replace the credential` : `${out}, or do not start ${runner ?? 'an agent'} in this project`;
  return { level: 'problem', file, line, message, fix };
}
