/**
 * Rules that are never offered although they would let the call pass. Pasting a rule is permanent consent, and these would allow
 * programs that the rule does not name, or repeated loss of work and publication of branches.
 */
import { posix } from 'node:path';
import { flatten } from '../../command/model/called-commands.js';
import type { Command } from '../../command/model/command.js';
import { readsProgram, scriptOperand } from '../../command/model/interpreters.js';
import type { CallAnalysis } from '../flow/analysis.js';
import { directoryOf } from '../flow/directories.js';
import type { Place } from '../place/place.js';
import type { Facts } from '../ruling/facts.js';

const READS_PROGRAM =
  'no rule is suggested: it would run any piped or typed program; put the program into a project file and run that';
const OUTSIDE =
  'no rule is suggested: the program is outside the project, where anything may replace it; let a person approve this call';
const REVEALS =
  'no rule is suggested: it may show passwords, tokens or the whole environment; name the values that you need, or let a person approve this call';
const LOSES_WORK = 'no rule is suggested: it deletes work that cannot be restored; let a person approve this call';
const PUBLISHES =
  'no rule is suggested: it would allow every later push to this branch; let a person approve this call, or write the rule by hand';
const PATCH = 'no rule is suggested: a rule for patches would cover every file; use the editing tools';

/** Where a system keeps its programs: writing there needs more privileges. */
const SYSTEM = ['/bin/', '/sbin/', '/usr/', '/opt/', '/nix/store/'];
/** The usual names of branches that other people work from. */
const MAIN = ['main', 'master', 'trunk', 'develop'];
const FORCED =
  /^(?:--force(?:-with-lease|-if-includes)?(?:=.*)?|--mirror|--all|--delete|--prune|--tags|-[a-zA-Z]*[fd][a-zA-Z]*)$/;

/**
 * Why no rule is offered for a call; null if one may be.
 * @param protectedBranches the protected branches of the policy
 */
export function unsafeOffer(
  { lines }: CallAnalysis,
  place: Place,
  protectedBranches: readonly string[],
  git: Facts['git'],
): string | null {
  const current = [git?.upstream?.branch, git?.branch].filter((branch) => typeof branch === 'string');
  for (const command of lines.flatMap(({ tree }) => flatten(tree.commands))) {
    const why = refused(command, place, [...MAIN, ...protectedBranches], current);
    if (why !== null) return why;
  }
  return null;
}

function refused(command: Command, place: Place, branches: readonly string[], current: readonly string[]): string | null {
  const { name, invocation } = command;
  const words = invocation.argv.map(({ value }) => value ?? '');
  if (name === 'apply_patch' || name === 'applypatch' || name === 'patch') return PATCH;
  if (command.verdict.issues.some(({ code }) => code.endsWith('/secret'))) return REVEALS;
  if (readsProgram(command)) return READS_PROGRAM;
  const program = words[0] ?? '';
  const own = { ...place, cwd: directoryOf(command, place) ?? place.cwd };
  if (program.includes('/') && isOutside(program, own) && !SYSTEM.some((folder) => program.startsWith(folder))) return OUTSIDE;
  const script = scriptOperand(command);
  if (script !== null && isOutside(script, own)) return OUTSIDE;
  return name === 'git' ? refusedGit(command, words, branches, current) : null;
}

function isOutside(path: string, { cwd, project }: Place): boolean {
  if (path.startsWith('~')) return true;
  const whole = posix.resolve(cwd, path);
  return whole !== project && !whole.startsWith(`${project}/`);
}

/** Takes the first word with a subcommand's name as the subcommand: an option value before it (`-C push`) only makes this stricter. */
function refusedGit(
  { verdict: { conditions } }: Command,
  words: readonly string[],
  branches: readonly string[],
  current: readonly string[],
): string | null {
  const at = words.findIndex((word, index) => index > 0 && /^(?:push|reset|clean|branch)$/.test(word));
  const subcommand = words[at];
  const rest = words.slice(at + 1);
  const has = (pattern: RegExp) => rest.some((word) => pattern.test(word));
  switch (subcommand) {
    case 'push': {
      // If no branch is named, the current branch is pushed.
      const pushed = conditions.flatMap((one) => (one.kind !== 'branch' ? [] : one.name === null ? current : [one.name]));
      const isForced = has(FORCED) || rest.some((word) => /^[+:]/.test(word));
      return isForced || pushed.length === 0 || pushed.some((branch) => branches.includes(branch)) ? PUBLISHES : null;
    }
    case 'reset':
      return has(/^--(?:hard|merge|keep)$/) ? LOSES_WORK : null;
    case 'clean':
      return has(/^(?:--force|-[a-z]*f)/) ? LOSES_WORK : null;
    case 'branch':
      return has(/^(?:-[a-zA-Z]*[DMC]|--force|--delete)/) ? LOSES_WORK : null;
    default:
      return null;
  }
}
