/** Types of a permission rule: `Tool(pattern)` with an effect, and where it was written. */

export const EFFECTS = ['allow', 'ask', 'deny'] as const;
export type Effect = (typeof EFFECTS)[number];

/** The kinds of subjects of a pattern; the subject kinds query, name and text are all read as names. */
export const PATTERN_KINDS = ['command', 'path', 'url', 'name'] as const;
export type PatternKind = (typeof PATTERN_KINDS)[number];

/** The layers that rules come from; this is NOT the order of trust, see policy/layers. */
export type LayerName = 'builtin' | 'managed' | 'user' | 'project' | 'local' | 'cli' | 'preset' | 'agent' | 'overlay';

/** The position of a rule (or a mistake). Lines and columns count from 1; columns are UTF-16 units. */
export interface SourcePosition {
  readonly file: string;
  readonly line: number;
  readonly column: number;
}

/** One rule, parsed but not yet compiled; plain data, safe to serialise. */
export interface PermissionRule {
  readonly effect: Effect;
  /** The tool as written: `Bash`, `*`, `mcp__srv__*`. */
  readonly tool: string;
  /** The text between the parentheses, trimmed; null for a bare tool. */
  readonly pattern: string | null;
  /** The whole rule as written, trimmed: what a person searches for. */
  readonly text: string;
  readonly layer: LayerName;
  readonly source: SourcePosition;
  readonly reason?: string;
  /** An alternative form that should pass. */
  readonly suggest?: string;
  /** Examples that the rule must match or must not match; verified when the policy is loaded. */
  readonly match?: readonly string[];
  readonly notMatch?: readonly string[];
}

/** The more restrictive of two effects. */
export function stricter(left: Effect, right: Effect): Effect {
  if (left === 'deny' || right === 'deny') return 'deny';
  return left === 'ask' || right === 'ask' ? 'ask' : 'allow';
}

/** The most restrictive of several effects; `allow` for none. */
export function strictest(effects: Iterable<Effect>): Effect {
  let worst: Effect = 'allow';
  for (const effect of effects) {
    if (effect === 'deny') return 'deny';
    if (effect === 'ask') worst = 'ask';
  }
  return worst;
}
