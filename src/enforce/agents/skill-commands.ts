/**
 * Skills and slash commands of Claude Code. When one is used, Claude Code runs the shell commands in its file and reads the files
 * that it mentions, without asking any hook (see skill-text.ts), so they are judged when the skill is called.
 */
import { dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { isOrdinaryAgent, type SkillAction, skillActions, skillsNamed } from '../../agent/skill-text.js';
import { runnerAgents } from '../../call/catalogue.js';
import { ASSUMED_RUNNER, type ToolCall } from '../../call/tool-call.js';
import { traitsOf } from '../../call/traits.js';
import { type Decision, told } from '../../decide/ruling/decision.js';
import type { SkillFact } from '../../decide/ruling/facts.js';
import { isInside } from '../../disk/inside.js';
import { readText } from '../../disk/read.js';
import { realPath } from '../../disk/real-path.js';
import { mentionFact } from './prompt-mentions.js';
import { type AgentText, agentTexts, skillFiles, usualPlaces } from './skill-files.js';
import { SKILL_LIMIT, type SkillFile, type SkillPlaces } from './skill-places.js';

/** The skill that a call uses. */
interface Used {
  readonly name: string;
  readonly args: string;
  /** The agent at whose start the skill is loaded; absent for a call of the skill itself. */
  readonly by?: string;
}

const LONGEST_NAME = 200;
const LONGEST_COMMAND = SKILL_LIMIT / 4;

type Decide = (call: ToolCall) => Decision;

/**
 * Returns the facts about the skill that a call uses; null if it uses none.
 * @param decideCall the same decision for another call
 * @param textsOf how the definitions of an agent are read
 */
export function skillFact(
  tool: string,
  call: ToolCall,
  places: Omit<SkillPlaces, 'cwd'>,
  decideCall: Decide,
  textsOf = agentTexts,
): SkillFact | null {
  if (tool !== 'Agent' && tool !== 'Skill') return null;
  const { readsMentions, callsSkills } = traitsOf(call.runner ?? ASSUMED_RUNNER);
  if (readsMentions) return tool === 'Agent' ? mentionFact(call, places, decideCall) : null;
  if (!callsSkills) return null;
  if (tool === 'Agent') return agentFact(call, places, decideCall, textsOf);
  const used = usedBy(call);
  if (used === null) return problem("the skill's name or arguments cannot be read");
  return { rulings: skillRulings(used, call, places, decideCall) };
}

function skillRulings(used: Used, call: ToolCall, places: Omit<SkillPlaces, 'cwd'>, decideCall: Decide): SkillFact['rulings'] {
  const files = skillFiles(used.name, { ...places, cwd: call.cwd });
  if (typeof files === 'string') return problem(files).rulings;
  if (files.length === 0) return problem(notFound(used.name)).rulings;
  return files.flatMap((file) => rulingsOf(file, used, call, places, decideCall));
}

function notFound(name: string): string {
  const [place] = usualPlaces(name);
  const where = place === undefined ? '' : `, neither ${place} nor in a plugin`;
  return `no file of the skill ${name} was found${where}, so it is unknown what it runs and reads`;
}

/**
 * Skills named in an agent's definition are loaded when the agent starts: their commands run then (2.1.197, 2.1.330), but no file is read.
 */
function agentFact(
  call: ToolCall,
  places: Omit<SkillPlaces, 'cwd'>,
  decideCall: Decide,
  textsOf: typeof agentTexts,
): SkillFact | null {
  const { subagent_type } = call.input;
  const name = typeof subagent_type === 'string' ? subagent_type.trim() : 'general-purpose';
  const texts = textsOf(name, { ...places, cwd: call.cwd });
  if (typeof texts === 'string') {
    const message = `it is unknown what agents load at their start: ${withinProject(texts, places.project)}`;
    return { rulings: [{ effect: 'ask', code: 'skill/agents-unread', message }] };
  }
  const rulings = texts.flatMap(({ file, text }): SkillFact['rulings'] => {
    const named = skillsNamed(text);
    if (named === null) return problem(`the skills that ${file} loads for the agent cannot be read`).rulings;
    const used = named.map((one): Used => ({ name: one, args: '', by: name }));
    return used.flatMap((one) => skillRulings(one, call, places, decideCall));
  });
  if (isJudged(name, texts, call)) return { rulings, startsJudged: true };
  return rulings.length === 0 ? null : { rulings };
}

/** Input fields with which an agent starts here, in the same session, with the permissions of its caller. */
const PLAIN_START: ReadonlySet<string> = new Set([
  'subagent_type',
  'description',
  'prompt',
  'name',
  'model',
  'run_in_background',
]);

/** Whether each call of the agent will be judged, as the conformance run shows for agents without settings of their own. */
function isJudged(name: string, texts: readonly AgentText[], { input, runner = ASSUMED_RUNNER }: ToolCall): boolean {
  const isKnown = texts.length > 0 || runnerAgents(runner).some((agent) => agent.name === name);
  return isKnown && texts.every(({ text }) => isOrdinaryAgent(text)) && Object.keys(input).every((key) => PLAIN_START.has(key));
}

/** Returns the sentence with paths in the project made relative. */
function withinProject(sentence: string, project: string): string {
  return sentence.replaceAll(`${project}/`, '');
}

function problem(message: string): SkillFact {
  return { rulings: [{ effect: 'ask', message }] };
}

/** Reads `skill` and `args`; in older versions of Claude Code, `command` contains both. */
function usedBy({ input }: ToolCall): Used | null {
  const { skill, command, args } = input;
  const whole = typeof skill === 'string' ? skill : typeof command === 'string' ? command : '';
  const named = /^\/?(\S.*)$/.exec(whole.trim())?.[1] ?? '';
  const [first = ''] = named.split(' ', 1);
  const used =
    typeof skill === 'string' ? { name: named, args: args ?? '' } : { name: first, args: named.slice(first.length).trim() };
  const isRead = typeof used.args === 'string' && used.name !== '' && used.name.length <= LONGEST_NAME;
  return isRead ? { name: used.name, args: String(used.args) } : null;
}

function rulingsOf(
  { file, within, plugin }: SkillFile,
  { name, args, by }: Used,
  call: ToolCall,
  { project, home }: Omit<SkillPlaces, 'cwd'>,
  decideCall: Decide,
): SkillFact['rulings'] {
  const where = isInside(file, project) ? relative(project, file) : file;
  const real = realPath(file);
  const roots = [project, home, within].flatMap((folder) => [folder, realPath(folder) ?? folder]);
  if (real === null || !roots.some((root) => isInside(real, root))) return problem(`${where} leads to a file elsewhere`).rulings;
  const read = readText(file, { limit: SKILL_LIMIT });
  if (!read.ok) return problem(`${where} ${read.message}`).rulings;
  const folder = dirname(file);
  const whose = by === undefined ? `the skill ${name}` : `the skill ${name} of the agent ${by}`;
  const folders = { CLAUDE_SKILL_DIR: folder, ...(plugin !== null && { CLAUDE_PLUGIN_ROOT: plugin.root }) };
  return skillActions({ text: read.text, args, above: folder, folders }).flatMap((deed) => {
    const place = deed.line === null ? `arguments for ${where}` : `${where}:${deed.line}`;
    if (by !== undefined && deed.kind !== 'command' && deed.kind !== 'unknown') return [];
    const ruling = rulingOf(deed, call, home, decideCall);
    return ruling === null ? [] : [{ effect: ruling.effect, message: `${whose} ${ruling.does} (${place})${ruling.why}` }];
  });
}

interface SkillRuling {
  readonly effect: 'ask' | 'deny';
  /** Predicate of a sentence whose subject is "the skill". */
  readonly does: string;
  readonly why: string;
}

/** Returns what to object to in an action of the skill; null if the action is allowed. */
function rulingOf(deed: SkillAction, call: ToolCall, home: string, decideCall: Decide): SkillRuling | null {
  const judged = (does: string, tool: string, input: ToolCall['input']): SkillRuling | null => {
    const { decision, reasons } = decideCall({ ...call, tool, input });
    return decision === 'allow' ? null : { effect: decision, does, why: `: ${told(reasons).first}` };
  };
  switch (deed.kind) {
    case 'command': {
      const does = 'runs a command when it is loaded';
      if (deed.command.length > LONGEST_COMMAND) return { effect: 'ask', does, why: ' that is too long to judge' };
      return judged(does, 'Bash', { command: deed.command });
    }
    case 'file':
      return judged(`reads ${deed.path} when it is loaded`, 'Read', { file_path: fileOf(deed.path, call.cwd, home) });
    case 'resource':
      return judged(`reads a resource of ${deed.server} when it is loaded`, 'ReadMcpResourceTool', {
        server: deed.server,
        uri: deed.uri,
      });
    case 'agent': {
      const agent = deed.agent === null ? {} : { subagent_type: deed.agent };
      return judged('is run by a subagent', 'Agent', { description: '', prompt: '', ...agent });
    }
    case 'unknown':
      return { effect: 'ask', does: deed.why, why: '' };
  }
}

function fileOf(path: string, cwd: string, home: string): string {
  const named = path.trim();
  if (named === '~' || named.startsWith('~/')) return join(home, named.slice(1));
  return isAbsolute(named) ? named : resolve(cwd, named);
}
