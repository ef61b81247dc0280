/**
 * Files that a runner keeps for its own sessions: the plan that it shows to the person, notes for later sessions, a scratch
 * folder, and results too long for the model. Its own tools read and edit them, and the runner itself does not ask about that.
 */
import type { RunnerId } from '../../call/tool-call.js';
import type { Facts } from '../ruling/facts.js';
import type { ResolvedPath } from './paths.js';

/** Below the home directory. Notes are texts: nothing runs them, and no other file in the runner's folder has their extension. */
const CLAUDE_NOTES =
  /^\/\.claude\/(?:plans|projects\/[\w-]{1,255}\/memory(?:\/[A-Za-z0-9][\w-]{0,100}){0,4})\/[\w-][\w .-]{0,200}\.md$/;
/** The folder of one session; the number is the user ID. On macOS, /tmp is elsewhere. */
const CLAUDE_SCRATCH = /^(?:\/private)?\/tmp\/claude-\d{1,10}\/[\w-]{1,255}\/[\w-]{1,100}\/scratchpad(?:\/|$)/;
/** Outputs of background commands, and results of tools: written by the runner, read by the model. */
const CLAUDE_OUTPUTS = /^(?:\/private)?\/tmp\/claude(?:-\d{1,10})?\/(?:[\w-]{1,255}\/){1,2}tasks(?:\/[\w-]{1,100}\.output)?$/;
const CLAUDE_RESULTS = /^\/\.claude\/projects\/[\w-]{1,255}\/[\w-]{1,100}\/tool-results(?:\/|$)/;

/** Whether the path is a plan or note that the runner edits; it is protected from everyone else. */
export function isRunnerNote(path: ResolvedPath, runner: RunnerId | undefined, facts: Facts): boolean {
  return runner === 'claude-code' && holdsFor(path, facts, (_, below) => below !== null && CLAUDE_NOTES.test(below));
}

/**
 * Whether the runner may write there with its own tools, if nothing else prevents it. Notes are read in later sessions of their
 * project, so this project must not write those of another one.
 */
export function isRunnerWritten(path: ResolvedPath, runner: RunnerId | undefined, facts: Facts): boolean {
  if (runner !== 'claude-code') return false;
  const own = [facts.project, facts.cwd].map((folder) => `/.claude/projects/${folder.replace(/[^A-Za-z0-9]/g, '-')}`);
  const isOwn = (below: string) => !below.startsWith('/.claude/projects/') || own.some((start) => below.startsWith(`${start}/`));
  return holdsFor(
    path,
    facts,
    (whole, below) => isScratch(whole) || (below !== null && CLAUDE_NOTES.test(below) && isOwn(below)),
  );
}

/** Whether the runner may read there. */
export function isRunnerRead(path: ResolvedPath, runner: RunnerId | undefined, facts: Facts): boolean {
  if (runner !== 'claude-code') return false;
  return holdsFor(path, facts, (whole, below) =>
    below === null
      ? isScratch(whole) || CLAUDE_OUTPUTS.test(whole)
      : CLAUDE_NOTES.test(below) || CLAUDE_RESULTS.test(below) || isNotesFolder(below),
  );
}

const isScratch = (path: string) => CLAUDE_SCRATCH.test(path);
const isNotesFolder = (below: string) => /^\/\.claude\/(?:plans|projects\/[\w-]{1,255}\/memory)$/.test(below);

/** Tests both the path as written and its real target: a symlink that leads elsewhere is not a file of the runner. */
function holdsFor(
  { reference, real, locations }: ResolvedPath,
  { home }: Facts,
  test: (whole: string, below: string | null) => boolean,
): boolean {
  if (real === null || locations.length === 0 || reference.glob !== null || reference.assumed || reference.found) return false;
  return locations.every(({ absolute }) => test(absolute, absolute.startsWith(`${home}/`) ? absolute.slice(home.length) : null));
}
