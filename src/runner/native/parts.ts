/** A preset, divided into parts that runners can express. */
import { data } from '../../generated/data.js';
import type { PresetName } from '../../policy/policy.js';
import { presetNamed } from '../../policy/presets.js';
import { EXACT_LINES, READING_PREFIXES, REFUSED_PREFIXES } from './lines.js';

/** A rule of the preset for shell commands. */
export interface ShellRule {
  /** The rule as written in the preset: `Bash(git status*)`. */
  readonly text: string;
  /** The rule's words: `git status`. */
  readonly words: string;
}

export interface PresetParts {
  readonly everything: boolean;
  readonly edits: boolean;
  readonly shell: readonly ShellRule[];
  /** Beginnings of lines that represent the preset's proven reads. */
  readonly reading: readonly string[];
  /** Names of tools in rules without a pattern, as Claude Code writes them: `TodoWrite`. */
  readonly tools: readonly string[];
  /** True if what the preset does not name is denied rather than asked about. */
  readonly closed: boolean;
  /** True if it allows work on the project, which no runner can distinguish from other commands. */
  readonly work: boolean;
}

export function partsOf(name: PresetName): PresetParts {
  const { rules, otherwise, provenReads, leaves } = presetNamed(name);
  const everything = name === 'all';
  // `all` allows at least the other tools that `safe` allows; what `develop` allows beyond that, no runner can restrict to
  // harmless options.
  const own = everything || leaves !== null ? presetNamed('safe').rules : rules;
  return {
    everything,
    edits: own.some(({ tool }) => tool === 'Edit'),
    shell: own.flatMap(({ tool, pattern, text }) =>
      tool === 'Bash' && pattern !== null ? [{ text, words: pattern.replace(/\*$/, '') }] : [],
    ),
    reading: provenReads ? READING_PREFIXES : [],
    tools: own.filter(({ pattern }) => pattern === null).map(({ tool }) => tool),
    closed: otherwise === 'deny',
    work: leaves !== null,
  };
}

export function exactLines({ shell }: PresetParts): { readonly rule: ShellRule; readonly lines: readonly string[] }[] {
  return shell.map((rule) => ({ rule, lines: EXACT_LINES[rule.words] ?? [] }));
}

/** Path patterns; rules/protected.yaml explains them. */
export interface PathPatterns {
  readonly anywhere: readonly string[];
  readonly home: readonly string[];
  readonly absolute: readonly string[];
}

export interface SensitivePatterns {
  readonly secret: PathPatterns;
  readonly deniedWrites: PathPatterns;
  readonly askedWrites: PathPatterns;
}

type Written = Partial<PathPatterns>;

/** Returns the paths that no preset allows to be read or written. */
export function sensitivePatterns(): SensitivePatterns {
  const written = data('protected') as { readonly deny: Written; readonly ask: Written };
  const deniedWrites = whole(written.deny);
  return { secret: whole(data('secrets') as Written), deniedWrites, askedWrites: without(whole(written.ask), deniedWrites) };
}

function whole({ anywhere = [], home = [], absolute = [] }: Written): PathPatterns {
  return { anywhere, home, absolute };
}

/** Returns the patterns without those below a pattern of the other set, which already covers them. */
function without(patterns: PathPatterns, covering: PathPatterns): PathPatterns {
  const rest = (own: readonly string[], over: readonly string[]) =>
    own.filter((pattern) => !over.some((folder) => pattern.startsWith(`${folder}/`)));
  return {
    anywhere: rest(patterns.anywhere, covering.anywhere),
    home: rest(patterns.home, covering.home),
    absolute: rest(patterns.absolute, covering.absolute),
  };
}

/** Returns the refused beginnings that a rule of the preset covers if the rule is applied to beginnings of lines. */
export function refusedWithin({ shell }: PresetParts): string[] {
  return REFUSED_PREFIXES.map(({ words }) => words.join(' ')).filter((refused) =>
    shell.some(({ words }) => refused.startsWith(`${words} `)),
  );
}
