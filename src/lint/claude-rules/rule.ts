/** The meaning of a permission rule in Claude Code's settings. */
import type { Effect } from '../../rule/pattern/permission-rule.js';

/** Why a rule does nothing, as a stable code. */
export type DeadCode =
  /** Neither `Tool` nor `Tool(specifier)`. */
  | 'malformed'
  /** White space at either end, which is compared like any other character. */
  | 'space'
  | 'unknown-tool'
  /** A wildcard in a tool name, under allow. */
  | 'tool-wildcard'
  /** `*` under deny or ask: not every version honors it. */
  | 'every-tool'
  /** The rules of another tool apply instead. */
  | 'never-consulted'
  /** Monitor under allow: Bash rules apply to the commands that it runs. */
  | 'shell'
  | 'empty'
  /** `:*` without words before it, or after a space. */
  | 'colon-star'
  /** `:*` at the end makes every other `*` a literal character. */
  | 'literal-star'
  | 'regular-expression'
  /** An input of the tool that rules cannot refer to, or not under allow. */
  | 'parameter'
  /** WebFetch only accepts `domain:HOST`. */
  | 'domain'
  | 'no-specifier'
  /** An agent has to be named exactly. */
  | 'agent-wildcard'
  | 'braces'
  | 'negation'
  | 'parent'
  | 'list';

/** The folder at which a path pattern starts. */
export type PathAnchor = 'root' | 'home' | 'settings' | 'directory';

/** The calls of its tool that a rule matches. */
export type Reach =
  | { readonly kind: 'nothing'; readonly code: DeadCode; readonly because: string; readonly instead: string | null }
  /** Every call of the tools. */
  | { readonly kind: 'everything' }
  /** One exact string: a command, or the name of an agent or a skill. */
  | { readonly kind: 'exact'; readonly text: string }
  /** The string alone, or followed by a space and anything. */
  | { readonly kind: 'prefix'; readonly text: string }
  /** A string in which `*` matches any run of characters, except after a backslash. */
  | { readonly kind: 'wildcard'; readonly text: string }
  | { readonly kind: 'path'; readonly anchor: PathAnchor; readonly pattern: string }
  /** A host, `*.host` (its subdomains) or `*`; lower case. */
  | { readonly kind: 'domain'; readonly host: string }
  | { readonly kind: 'parameter'; readonly name: string; readonly value: string }
  /** The meaning of such a specifier is unknown. */
  | { readonly kind: 'unread' };

/** Makes a rule that does nothing. `because` completes "it matches nothing: …"; `instead` is the rule that was probably meant. */
export function dead(code: DeadCode, because: string, instead: string | null = null): Reach {
  return { kind: 'nothing', code, because, instead };
}

export interface ClaudeRule {
  readonly effect: Effect;
  /** As written. */
  readonly text: string;
  /** The tool as written, including the wildcards of `B*` and `mcp__srv__*`. */
  readonly tool: string;
  /** The tool's current name if an older one is written. */
  readonly canonical: string;
  /** The text between the parentheses, with `\(` and `\)` unescaped; null without parentheses, and for `(*)`. */
  readonly specifier: string | null;
  readonly reach: Reach;
}
