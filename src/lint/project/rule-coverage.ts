/** Whether one permission rule covers another one completely; in case of doubt it does not. */
import { describeTool } from '../../call/catalogue.js';
import { printArguments, readArguments } from '../../rule/pattern/argument-pattern.js';
import type { Effect, PermissionRule } from '../../rule/pattern/permission-rule.js';
import { knownToolsCovered, toolsCovered } from '../../rule/pattern/tool-coverage.js';
import { patternKinds } from '../../rule/rule-set.js';
import { CommandCoverage, plainPattern, type ShellPattern, someCommand } from '../coverage/command-coverage.js';
import { decidesCommand } from '../coverage/example.js';
import type { RuleInFile } from './project.js';

/** The maximum number of rules of one file that are compared with each other; of more rules only the first ones are. */
export const MOST_COMPARED = 2_000;

/** A pattern that is compared as a row of tokens, for example the segments of a path. */
interface Tokens {
  readonly kind: 'path' | 'arguments' | 'other';
  readonly tokens: readonly string[];
  /** Anything may follow the tokens. */
  readonly open: boolean;
}

/** The rules with the same tool string. */
interface Group {
  readonly tool: string;
  readonly reaches: (canonical: string) => boolean;
  readonly byTokens: Map<string, RuleInFile>;
  readonly commands: CommandCoverage<RuleInFile>;
}

/** A rule that covers another one completely. */
interface Covering {
  readonly rule: RuleInFile;
  /** A command that both are about and that the rule alone decides; null when none is known. */
  readonly witness: string | null;
}

/** At most this many examples of one set of rules are tested; later findings have none. */
const MOST_CONFIRMED = 200;

/** Rules of one effect against which other rules are compared. */
export class RuleCoverage {
  readonly #groups: Group[];
  #left = MOST_CONFIRMED;

  constructor(rules: readonly RuleInFile[]) {
    const groups = new Map<string, Group>();
    for (const rule of rules) {
      const { tool, effect } = rule.rule;
      const group = groups.get(tool) ?? {
        tool,
        reaches: toolsCovered(tool, effect),
        byTokens: new Map<string, RuleInFile>(),
        commands: new CommandCoverage<RuleInFile>(),
      };
      groups.set(tool, group);
      const command = commandOf(rule.rule);
      const key = keyOf(tokensOf(rule.rule));
      if (command !== null) group.commands.add(command, rule);
      else if (!group.byTokens.has(key)) group.byTokens.set(key, rule);
    }
    this.#groups = [...groups.values()];
  }

  /** Returns the first rule that covers `inner` completely; null when no rule certainly does. Never returns `inner` itself. */
  covering(inner: RuleInFile): Covering | null {
    const keys = coveringKeys(tokensOf(inner.rule));
    const command = commandOf(inner.rule);
    for (const group of this.#groups) {
      if (!reachesAll(group, inner.rule)) continue;
      const holder = command === null ? null : group.commands.holderOf(command, inner);
      if (holder !== null) return this.#confirmed(inner, holder.value, holder.witness);
      for (const key of keys) {
        const outer = group.byTokens.get(key);
        if (outer !== undefined && outer !== inner)
          return this.#confirmed(inner, outer, command === null ? null : someCommand(command));
      }
    }
    return null;
  }

  /** An example is a command that the wider rule really decides; if both have the same effect, the narrower one has to decide it, too. */
  #confirmed(inner: RuleInFile, rule: RuleInFile, command: string | null): Covering {
    const deciding = inner.rule.effect === rule.rule.effect ? [inner, rule] : [rule];
    const isExample = command !== null && this.#left-- > 0 && deciding.every((one) => decidesCommand(one.rule, command));
    return { rule, witness: isExample ? command : null };
  }
}

function reachesAll({ tool, reaches }: Group, inner: PermissionRule): boolean {
  if (tool === '*' || tool.toLowerCase() === inner.tool.toLowerCase()) return true;
  if (inner.tool.includes('*') || !reaches(describeTool(inner.tool).canonical)) return false;
  return [...knownToolsCovered(inner.tool, inner.effect)].every(reaches);
}

/** True when two rules differ at most in their effect. */
export function sameRule(left: PermissionRule, right: PermissionRule): boolean {
  return ruleKey(left) === ruleKey(right);
}

/** Returns equal keys for rules that differ at most in their effect and in their notation of "then anything". */
export function ruleKey(rule: PermissionRule): string {
  const command = commandOf(rule);
  return `${rule.tool.toLowerCase()} ${command === null ? keyOf(tokensOf(rule)) : plainPattern(command)}`;
}

function keyOf({ kind, tokens, open }: Tokens): string {
  return tokens.length === 0 && open ? '*' : JSON.stringify([kind, open, ...tokens]);
}

/** Returns the keys of all patterns that certainly cover at least these tokens, the narrowest first. */
function coveringKeys(tokens: Tokens): string[] {
  const keys = [keyOf(tokens)];
  // A rule that names fewer arguments covers more.
  if (tokens.kind === 'arguments') for (const token of tokens.tokens) keys.push(keyOf({ ...tokens, tokens: [token] }));
  if (tokens.kind === 'path')
    for (let length = tokens.tokens.length; length > 0; length--)
      keys.push(keyOf({ ...tokens, tokens: tokens.tokens.slice(0, length), open: true }));
  // A pattern that starts anywhere also covers one that starts at the project.
  if (tokens.kind === 'path' && tokens.tokens[0] === '/')
    keys.push(...coveringKeys({ ...tokens, tokens: ['?', ...tokens.tokens.slice(1)] }).slice(0, -1));
  keys.push('*');
  return keys;
}

const TOTAL: Tokens = { kind: 'other', tokens: [], open: true };
/** A path with more segments is compared as a whole. */
const MOST_TOKENS = 32;

function tokensOf(rule: PermissionRule): Tokens {
  const { pattern } = rule;
  if (pattern === null) return TOTAL;
  const named = readArguments(rule);
  if (named !== null && !('code' in named))
    return { kind: 'arguments', tokens: named.map((one) => printArguments([one])).sort(), open: false };
  const kinds = patternKinds(rule, toolsCovered);
  const kind = kinds.length === 1 ? kinds[0] : undefined;
  if (kind === 'path') return pathTokens(pattern, rule.effect);
  // An allow of `*` for paths only covers the project.
  if (/^\*+$/.test(pattern) && (rule.effect !== 'allow' || !kinds.includes('path'))) return TOTAL;
  return { kind: 'other', tokens: [pattern], open: false };
}

/** Returns the pattern of a rule that is only about commands, and neither about all of them nor about another input of the tool. */
function commandOf(rule: PermissionRule): ShellPattern | null {
  const { pattern, effect } = rule;
  if (pattern === null || /^\*+$/.test(pattern) || /^[A-Za-z_]\w*:(?!\/\/|\*$)\S/.test(pattern)) return null;
  const kinds = patternKinds(rule, toolsCovered);
  return kinds.length === 1 && kinds[0] === 'command' ? { pattern, effect } : null;
}

/**
 * The first token states where the path starts: `//` at the root, `~` at the home directory, `/` at the project, `?` anywhere (as
 * compilePath reads it). A `**` before the end moves that start, so such a pattern is compared as a whole.
 */
function pathTokens(pattern: string, effect: Effect): Tokens {
  const segments = pattern
    .split('/')
    .filter((segment, index) => segment !== '' && segment !== '.' && !(index === 0 && segment === '~'));
  const odd =
    segments.length === 0 || segments.length > MOST_TOKENS || segments.includes('..') || segments.slice(0, -1).includes('**');
  if (odd) return { kind: 'other', tokens: [pattern], open: false };
  const open = segments.at(-1) === '**';
  return { kind: 'path', tokens: [anchorOf(pattern, effect), ...(open ? segments.slice(0, -1) : segments)], open };
}

function anchorOf(pattern: string, effect: Effect): string {
  if (pattern.startsWith('//')) return '//';
  if (pattern.startsWith('~/')) return '~';
  if (pattern.startsWith('/')) return '/';
  return effect === 'allow' && pattern.replace(/\/+$/, '').includes('/') ? '/' : '?';
}
