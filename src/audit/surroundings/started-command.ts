/**
 * A command that a runner starts by itself, such as a hook of a project: the policy's decision about it, whether a rule can accept it, and
 * whether it does more than a team's formatter or script would. A command that is not known to be harmless is a problem.
 */

import { findRemedyDry, remedyLayer } from '../../author/remedy.js';
import type { ToolCall } from '../../call/tool-call.js';
import { flatten } from '../../command/model/called-commands.js';
import type { Command } from '../../command/model/command.js';
import { readsProgram } from '../../command/model/interpreters.js';
import { analyse } from '../../decide/flow/analysis.js';
import { remedyLine } from '../../decide/remedy/remedy.js';
import type { Offer } from '../../decide/remedy/types.js';
import type { CommandDecision, Decision } from '../../decide/ruling/decision.js';
import { enforceDry } from '../../enforce/enforce.js';
import { data } from '../../generated/data.js';
import type { Workspace } from '../../project/workspace.js';

export interface StartedCommand {
  /** `allowed`: the policy would let an agent run it; `note`: it runs a file of the project, or a formatter. */
  readonly level: 'allowed' | 'note' | 'problem';
  /** Completes "and …"; empty unless it is a problem. */
  readonly why: string;
  /** Rules that accept it together; null if none can, or none should be offered. */
  readonly offer: Offer | null;
  /** The only objection is that its code is part of the line: as a script of the project, a rule could name it. */
  readonly scriptable?: true;
  readonly decision: Decision;
}

/** Judges a command that nobody has read: by the policy, and by the nature of its programs. */
export function startedCommand(workspace: Workspace, call: ToolCall): StartedCommand {
  const decision = enforceDry(workspace, call);
  if (decision.decision === 'allow') return { level: 'allowed', why: '', offer: null, decision };
  if (decision.decision === 'deny')
    return { level: 'problem', why: `the policy denies it: ${decision.message}`, offer: null, decision };
  const commands = analyse(call).lines.flatMap(({ tree }) => flatten(tree.commands));
  const offer = offerFor(workspace, call, decision, commands);
  const grave = graveOf(commands);
  if (grave !== null) {
    const { why, acceptable, ...more } = grave;
    return { level: 'problem', why, offer: acceptable ? offer : null, ...more, decision };
  }
  if (offer !== null || onlyFormats(decision, commands)) return { level: 'note', why: '', offer, decision };
  return { level: 'problem', why: `the policy does not allow it: ${decision.message}`, offer: null, scriptable: true, decision };
}

/**
 * Returns the command as a call. The runner substitutes the project's folder for its variable, and starts the command there. Null
 * if no shell would read it as written.
 */
export function startedCall(command: string, project: string): ToolCall | null {
  const inside = command.replace(
    /(^|\s)"?\$(?:CLAUDE_PROJECT_DIR|\{CLAUDE_PROJECT_DIR\})"?\/([\w@%+=:,./-]+)"?(?=$|[\s;&|)])/g,
    '$1./$2',
  );
  const isOpen = /\$(?:CLAUDE_PROJECT_DIR|\{CLAUDE_PROJECT_DIR\})/.test(inside);
  if (isOpen && !/^[\w@%+=:,./-]+$/.test(project)) return null;
  const written = inside.replace(/"?\$(?:CLAUDE_PROJECT_DIR|\{CLAUDE_PROJECT_DIR\})"?/g, () => project);
  return { tool: 'Bash', input: { command: written }, cwd: project, headless: false, shell: 'union' };
}

/** Returns the command line that accepts the command. */
export function allowLine(offer: Offer, workspace: Workspace): string {
  return remedyLine({ kind: 'rules', offers: [offer] }, remedyLayer(workspace));
}

/**
 * Whether a rule that a person wrote names this very command: a command that only a preset or a wide rule allows was not reviewed
 * for this purpose.
 */
export function isNamedByRule({ decision, commands }: Decision): boolean {
  return decision === 'allow' && commands.length > 0 && commands.every(isNamed);
}

function isNamed({ text, rule, decision }: CommandDecision): boolean {
  if (decision !== 'allow' || rule === null || rule.effect !== 'allow' || rule.layer === 'preset') return false;
  const pattern = /^\w+\((.*)\)$/s.exec(rule.text)?.[1] ?? '';
  return plainWords(pattern.replace(/\s*:?\*$/, '')) === plainWords(text);
}

/** Removes quotes, `./` and redirections to nowhere, which are not part of a rule. */
function plainWords(text: string): string {
  const words = text.replace(/["'\\]/g, '').replace(/\s*\d?>+\s*(?:\/dev\/null|&\d)/g, '');
  return words
    .replace(/(^|\s)\.\//g, '$1')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns the narrowest rules that accept it: for an unknown program, only those about the whole program or a script of the project. */
function offerFor(workspace: Workspace, call: ToolCall, decision: Decision, commands: readonly Command[]): Offer | null {
  const remedy = findRemedyDry(workspace, call, decision);
  const offers = remedy?.kind === 'rules' ? remedy.offers : [];
  const areKnown = commands.every((one) => one.verdict.known || one.inner.length > 0 || isOfProject(one));
  const isReasonable =
    areKnown || offers.some(({ scope, rules }) => (scope === 'script' || scope === 'arguments') && rules.length === 1);
  return isReasonable ? (SCOPES.flatMap((scope) => offers.find((one) => one.scope === scope) ?? [])[0] ?? null) : null;
}

/** The narrowest first; scopes wider than the program are not offered. */
const SCOPES: readonly Offer['scope'][] = ['exact', 'file', 'script', 'arguments'];

interface Grave {
  readonly why: string;
  /** A person who knows the command may accept it by a rule. */
  readonly acceptable: boolean;
  readonly scriptable?: true;
}

/**
 * Detects commands that do what no formatter or script of a team needs: bring in programs, send data away, or contain their
 * program in the line.
 */
function graveOf(commands: readonly Command[]): Grave | null {
  const reader = commands.find(readsProgram);
  if (reader !== undefined) return { why: `${nameOf(reader)} runs its input as a program`, acceptable: false };
  const other = commands.find(({ name }) => name !== null && ELSEWHERE.has(name));
  if (other !== undefined)
    return { why: `${nameOf(other)} runs a command with other permissions, or elsewhere`, acceptable: false };
  const coded = commands.find(holdsCode);
  if (coded !== undefined)
    return {
      why: `the program for ${nameOf(coded)} is in the line, where it is not analysed`,
      acceptable: false,
      scriptable: true,
    };
  const changing = commands.find(changesSettings);
  if (changing !== undefined) return { why: `${nameOf(changing)} changes settings, or starts an agent`, acceptable: false };
  const talking = commands.filter((one) => talks(one) && !isFormatter(one) && !startsKnown(one));
  const [first] = talking;
  if (first === undefined) return null;
  const acceptable = talking.every(({ name }) => name !== null && !wide().network.has(name));
  return { why: `${nameOf(first)} contacts other machines`, acceptable };
}

function changesSettings({ verdict: { effects, words } }: Command): boolean {
  return (
    (words[0] === 'git' && words[1] === 'config') || effects.some(({ action }) => action === 'configure' || action === 'spawn')
  );
}

function talks({ verdict }: Command): boolean {
  return verdict.effects.some(({ action }) => action === 'network' || action === 'publish');
}

/** `npx prettier`, `uv run pytest`: may fetch a program with a known name, or starts a script of the project. */
function startsKnown({ inner, invocation: { argv } }: Command): boolean {
  const [first] = inner;
  const start = first?.invocation.argv[0]?.span.start;
  if (start === undefined) return false;
  const before = argv.slice(1).filter(({ span }) => span.start < start);
  return (
    before.every(({ value }) => value !== null && STARTING.test(value)) &&
    inner.every((one) => one.verdict.known || isFormatter(one) || isOfProject(one))
  );
}

const STARTING = /^(?:run|exec|x|tool|dlx|-y|--yes|--no|--no-install|-q|--quiet|-s|--silent|--)$/;

/**
 * Whether it is a script named by its path below the project, where the runner starts its commands: `./x`, `.claude/hooks/x.py`;
 * `a/x` may be a package.
 */
function isOfProject({ invocation: { argv } }: Command): boolean {
  const path = argv[0]?.value ?? '';
  return /^\.[\w@-]*(?:\/[\w.@-]+)+$/.test(path) && !path.split('/').includes('..');
}

function nameOf({ name, invocation }: Command): string {
  return name ?? invocation.argv[0]?.text ?? 'it';
}

const ELSEWHERE: ReadonlySet<string> = new Set(
  'sudo doas su pkexec runas ssh docker podman nerdctl kubectl nsenter chroot'.split(' '),
);

/** Options whose value is a program. */
const CODE = /^(?:-[cEepr]|--(?:eval|print|command|run))$/;

function holdsCode({ name, verdict: { issues } }: Command): boolean {
  if (name === null) return false;
  if (PROGRAMS.has(name) && issues.some(({ word, option }) => word > 0 && option === null)) return true;
  return wide().interpreter.has(name) && issues.some(({ option }) => option !== null && CODE.test(option));
}

/** Their operand is a program that can start others. */
const PROGRAMS: ReadonlySet<string> = new Set(['awk', 'gawk', 'mawk', 'sed', 'jq']);

interface WideCommands {
  readonly interpreter: ReadonlySet<string>;
  readonly network: ReadonlySet<string>;
}

let known: WideCommands | null = null;

/** Returns the programs with which a wildcard opens everything (rules/wide-commands.yaml). */
function wide(): WideCommands {
  if (known !== null) return known;
  const { interpreter, network } = data('wide-commands') as Readonly<Record<keyof WideCommands, readonly string[]>>;
  known = { interpreter: new Set(interpreter), network: new Set(network.map((words) => words.split(' ')[0] ?? '')) };
  return known;
}

/** Objections to an allow that do not indicate harm in a program that reformats files: they concern which files it is given. */
const ABOUT_FILES =
  /^(?:word\/|rule\/(?:uncertain|allow)|secret\/(?:unknown|tree)|protected\/(?:unknown|project)|default\/|shell\/command-substitution|preset\/|path\/)/;

/** Whether each part of the line is allowed, or is a formatter whose files are unknown or may be denied by a rule. */
function onlyFormats({ commands: decided }: Decision, commands: readonly Command[]): boolean {
  const refused = decided.filter(({ decision }) => decision !== 'allow');
  return refused.length > 0 && refused.every((one) => formats(one, commands));
}

function formats(decided: CommandDecision, commands: readonly Command[]): boolean {
  const { span, inner, reasons } = decided;
  const command = commands.find(({ invocation }) => invocation.span.start === span.start && invocation.span.end === span.end);
  if (inner.length > 0)
    return reasons.every(({ code }) => ABOUT_FILES.test(code)) && inner.every((one) => formats(one, commands));
  return (
    command !== undefined && isFormatter(command) && reasons.every(({ code }) => ABOUT_FILES.test(code) || isOwn(command, code))
  );
}

function isFormatter({ name, verdict, invocation: { argv, assignments } }: Command): boolean {
  // An option that is not known to be harmless may start another program.
  if (assignments.length > 0 || !verdict.issues.every(({ option }) => option === null || REWRITES.test(option))) return false;
  const { formatters } = data('risky-settings') as { readonly formatters: readonly string[] };
  const [, subcommand] = argv;
  return name !== null && (formatters.includes(name) || (verdict.known && formatters.includes(`${name} ${subcommand?.value}`)));
}

/** Whether it is a rating of the formatter's own grammar that only states that it rewrites files: `ruff/format/write`. */
function isOwn({ verdict }: Command, code: string): boolean {
  const found = verdict.issues.filter((one) => one.code === code);
  return found.length > 0 && found.every(({ option, word }) => (option === null ? word < 2 : REWRITES.test(option)));
}

const REWRITES = /^(?:-[wi]|--(?:write|fix|in-place|inplace|apply|unsafe-fixes|fix-only|check))$/;
