/**
 * Skills and slash commands of Claude Code. When one is used, the client runs the shell commands in its file (`` !`command` `` and
 * fenced blocks that begin with ```!) without asking any hook (2.1.197, 2.1.330), so they are judged when the skill is called.
 */
import { join, relative } from 'node:path';
import type { ToolCall } from '../call/tool-call.js';
import type { Decision } from '../decide/decision.js';
import type { SkillFact } from '../decide/facts.js';
import { folderEntries } from './folder-entries.js';
import { isInside } from './inside.js';
import { installedPlugins } from './plugin-agents.js';
import { readText } from './read-file.js';
import { realPath } from './real-path.js';

/** Where the client looks for a skill. All absolute; `project` a real path. */
export interface SkillPlaces {
  readonly project: string;
  readonly home: string;
}

const MOST_FILES = 2_000;
const MOST_DEPTH = 6;
const MOST_COMMANDS = 50;
const LIMIT = 256 * 1024;
/** Both forms, wherever they stand: the client is not known to be stricter. */
const COMMAND = /!`([^`]+)`|```!([\s\S]*?)(?:```|$)/g;
/** The client puts its arguments into the command as text, before a shell reads it. */
const ARGUMENT = /\$(?:ARGUMENTS|\d|\{ARGUMENTS|\{\d)/;

/**
 * What has to be known of the skill that a call uses; null for a call that uses none.
 * @param decideCall the same decision for another call
 */
export function skillFact(
  tool: string,
  call: ToolCall,
  places: SkillPlaces,
  decideCall: (call: ToolCall) => Decision,
): SkillFact | null {
  if (tool !== 'Skill' || (call.runner !== undefined && call.runner !== 'claude-code')) return null;
  const { skill, command } = call.input;
  const name = typeof skill === 'string' ? skill : typeof command === 'string' ? command : '';
  const short = /^\/?((?:[\w.-]+:)*[\w.-]+)$/.exec(name.trim().split(/\s/, 1)[0] ?? '')?.[1];
  if (short === undefined || /(?:^|:)\.+(?::|$)/.test(short)) return problem('the name of the skill cannot be looked up');
  const files = filesOf(short, places);
  if (typeof files === 'string') return problem(files);
  if (files.length === 0) return problem(`no file of the skill ${short} was found, so the commands that it runs are not known`);
  return { claims: files.flatMap((file) => claimsOf(file, short, call, places, decideCall)) };
}

function problem(message: string): SkillFact {
  return { claims: [{ effect: 'ask', message }] };
}

/** Every file that the client may take for the skill, or why that is not known. */
function filesOf(name: string, { project, home }: SkillPlaces): readonly string[] | string {
  const last = name.slice(name.lastIndexOf(':') + 1);
  const [prefix = ''] = name.split(':', 1);
  if (prefix !== name && installedPlugins(home).plugins.some((plugin) => plugin.name === prefix))
    return `the skill ${name} belongs to a plugin, whose commands are not looked at`;
  const found: string[] = [];
  const budget = { left: MOST_FILES };
  for (const root of new Set([join(project, '.claude'), join(home, '.claude')])) {
    for (const folder of [name, last]) found.push(join(root, 'skills', folder, 'SKILL.md'));
    if (!commandFiles(join(root, 'commands'), `${last}.md`, MOST_DEPTH, budget, found))
      return `the folder ${join(root, 'commands')} cannot be listed, or is too large`;
  }
  return [...new Set(found)].filter((file) => {
    const read = readText(file, { limit: LIMIT });
    return read.ok || read.code !== 'missing';
  });
}

/** Files of this name below a folder; false when not all of it could be listed. */
function commandFiles(folder: string, name: string, depth: number, budget: { left: number }, found: string[]): boolean {
  const entries = folderEntries(folder);
  if (entries === null) return false;
  for (const entry of entries) {
    budget.left -= 1;
    if (budget.left < 0) return false;
    const path = join(folder, entry.name);
    if (entry.name.toLowerCase() === name.toLowerCase()) found.push(path);
    else if (entry.isSymbolicLink()) return false;
    else if (entry.isDirectory() && (depth === 0 || !commandFiles(path, name, depth - 1, budget, found))) return false;
  }
  return true;
}

function claimsOf(
  file: string,
  name: string,
  call: ToolCall,
  { project, home }: SkillPlaces,
  decideCall: (call: ToolCall) => Decision,
): SkillFact['claims'] {
  const where = isInside(file, project) ? relative(project, file) : file;
  const real = realPath(file);
  const isLed = real === null || ![project, realPath(home) ?? home].some((root) => isInside(real, root));
  if (isLed) return problem(`${where} leads to a file elsewhere`).claims;
  const read = readText(file, { limit: LIMIT });
  if (!read.ok) return problem(`${where} ${read.message}`).claims;
  const claims: SkillFact['claims'][number][] = [];
  let count = 0;
  for (const { 0: whole, 1: inline, 2: block = '', index } of read.text.matchAll(COMMAND)) {
    count += 1;
    if (count > MOST_COMMANDS) return [...claims, ...problem(`${where} runs more than ${MOST_COMMANDS} commands`).claims];
    const command = inline ?? block.trim();
    const line = read.text.slice(0, index).split('\n').length;
    const told = `the skill ${name} runs a command when it is loaded (${where}:${line})`;
    if (whole.length > LIMIT / 4) claims.push({ effect: 'ask', message: `${told} that is too long to be judged` });
    else if (ARGUMENT.test(command)) claims.push({ effect: 'ask', message: `${told} with its arguments in it` });
    else {
      const { decision, message } = decideCall({ ...call, tool: 'Bash', input: { command }, cwd: project });
      if (decision !== 'allow') claims.push({ effect: decision, message: `${told}: ${message}` });
    }
  }
  return claims;
}
