/** What a dialect is: how one file format of agent definitions says what every definition says. */
import type { AgentCapabilities, AgentSettings, Dialect, ToolList } from '../agent.js';
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
  /** Permission keys at the top level, where the dialect has them there. */
  readonly own: OwnPolicy | null;
}

export interface DialectReader {
  readonly dialect: Dialect;
  /** YAML only, or YAML at the head of Markdown. */
  readonly form: 'markdown' | 'yaml';
  /** Tries once more with quotes around the values that are no YAML, as the runner does. */
  readonly repairs: boolean;
  readonly read: (input: DialectInput) => DialectReading;
}
