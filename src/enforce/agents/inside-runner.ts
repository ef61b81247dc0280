/** Detects whether a coding agent started this command, which then must not change what agents may do (docs/guarantees.md, 5). */
import { basename } from 'node:path';
import { data } from '../../generated/data.js';
import { ancestorsOf, type ProcessEntry } from './process-tree.js';

export interface InsideRunner {
  /** The runner's id (`claude-code`), or `agent` if it is not known which runner it is. */
  readonly runner: string;
  /** The evidence, phrased as the middle of a sentence: `CLAUDECODE is set`, `process 4711 is claude`. */
  readonly evidence: string;
}

const markers = data('runner-markers') as {
  readonly titles: Readonly<Record<string, string>>;
  readonly variables: Readonly<Record<string, string>>;
  readonly processes: Readonly<Record<string, string>>;
  readonly paths: Readonly<Record<string, string>>;
};
const processes = new Map(Object.entries(markers.processes));
const paths = Object.entries(markers.paths);
const titles = new Map(Object.entries(markers.titles));

const INTERPRETERS = new Set(['node', 'nodejs', 'bun', 'deno']);
/** Interpreter options that take the next word as their value, and words that precede the script name for bun and deno. */
const WITH_VALUE = new Set(['-r', '--require', '--import', '--loader', '--experimental-loader', '-C', '--conditions', '--title']);
const BEFORE_SCRIPT = new Set(['run', 'x']);

/**
 * Returns the coding agent that this process runs in; null when there is no sign of one.
 *
 * The signs are the variables that runners set and the process's ancestors. A program that an agent is allowed to run can shake
 * off both; that is why `decide` also denies these commands to agents. On Windows only the variables are checked.
 * @param pid the process whose ancestors are checked
 */
export function insideRunner(place: {
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly pid: number;
  readonly platform: NodeJS.Platform;
}): InsideRunner | null {
  for (const [name, runner] of Object.entries(markers.variables))
    if ((place.environment[name] ?? '') !== '') return { runner, evidence: `${name} is set` };
  for (const ancestor of ancestorsOf(place.pid, place.platform)) {
    const found = runnerOf(ancestor);
    if (found !== null) return { runner: found.runner, evidence: `process ${ancestor.pid} is ${found.sign}` };
  }
  return null;
}

/**
 * Returns one sentence for stderr that states why the command refuses (exit code 3); nothing may have been changed before.
 * @param command as it was typed: `policy trust`
 */
export function refusedInsideRunner(command: string, { runner, evidence }: InsideRunner): string {
  const [why, done] =
    command === 'policy run'
      ? ['starts an agent with a policy of its own', 'Nothing was started.']
      : ['changes what agents may do', 'Nothing was changed.'];
  return `${command} ${why}, so a person has to run it in their own terminal; this one runs inside ${titles.get(runner) ?? runner} (${evidence}). ${done}`;
}

function runnerOf(entry: ProcessEntry): { readonly runner: string; readonly sign: string } | null {
  const script = scriptOf(entry);
  for (const word of [entry.name, entry.program, entry.argv[0] ?? '', script]) {
    const name = basename(word);
    // Any project may have a script called claude.mjs; a runner's own script is in its package.
    const runner = processes.get(name) ?? (word === script ? undefined : processes.get(name.replace(/\.exe$/, '')));
    if (runner !== undefined) return { runner, sign: name };
    const place = paths.find(([part]) => `${word}/`.includes(part));
    if (place !== undefined) return { runner: place[1], sign: word };
  }
  return null;
}

/** Returns the script that an interpreter was started with; an empty string for other programs. */
function scriptOf({ name, program, argv }: ProcessEntry): string {
  if (![name, basename(program), basename(argv[0] ?? '')].some((one) => INTERPRETERS.has(one))) return '';
  for (let at = 1; at < argv.length; at += 1) {
    const word = argv[at] ?? '';
    if (WITH_VALUE.has(word)) at += 1;
    else if (word !== '' && !word.startsWith('-') && !BEFORE_SCRIPT.has(word)) return word.replace(/^npm:/, '/');
  }
  return '';
}
