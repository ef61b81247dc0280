/** Why a command that nothing allowed is asked about: the obstacles to an allow, in the order in which they can be fixed. */
import type { Action, Command, GrammarIssue } from '../../command/model/command.js';
import { shownText } from '../../shell/syntax/shown-text.js';
import { outsideWords } from '../guards/outside-words.js';
import { isTemporary } from '../guards/temporary.js';
import { isNull } from '../place/path-references.js';
import { isOwn } from '../place/paths.js';
import type { CommandContext } from '../policy/command-context.js';
import type { Scope } from '../policy/scope.js';
import { codeRunOutsideProject, UNKNOWN_FOLDER, wordsOutsideProject } from '../proofs/outside-project.js';
import { leavingTask } from '../proofs/project-work.js';
import type { Ruling, Verdict } from '../ruling/combine.js';
import type { Reason } from '../ruling/decision.js';
import { staticWords } from './allowance.js';

/** The verdict when no ruling applies: the fallback, with the reasons why nothing allowed the command. */
export function whyUndecided(context: CommandContext, provenReads: boolean): Verdict {
  const ruling = fallbackRuling(context.command, context.scope, provenReads);
  if (ruling.effect === 'allow') return { decision: 'allow', rule: ruling.rule, reasons: [ruling.reason] };
  const reasons: Reason[] = context.issues.map((issue) => issueReason(context.command, issue));
  if (reasons.length === 0) reasons.push(...placeReasons(context));
  const elsewhere = codeRunOutsideProject(context);
  if (elsewhere !== null) reasons.unshift(elsewhereReason(context, elsewhere));
  else if (reasons.length === 0) reasons.push(...strayedReasons(context, ruling.reason));
  reasons.unshift(...outsideReasons(context));
  if (needsItsOwnRule(context.command)) reasons.unshift(leftOver(context, ruling.reason));
  const leaving = leavingTask(context);
  if (leaving !== null)
    reasons.unshift({
      code: 'work/leaves',
      message: `by its name, ${shownText(leaving)} deploys, publishes or otherwise affects more than this project`,
    });
  for (const one of context.inner) if (one.decision !== 'allow') reasons.push(...one.reasons);
  return {
    decision: ruling.effect,
    rule: ruling.rule,
    reasons: reasons.length > 0 ? reasons : [leftOver(context, ruling.reason)],
  };
}

/** The reason for a grammar issue, including the command that it is about, as a line may contain several. */
export function issueReason(command: Command, issue: GrammarIssue, prefix = ''): Reason {
  const { message } = issue;
  const named = command.name === null || message.includes(command.name) || issue.code.startsWith('assignment/');
  const words = named ? '' : `${about(command, issue)}${message.startsWith('-') ? ' ' : ': '}`;
  return { code: issue.code, message: `${prefix}${words}${message}`, span: issue.span };
}

/** The words of the command that an issue is about: `git` for `git -c x log`. Its code begins with them. */
function about(command: Command, { code }: GrammarIssue): string {
  const whole = spoken(command);
  const parts = code.split('/').slice(0, -1);
  return parts.length > 0 && parts[0] === command.verdict.words[0] ? whole.split(' ').slice(0, parts.length).join(' ') : whole;
}

/** The command as the line names it, with its subcommands. */
function spoken({ name, verdict, invocation }: Command): string {
  const first = invocation.argv[0]?.text ?? '';
  return verdict.known ? [name ?? first, ...verdict.words.slice(1)].join(' ') : first;
}

/** Whether a wrapper needs a rule even if its inner commands are allowed: another shell, other privileges, another machine. */
function needsItsOwnRule({ wrapper, inner }: Command): boolean {
  return inner.length > 0 && (wrapper?.kind === 'interpreter' || wrapper?.kind === 'privilege');
}

/** The reason when there is no other: no rule names the command, and why no preset allows it. */
function leftOver({ command, scope }: CommandContext, fallback: Reason): Reason {
  const what = shownText(spoken(command));
  if (fallback.code !== 'default/ask' || scope.guard === null || what === '') return fallback;
  if (scope.preset?.definition.provenReads !== true) return { ...fallback, message: `no rule or preset allows ${what}` };
  return { ...fallback, message: `no rule allows ${what}, ${whyUnproven(command)}` };
}

/** The project's rules apply only inside the project. */
function elsewhereReason({ command, scope }: CommandContext, folder: string): Reason {
  const where = folder === UNKNOWN_FOLDER ? 'an unknown folder, perhaps' : `${folder},`;
  const message = isOwn(folder, scope.facts)
    ? `${shownText(spoken(command))} would run in ${folder}, which holds other people's code, and the project's rules do not cover that`
    : `${shownText(spoken(command))} would run in ${where} outside the project ${scope.facts.project}, where the project's rules do not apply`;
  return { code: 'place/elsewhere', message };
}

/** Paths in rules are project paths, even in the user's own policy. */
function strayedReasons(context: CommandContext, fallback: Reason): Reason[] {
  const [word] = wordsOutsideProject(context);
  if (word === undefined || context.directory === null) return [];
  const message = `in ${context.directory} ${shownText(word)} is not the project path that a rule names`;
  return [leftOver(context, fallback), { code: 'place/strayed', message }];
}

function outsideReasons(context: CommandContext): Reason[] {
  const [word] = outsideWords(context);
  if (word === undefined) return [];
  const message = `${shownText(word)} leads outside the project ${context.scope.facts.project}, and only the project's code knows what it does with it`;
  return [{ code: 'place/outside', message }];
}

/** Why a command is not a proven read. */
function whyUnproven({ name, verdict, wrapper, inner }: Command): string {
  if (inner.length > 0 && wrapper?.kind === 'interpreter') return 'which starts another shell; give the commands without it';
  if (wrapper?.kind === 'interpreter' || SHELLS.has(name ?? '')) return 'which runs a script';
  if (inner.length > 0 && wrapper?.kind === 'privilege') return 'which runs another command';
  if (!verdict.known) return 'a command that policy does not know';
  for (const action of WORST_FIRST) {
    const effect = verdict.effects.find((one) => one.action === action && (action !== 'read' || one.path === null));
    if (effect !== undefined) return `which ${DOES[action]}${effect.path === null ? '' : ` (${shownText(effect.path.text)})`}`;
  }
  return 'which is not proven to only read';
}

const SHELLS = new Set(['bash', 'dash', 'ksh', 'sh', 'zsh']);
const WORST_FIRST: readonly Action[] = ['publish', 'delete', 'configure', 'spawn', 'execute', 'write', 'network', 'read'];
const DOES: Readonly<Record<Action, string>> = {
  publish: 'sends something out',
  delete: 'may delete files',
  configure: 'changes settings',
  spawn: 'starts another agent',
  execute: "runs other programs, perhaps the project's",
  write: 'may change files',
  network: 'talks to a service or another machine',
  read: 'may show secrets or files outside the project',
};

/** A default that allows still covers neither words known only at run time nor redirections to files. */
function fallbackRuling(command: Command, scope: Scope, provenReads: boolean): Ruling {
  const ruling = scope.fallback({ tool: scope.analysis.tool, provenReads, inProject: false });
  if (ruling.effect !== 'allow' || (staticWords(command) !== null && !writesFile(command))) return ruling;
  return UNSEEN;
}

const UNSEEN: Ruling = {
  effect: 'ask',
  rule: null,
  reason: {
    code: 'default/unseen',
    message: 'the default covers neither words that only the shell knows nor redirections to files',
  },
};

function writesFile(command: Command): boolean {
  return command.invocation.redirections.some(
    (one) => one.direction !== 'duplicate' && one.direction !== 'here' && one.target?.value !== '/dev/null',
  );
}

/** Why a command that only reads was not proven to stay inside the project. */
function placeReasons({ command, scope, paths }: CommandContext): Reason[] {
  if (!command.verdict.known || scope.preset?.definition.provenReads !== true) return [];
  const reasons: Reason[] = [];
  for (const path of paths) {
    const { reference, real, inProject } = path;
    if (inProject || isNull(reference) || isTemporary(path, scope)) continue;
    const known = real !== null || reference.globRoot !== null;
    const shown = reference.text === '.' && real !== null ? real.absolute : reference.text;
    const message = known ? `${shown} lies outside the project` : `where ${reference.text} leads is not certain`;
    reasons.push({
      code: known ? 'path/outside-project' : 'path/uncertain',
      message,
      ...(reference.span && { span: reference.span }),
    });
  }
  return reasons;
}
