/** What a dialect is: how one file format of agent definitions says what every definition says. */
import type { AgentCapabilities, AgentSettings, ToolList } from '../agent.js';
import type { Fields } from '../fields.js';
import type { OwnPolicy } from '../policy-keys.js';

/** A definition's text, cut into its YAML and its body. */
export interface DialectInput {
  readonly fields: Fields;
  readonly body: string | null;
  /** The file's name without ending. */
  readonly stem: string;
}

/** What a dialect reads; everything that all dialects share is read by `parseAgent`. */
export interface DialectReading {
  readonly rawName: string;
  readonly description: string | null;
  readonly tools: ToolList;
  readonly excludedTools: readonly string[];
  readonly capabilities: AgentCapabilities | null;
  readonly settings?: AgentSettings;
  /** The runner's own word for an agent that changes nothing. */
  readonly readsOnly?: boolean;
  /** Permission keys at the top level, where the dialect has them there. */
  readonly own: OwnPolicy | null;
}

export interface DialectReader {
  /** YAML or TOML only, or YAML at the head of Markdown. */
  readonly form: 'markdown' | 'yaml' | 'toml';
  /** Tries once more with quotes around the values that are no YAML, as the runner does. */
  readonly repairs: boolean;
  readonly read: (input: DialectInput) => DialectReading;
}
