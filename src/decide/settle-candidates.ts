/** The allow rules that might settle a call: for each command or subject a sensible rule and a narrow one. Nothing here is proven. */
import type { Command } from '../command/command.js';
import { member } from '../generated/data.js';
import type { CompiledRuleData } from '../rule/compiled-rule.js';
import type { CallAnalysis } from './analysis.js';
import { commandReferences } from './command-references.js';
import type { Decision } from './decision.js';
import type { Facts } from './facts.js';
import { subjectReference } from './path-references.js';
import { type ResolvedPath, resolvePath } from './paths.js';
import type { Place } from './place.js';
import { compileNarrow, type NarrowKind } from './settle-rule.js';

/** Rules for one command or subject, the preferred one first; none when nothing sensible can be written. */
type Choice = readonly CompiledRuleData[];
/** More rules than this nobody reads before agreeing to them. */
const MOST_RULES = 3;
const MOST_LENGTH = 300;

/** Whether a wildcard behind these words would open a whole family of commands (rules/wide-commands.yaml). */
function isWide(words: readonly string[]): boolean {
  return member('#wide', words.join(' ')) !== undefined;
}

/** Sets of rules to be tried, the preferred one first. Each may be wrong: whoever prints one has decided the call with it before. */
export function candidateRules(analysis: CallAnalysis, decision: Decision, facts: Facts, place: Place): CompiledRuleData[][] {
  if (analysis.tool.mcp === null && analysis.lines.length > 0) return commandCandidates(analysis, decision, facts, place);
  const choices = subjectChoices(analysis, facts, place);
  return setsOf(choices);
}

/** First choice of everything, then the narrowest of everything; sets that are too long, or have a gap, are left out. */
function setsOf(choices: readonly Choice[]): CompiledRuleData[][] {
  if (choices.length === 0 || choices.some((choice) => choice.length === 0)) return [];
  const sets = [choices.map((choice) => choice.slice(0, 1)), choices.map((choice) => choice.slice(-1))];
  return sets.map((set) => unique(set.flat())).filter((set) => set.length <= MOST_RULES);
}

function unique(rules: readonly CompiledRuleData[]): CompiledRuleData[] {
  return rules.filter(({ rule }, index) => rules.findIndex((other) => other.rule.text === rule.text) === index);
}

/** Rules for the commands that are not allowed yet, alone and together with rules for the files that they write. */
function commandCandidates(analysis: CallAnalysis, decision: Decision, facts: Facts, place: Place): CompiledRuleData[][] {
  const commands = analysis.lines.flatMap((line) => line.tree.commands);
  const known = decision.commands.length === commands.length;
  const open = commands.filter((_, index) => !known || decision.commands[index]?.decision !== 'allow').flatMap(deciding);
  const files = open.flatMap((command) => writtenFiles(command, facts, place));
  // Commands that begin with different words never share a rule.
  const beginnings = new Set(open.map(({ invocation }) => invocation.argv[0]?.value));
  if (beginnings.size > MOST_RULES) return setsOf(files);
  const choices = open.map(commandChoice);
  const alone = setsOf(choices);
  const together = files.length === 0 ? [] : [...setsOf(files), ...setsOf([...choices, ...files])];
  return [...alone, ...together];
}

/** Of a command that only passes on to others, those others: a rule for it would not count. */
function deciding(command: Command): Command[] {
  const kind = command.wrapper?.kind;
  const passes = (kind === 'transparent' || kind === 'appending') && command.inner.length > 0;
  return passes ? command.inner.flatMap(deciding) : [command];
}

/** `git push *` where the grammar knows what may follow, `npm run test *` for a script of the project; else the exact words. */
function commandChoice(command: Command): Choice {
  const words = command.invocation.argv.map((word) => (word.glob || word.tilde ? null : word.value));
  if (words.length === 0 || words.some((word) => word === null)) return [];
  const exact = words.map((word) => patternWord(word ?? ''));
  const head = openHead(command, words.map(String));
  return [head === null ? null : `${head} *`, exact.includes(null) ? null : exact.join(' ')].flatMap((pattern) =>
    pattern === null || pattern.length > MOST_LENGTH ? [] : (compileNarrow('Bash', pattern, 'command') ?? []),
  );
}

/** The words that a wildcard may follow without opening more than operands; null when there are none. */
function openHead(command: Command, words: readonly string[]): string | null {
  const script = words[1] === 'run' && /^(?:npm|pnpm|yarn|bun)$/.test(words[0] ?? '') ? 3 : 0;
  if (script > 0 && /^[A-Za-z][\w:.-]*$/.test(words[2] ?? '')) return words.slice(0, script).join(' ');
  const { known, words: named, effects } = command.verdict;
  if (!known || named.length < 2 || named.some((word, index) => word !== words[index]) || isWide(named)) return null;
  const grave = effects.some(({ action }) => action === 'delete' || action === 'execute' || action === 'configure');
  // Behind it stands the branch, which may be the one that everybody works from.
  if (named.join(' ') === 'git push') return null;
  return grave || !named.every((word) => /^[\w-]+$/.test(word)) ? null : named.join(' ');
}

/** A word as a pattern writes it: quoted where it holds white space; null when it would say something else there. */
function patternWord(word: string): string | null {
  if (/^[\w./:=@%+,-]+$/.test(word)) return word;
  if (/[*?]/.test(word) || !isPrintable(word)) return null;
  if (word !== '' && !/[\s"']/.test(word)) return word;
  if (!word.includes("'")) return `'${word}'`;
  return word.includes('"') ? null : `"${word}"`;
}

function isPrintable(text: string): boolean {
  return /^[\x20-\x7e]*$/.test(text) || !holdsHidden(text);
}

/** The properties of Unicode take long to make ready, already where V8 compiles the function around them. */
function holdsHidden(text: string): boolean {
  return /[\p{C}\p{Zl}\p{Zp}]/u.test(text);
}

/** Rules for the files that redirections of a command write or read. */
function writtenFiles(command: Command, facts: Facts, place: Place): Choice[] {
  const spans = command.invocation.redirections.flatMap(({ target, direction }) =>
    target === null || direction === 'duplicate' || direction === 'here' || target.value === '/dev/null' ? [] : [target.span],
  );
  if (spans.length === 0) return [];
  return commandReferences(command, place)
    .filter(({ span }) => span !== null && spans.includes(span))
    .map((reference) => pathChoice(reference.access === 'read' ? 'Read' : 'Edit', resolvePath(reference, facts)));
}

/** Rules for the subjects of any other tool; for a tool without any, the tool itself. */
function subjectChoices(analysis: CallAnalysis, facts: Facts, place: Place): Choice[] {
  const { tool, subjects } = analysis;
  const { canonical } = tool;
  const own = subjects.subjects.filter(({ kind }) => kind === 'path' || kind === 'url' || kind === 'name');
  if (subjects.missing || (tool.mcp === null && tool.access === 'execute')) return [];
  if (tool.mcp !== null || own.length === 0) return [compiledOne(canonical, null, 'tool')];
  return own.map((subject) => {
    if (subject.kind === 'url') return compiledOne(canonical, hostPattern(subject.value), 'url');
    if (subject.kind === 'name') return compiledOne(canonical, /[*?()\s:]/.test(subject.value) ? null : subject.value, 'name');
    const access = subject.access === 'write' ? 'Edit' : subject.access === 'read' && tool.access === 'read' ? 'Read' : canonical;
    return pathChoice(access, resolvePath(subjectReference(subject, place), facts));
  });
}

function compiledOne(tool: string, pattern: string | null, kind: NarrowKind): Choice {
  const rule = kind !== 'tool' && pattern === null ? null : compileNarrow(tool, pattern, kind);
  return rule === null ? [] : [rule];
}

function hostPattern(address: string): string | null {
  const host = URL.canParse(address) ? new URL(address).hostname : '';
  return /^[a-z0-9.-]+$/.test(host) ? `domain:${host}` : null;
}

/** In the project the folder that the file is in at its top, then the file; elsewhere only the very file. */
function pathChoice(tool: string, { real, locations }: ResolvedPath): Choice {
  const where = real ?? locations[0];
  if (where === undefined) return [];
  const patterns: readonly string[] = where.project === null ? [`/${where.absolute}`] : projectPatterns(where.project);
  return patterns.flatMap((pattern) => (isLiteral(pattern) ? (compileNarrow(tool, pattern, 'path') ?? []) : []));
}

function projectPatterns(path: string): string[] {
  const [top = '', ...below] = path.split('/');
  if (path === '') return ['/**'];
  return below.length === 0 ? [`/${path}`] : [`/${top}/**`, `/${path}`];
}

function isLiteral(pattern: string): boolean {
  const words = pattern.replace(/\/\*\*$/, '');
  if (pattern.length > MOST_LENGTH || /[*?[\]{}()!\\"']/.test(words)) return false;
  return isPrintable(words);
}
