/** Allow rules that might allow a call: as general as a person would write them, and as narrow as possible. None of them is proven yet. */
import type { Command } from '../../command/model/command.js';
import { onlyReads, readOnlyPattern } from '../call/read-only-tools.js';
import type { CallAnalysis } from '../flow/analysis.js';
import { commandReferences } from '../flow/references.js';
import { subjectReference } from '../place/path-references.js';
import { type ResolvedPath, resolvePath } from '../place/paths.js';
import type { Place } from '../place/place.js';
import type { Decision } from '../ruling/decision.js';
import type { Facts } from '../ruling/facts.js';
import { argumentOffers } from './arguments.js';
import { commandOffers, insideOffers } from './commands.js';
import { type Choice, type OfferedRule, offered } from './offer.js';
import { pathOffers } from './paths.js';

/** At most this many rules are offered together: nobody reads more before agreeing. */
const MOST_RULES = 3;

/**
 * Sets of rules to try, the preferred one first. Each may be wrong: the caller must decide the call with a set before it offers that set.
 */
export function candidateRules(
  analysis: CallAnalysis,
  decision: Decision,
  facts: Facts,
  place: Place,
): readonly (readonly OfferedRule[])[] {
  if (analysis.tool.mcp === null && analysis.lines.length > 0)
    return distinct(commandCandidates(analysis, decision, facts, place));
  return distinct(setsOf(subjectChoices(analysis, facts, place)));
}

/**
 * Builds one set per rank of the choices, from the most natural rule to the narrowest, with one rule for each choice. Choices
 * without rules give no sets.
 */
function setsOf(choices: readonly Choice[]): OfferedRule[][] {
  if (choices.length === 0 || choices.some((choice) => choice.length === 0)) return [];
  const depth = Math.max(...choices.map(({ length }) => length));
  const ranks = Array.from({ length: depth }, (_, rank) => rank);
  return ranks
    .map((rank) => unique(choices.flatMap((choice) => choice[Math.min(rank, choice.length - 1)] ?? [])))
    .filter((set) => set.length <= MOST_RULES);
}

function unique(rules: readonly OfferedRule[]): OfferedRule[] {
  return rules.filter(({ rule }, index) => rules.findIndex((other) => other.rule.rule.text === rule.rule.text) === index);
}

function distinct(sets: readonly (readonly OfferedRule[])[]): readonly (readonly OfferedRule[])[] {
  const texts = sets.map((set) => set.map(({ rule }) => rule.rule.text).join('\n'));
  return sets.filter((_, at) => texts.indexOf(texts[at] ?? '') === at);
}

/**
 * Rules for what the undecided commands do outside the project, rules for these commands, and both; each also together with rules
 * for the files that they write.
 */
function commandCandidates(analysis: CallAnalysis, decision: Decision, facts: Facts, place: Place): OfferedRule[][] {
  const commands = analysis.lines.flatMap((line) => line.tree.commands);
  const known = decision.commands.length === commands.length;
  const undecided = commands.filter((_, index) => !known || decision.commands[index]?.decision !== 'allow');
  const open = undecided.flatMap(deciding);
  const withPaths = (command: Command) => ({ command, paths: resolvedPaths(command, facts, place) });
  const paths = open.map(withPaths);
  // A wrapper needs no rule for itself, but the files of its redirections do.
  const touching = [...undecided.flatMap(wrappersOf).map(withPaths), ...paths];
  const outside = touching.flatMap((one) =>
    one.paths.filter(isOutside).map((path) => pathOffers(accessTool(path), path, place.home)),
  );
  const files = touching.flatMap((one) => writtenFiles(one.command, one.paths, place.home));
  // Commands that begin with different words never share a rule.
  const beginnings = new Set(open.map(({ invocation }) => invocation.argv[0]?.value));
  const choices =
    beginnings.size > MOST_RULES
      ? []
      : open.map((command) => commandOffers(command, { paths: resolvedPaths(command, facts, place), place }));
  const inside = open.map(insideOffers);
  const withInside = inside.every((one) => one === null) ? [] : inside.flatMap((one, at) => one ?? [choices[at] ?? []]);
  // Besides rules for commands, only the files of redirections need rules of their own.
  const beside = files.length === 0 ? [] : setsOf([...choices, ...files]);
  return [
    ...setsOf(outside),
    ...setsOf(files),
    ...setsOf(withInside),
    ...setsOf(choices),
    ...(choices.length === 0 ? [] : beside),
    ...mixed(paths, place),
  ];
}

/** For each command that reaches outside, a rule for the place; for any other, a rule for the command. */
function mixed(
  commands: readonly { readonly command: Command; readonly paths: readonly ResolvedPath[] }[],
  place: Place,
): OfferedRule[][] {
  const choices = commands.flatMap(({ command, paths }): Choice[] => {
    const outside = paths.filter(isOutside);
    return outside.length > 0
      ? outside.map((path) => pathOffers(accessTool(path), path, place.home))
      : [commandOffers(command, { paths, place })];
  });
  return setsOf(choices);
}

function resolvedPaths(command: Command, facts: Facts, place: Place): readonly ResolvedPath[] {
  return commandReferences(command, place).map((reference) => resolvePath(reference, facts));
}

function isOutside({ inProject, reference, real }: ResolvedPath): boolean {
  return (
    !inProject && real !== null && reference.globRoot === null && reference.key !== '/dev/null' && reference.access !== 'delete'
  );
}

function accessTool({ reference }: ResolvedPath): 'Read' | 'Edit' {
  return reference.access === 'write' ? 'Edit' : 'Read';
}

/** For a command that only runs others, those others: a rule for it would have no effect. */
function deciding(command: Command): Command[] {
  return passesOn(command) ? command.inner.flatMap(deciding) : [command];
}

/** The commands that only run others, outermost first. */
function wrappersOf(command: Command): Command[] {
  return passesOn(command) ? [command, ...command.inner.flatMap(wrappersOf)] : [];
}

function passesOn({ wrapper, inner }: Command): boolean {
  return (wrapper?.kind === 'transparent' || wrapper?.kind === 'appending') && inner.length > 0;
}

/** Rules for the files that a command's redirections write or read. */
function writtenFiles({ invocation }: Command, paths: readonly ResolvedPath[], home: string): Choice[] {
  const spans = invocation.redirections.flatMap(({ target, direction }) =>
    target === null || direction === 'duplicate' || direction === 'here' || target.value === '/dev/null' ? [] : [target.span],
  );
  if (spans.length === 0) return [];
  return paths
    .filter(({ reference: { span } }) => span !== null && spans.includes(span))
    .map((path) => pathOffers(accessTool(path), path, home));
}

/** Rules for the subjects of any other tool; for a tool without subjects, a rule for the tool itself. */
function subjectChoices(analysis: CallAnalysis, facts: Facts, place: Place): Choice[] {
  const { tool, subjects } = analysis;
  const { canonical } = tool;
  const own = subjects.subjects.filter(({ kind }) => kind === 'path' || kind === 'url' || kind === 'name');
  if (subjects.missing || (tool.mcp === null && tool.access === 'execute')) return [];
  if (tool.mcp !== null) {
    const exact = offered(canonical, null, 'tool', 'tool', `${canonical} with any input`);
    const pattern = onlyReads(analysis) ? readOnlyPattern(tool.mcp, canonical) : null;
    const also = `every tool of ${tool.mcp.server} that only reads, by its name and input`;
    const named = argumentOffers(analysis, facts, place);
    return [[...(pattern === null ? [] : offered(pattern.tool, pattern.pattern, 'name', 'server', also)), ...named, ...exact]];
  }
  if (own.length === 0) return [offered(canonical, null, 'tool', 'tool', `${canonical} with any input`)];
  return own.map((subject) => {
    if (subject.kind === 'url') {
      const host = hostOf(subject.value);
      return host === null ? [] : offered(canonical, `domain:${host}`, 'url', 'host', `every address of ${host}`);
    }
    if (subject.kind === 'name')
      return /[*?()\s:]/.test(subject.value) ? [] : offered(canonical, subject.value, 'name', 'exact', null);
    const access = subject.access === 'write' ? 'Edit' : subject.access === 'read' && tool.access === 'read' ? 'Read' : canonical;
    return pathOffers(access, resolvePath(subjectReference(subject, place), facts), place.home);
  });
}

function hostOf(address: string): string | null {
  const host = URL.canParse(address) ? new URL(address).hostname : '';
  return /^[a-z0-9.-]+$/.test(host) ? host : null;
}
