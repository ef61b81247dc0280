/** What a permission rule in Claude Code's settings means there. */
import type { Effect } from '../../rule/pattern/permission-rule.js';

/** Why a rule does nothing, as a stable code. */
export type DeadCode =
  /** No `Tool` and no `Tool(specifier)`. */
  | 'malformed'
  /** White space at an end, which is compared like everything else. */
  | 'space'
  | 'unknown-tool'
  /** A wildcard in the name of a tool, under allow. */
  | 'tool-wildcard'
  /** `*` under deny or ask: not every version honours it. */
  | 'every-tool'
  /** The rules of another tool are looked at instead. */
  | 'never-consulted'
  /** Monitor under allow: rules for Bash are asked about what it runs. */
  | 'shell'
  | 'empty'
  /** `:*` without words before it, or behind a space. */
  | 'colon-star'
  /** `:*` at the end makes every other `*` a plain character. */
  | 'literal-star'
  | 'regular-expression'
  /** An input of the tool that rules cannot be about, or not under allow. */
  | 'parameter'
  /** WebFetch takes `domain:HOST` only. */
  | 'domain'
  | 'no-specifier'
  /** An agent is named exactly. */
  | 'agent-wildcard'
  | 'braces'
  | 'negation'
  | 'parent'
  | 'list';

/** Where a path pattern begins. */
export type PathAnchor = 'root' | 'home' | 'settings' | 'directory';

/** The calls of its tool that a rule matches. */
export type Reach =
  | { readonly kind: 'nothing'; readonly code: DeadCode; readonly because: string; readonly instead: string | null }
  /** Every call of the tools. */
  | { readonly kind: 'everything' }
  /** One text: a command, the name of an agent or of a skill. */
  | { readonly kind: 'exact'; readonly text: string }
  /** The text alone, or the text, a space and anything. */
  | { readonly kind: 'prefix'; readonly text: string }
  /** A text in which `*` is any run of characters, except behind a backslash. */
  | { readonly kind: 'wildcard'; readonly text: string }
  | { readonly kind: 'path'; readonly anchor: PathAnchor; readonly pattern: string }
  /** A host, `*.host` (what lies below it) or `*`; lower case. */
  | { readonly kind: 'domain'; readonly host: string }
  | { readonly kind: 'parameter'; readonly name: string; readonly value: string }
  /** Nothing is known about what such a specifier means there. */
  | { readonly kind: 'unread' };

/** A rule that does nothing. `because` completes "it matches nothing: …"; `instead` is the rule that was probably meant. */
export function dead(code: DeadCode, because: string, instead: string | null = null): Reach {
  return { kind: 'nothing', code, because, instead };
}

export interface ClaudeRule {
  readonly effect: Effect;
  /** As written. */
  readonly text: string;
  /** The tool as written: with the wildcards of `B*` and `mcp__srv__*`. */
  readonly tool: string;
  /** The tool's own name where an older one is written. */
  readonly canonical: string;
  /** Between the parentheses, `\(` and `\)` without their backslashes; null when there are none, and for `(*)`. */
  readonly specifier: string | null;
  readonly reach: Reach;
}
