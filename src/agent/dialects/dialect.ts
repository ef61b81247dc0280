/** The interface of a dialect: how one file format of agent definitions expresses the common fields. */
import type { AgentCapabilities, AgentSettings, ToolList } from '../agent.js';
import type { Fields } from '../fields.js';
import type { OwnPolicy } from '../policy-keys.js';

/** A definition's text, split into its YAML and its body. */
export interface DialectInput {
  readonly fields: Fields;
  readonly body: string | null;
  /** The file name without extension. */
  readonly stem: string;
}

/** The fields that a dialect reads; `parseAgent` reads those that all dialects share. */
export interface DialectReading {
  readonly rawName: string;
  readonly description: string | null;
  readonly tools: ToolList;
  readonly excludedTools: readonly string[];
  readonly capabilities: AgentCapabilities | null;
  readonly settings?: AgentSettings;
  /** The runner's own setting for an agent that changes nothing. */
  readonly readsOnly?: boolean;
  /** Permission keys at the top level, if the dialect has them there. */
  readonly own: OwnPolicy | null;
}

export interface DialectReader {
  /** YAML or TOML only, or YAML at the beginning of Markdown. */
  readonly form: 'markdown' | 'yaml' | 'toml';
  /** Retries with quotes around values that are not valid YAML, as the runner does. */
  readonly repairs: boolean;
  /** The runner reads values of YAML that it cannot parse as texts, others than with `repairs`; the policy uses no such definition. */
  readonly lenient?: true;
  /** A list is a list of agents on servers, which have no tools here. */
  readonly lists?: true;
  readonly read: (input: DialectInput) => DialectReading;
}
