/**
 * Goals that Claude Code interprets as a slash command. It asks the hook about commands that have a file; it carries out its own
 * commands without the hook, and some of those change the person's settings (`/config`).
 */
import { skillFiles } from '../../enforce/agents/skill-files.js';
import type { SkillPlaces } from '../../enforce/agents/skill-places.js';
import { UsageError } from '../terminal/exit.js';

const COMMAND = /^\s*\/([\w:-]+)(?:\s|$)/;

/**
 * Throws UsageError for a command without a file.
 * @param isClean the project's files have no effect
 */
export function refuseOwnCommand(goal: string, places: SkillPlaces, isClean: boolean): void {
  const name = COMMAND.exec(goal)?.[1];
  if (name === undefined) return;
  const { home } = places;
  const files = skillFiles(name, isClean ? { project: home, home, cwd: home } : places);
  if (typeof files === 'string' || files.length > 0) return;
  const one = isClean ? "no file but the project's, which --project-settings brings back" : 'no file';
  throw new UsageError(
    `/${name} has ${one}, so it can only be the client's own command, which no hook judges and which may change your settings`,
    'fix: describe the task in words, such as --goal "Explain src/."',
  );
}

/**
 * Throws UsageError if the initial prompt in a project's definition is not plain text.
 * @param agent its name
 */
export function refuseFirstCommand(prompt: string, agent: string): void {
  for (const line of prompt.split('\n'))
    if (/^\s*[/!#&]/.test(line))
      throw new UsageError(
        `The initialPrompt of ${agent} (${line.trim().slice(0, 80)}) may be a client command, which no hook judges`,
        `fix: remove initialPrompt from the definition of ${agent}, and give --goal TEXT`,
      );
}
