/** The definition that `policy run NAME` means, and how much its agent may do. */

import { resolve } from 'node:path';
import type { AgentDefinition } from '../../agent/agent.js';
import { splitFrontMatter } from '../../agent/front-matter.js';
import { normalizeName } from '../../agent/name.js';
import type { RunnerRecord } from '../../agent/runner-inventory.js';
import { describeTool } from '../../call/catalogue.js';
import { isFields } from '../../call/fields.js';
import type { RunnerId } from '../../call/tool-call.js';
import { readText } from '../../disk/read.js';
import { nearestWord } from '../../policy/nearest.js';
import type { PresetName } from '../../policy/policy.js';
import { parseLocated } from '../../policy/read/located.js';
import type { Workspace } from '../../project/workspace.js';
import type { LaunchedAgent, Reach } from '../../runner/launch/launcher.js';
import { type AgentsHere, agentsHere, DISABLED, settingsHere } from '../agents/inventory.js';
import { openSilently } from '../place/open.js';
import { UsageError } from '../terminal/exit.js';
import { warn } from '../terminal/terminal.js';
import { type Arguments, textFlag } from '../words/arguments.js';
import { meantByName } from './advice.js';

/** An agent that cannot be started: a stable code, and a sentence for the person. */
export class AgentProblem extends Error {
  override readonly name = 'AgentProblem';

  constructor(
    readonly code: 'SUBAGENTS_DISABLED' | 'UNKNOWN_SUBAGENT' | 'REGISTRY_ERROR',
    message: string,
    /** Advice, the beginning of a line of its own. */
    readonly hint: string | null = null,
  ) {
    super(message);
  }
}

export interface ChosenAgent {
  readonly definition: AgentDefinition;
  /** The runner for which it was written. */
  readonly runner: RunnerId;
  readonly model: string | null;
}

/**
 * Returns the definition for this runner, else the first active one. Throws AgentProblem.
 * @param runner the value of `--runner`; null: any
 */
export function chosenAgent(args: Arguments, workspace: Workspace, name: string, runner: RunnerId | null): ChosenAgent {
  const settings = settingsHere(workspace);
  if (settings.off !== null)
    throw new AgentProblem('SUBAGENTS_DISABLED', DISABLED.split('.')[0] ?? DISABLED, `it is switched off in ${settings.off}`);
  // In the inventory, `--scope` selects whose definitions are listed; here it is where the runner works.
  const { runner: _, scope: __, ...everyAgent } = args;
  const here = agentsHere(everyAgent, workspace, settings);
  const records = here.inventory.agents.get(normalizeName(name)) ?? [];
  if (records.length === 0) {
    const unread = here.events.find(({ code }) => code === 'agents.not-looked-into');
    if (unread !== undefined) throw new AgentProblem('REGISTRY_ERROR', `Registry error: ${unread.message}`);
    const hint = whereElse(name, textFlag(args, 'goal'), here);
    throw new AgentProblem('UNKNOWN_SUBAGENT', `Unknown subagent: ${name}`, hint);
  }
  const found = records.find((one) => one.runner === runner) ?? records.find(({ status }) => status === 'active') ?? records[0];
  if (found === undefined || found.status !== 'active')
    throw new AgentProblem('REGISTRY_ERROR', `Registry error: ${whyNot(name, found)}`);
  return { definition: found.definition, runner: found.runner, model: found.effectiveModel };
}

/** Whether a definition here has this name; false if that cannot be determined. */
export function isAgentHere(args: Arguments, name: string): boolean {
  try {
    const { runner: _, scope: __, ...everyAgent } = args;
    const workspace = openSilently(everyAgent, false);
    return agentsHere(everyAgent, workspace, settingsHere(workspace)).inventory.agents.has(normalizeName(name));
  } catch {
    return false;
  }
}

function whereElse(name: string, goal: string | undefined, { inventory, unread }: AgentsHere): string {
  const [first] = unread;
  if (first !== undefined) return `some definitions could not be read: ${first}`;
  const near = nearestWord(name, [...inventory.agents.keys()]);
  if (near !== null) return `did you mean ${near}?`;
  return meantByName(name, goal) ?? '`policy agents list` lists the known ones';
}

function whyNot(name: string, found: RunnerRecord | undefined): string {
  if (found?.status === 'disabled') return `Subagent '${name}' is disabled (${found.definition.source.file})`;
  const error = found?.definition.errors.find(({ severity }) => severity !== 'warning');
  const where = error === undefined ? '' : ` (${error.source.file}:${error.source.line})`;
  return `Subagent '${name}' invalid: ${error?.message ?? 'it cannot be used'}${where}`;
}

/** @param isFound whether the runner itself finds definitions of the project */
export function launchedAgent({ definition, runner }: ChosenAgent, chosen: RunnerId, isFound: boolean): LaunchedAgent {
  const { tools, body, rawName, name } = definition;
  const isOwn = runner === chosen;
  return {
    name: isOwn ? rawName : name,
    instructions: body ?? '',
    isOwn: isOwn && (isFound || definition.scope !== 'project'),
    tools: isOwn && tools.state === 'listed' ? tools.tools : null,
  };
}

const INITIAL_PROMPT = /initial[-_]?prompt/i;

/**
 * Returns the prompt in a project's definition that precedes the goal; an empty string if there is none. Throws UsageError if
 * that cannot be determined.
 */
export function initialPromptOf({ definition }: ChosenAgent, project: string): string {
  if (definition.scope !== 'project') return '';
  const file = resolve(project, definition.source.file);
  const read = readText(file);
  if (!read.ok) throw new UsageError(`${file} cannot be read: ${read.message}`);
  if (!INITIAL_PROMPT.test(read.text)) return '';
  const split = splitFrontMatter(read.text);
  const yaml = split.ok ? parseLocated(split.yaml, 'yaml', true) : null;
  if (yaml === null || !yaml.ok || !isFields(yaml.data)) throw new UsageError(`The front matter of ${file} cannot be read`);
  return Object.entries(yaml.data)
    .flatMap(([key, value]) => (INITIAL_PROMPT.test(key) ? [String(value)] : []))
    .join('\n');
}

const REACHES: Readonly<Record<PresetName, Reach>> = {
  readOnly: 'read',
  inspect: 'read',
  safe: 'write',
  develop: 'write',
  all: 'full',
};
const WRITERS: ReadonlySet<string> = new Set(['write', 'delete', 'execute']);

/** Returns the reach of the preset; that of an agent without any tool that writes or runs commands is `read`. */
export function reachOf({ policy }: Workspace, agent: ChosenAgent | null): Reach {
  const preset = policy.preset?.name;
  const byPreset = preset === undefined ? 'write' : REACHES[preset];
  if (agent === null || byPreset === 'read') return byPreset;
  const { readOnly, tools } = agent.definition;
  if (readOnly || tools.state === 'empty') return 'read';
  if (tools.state !== 'listed') return byPreset;
  const writes = tools.tools.some((entry) => {
    const { access, canonical } = describeTool(entry.replace(/\(.*$/s, '').trim(), agent.runner);
    return WRITERS.has(access) || canonical === 'Bash';
  });
  return writes ? byPreset : 'read';
}

/**
 * Returns the text of `--goal TEXT`, from standard input for `-`; null without the flag. Throws UsageError for a text that cannot
 * be passed on a command line.
 */
export async function goalOf(args: Arguments): Promise<string | null> {
  const given = textFlag(args, 'goal');
  const goal = given === '-' ? await fromInput() : given;
  if (goal === undefined) return null;
  if (goal.trim() === '') {
    const where = given === '-' ? 'Standard input is empty, so there is no goal' : '--goal is empty';
    throw new UsageError(`${where}; say what the agent should do: --goal "Explain src/."`);
  }
  if (goal.includes('\0')) throw new UsageError('--goal contains a NUL character, which no command line can contain');
  refuseLongGoal(goal, '--goal');
  return goal;
}

/**
 * Throws UsageError for a goal that no command line can contain.
 * @param called the beginning of the message
 */
export function refuseLongGoal(goal: string, called: string): void {
  if (Buffer.byteLength(goal) > MOST_GOAL)
    throw new UsageError(`${called} is longer than ${MOST_GOAL} bytes; put it into a file, and name that file in the goal`);
}

/** In bytes; Linux limits each argument to 128 KiB. */
const MOST_GOAL = 100_000;

/** Standard input can be read only once. */
let input: Promise<string> | undefined;

function fromInput(): Promise<string> {
  if (input === undefined && process.stdin.isTTY === true) warn('note: type the goal, then Ctrl-D on a new line');
  input ??= readInput();
  return input;
}

async function readInput(): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > MOST_GOAL) break;
  }
  return Buffer.concat(chunks).toString('utf8');
}
