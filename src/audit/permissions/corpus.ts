/** The calls that stand for what an agent can do: what rules/capabilities.yaml says, typed. */
import { data } from '../../generated/data.js';

export interface CapabilityClass {
  readonly id: string;
  /** The head of its column. */
  readonly short: string;
  readonly title: string;
  /** 1 to 5: how much harm the worst call of the class does. */
  readonly impact: number;
}

/** What a call adds to the lethal combination: text of strangers, secrets, a way out. */
export const BRINGS = ['input', 'secrets', 'out'] as const;
export type Brings = (typeof BRINGS)[number];

/** A call in canonical names; texts hold `{project}`, `{home}`, `{settings}` and `{agent}`. */
export interface CapabilityCall {
  readonly id: string;
  readonly class: string;
  /** A canonical tool; its first field holds `subject`. */
  readonly tool?: string;
  readonly subject?: string;
  readonly mcp?: { readonly server: string; readonly tool: string };
  readonly input?: Readonly<Record<string, string | number>>;
  readonly brings?: readonly Brings[];
  readonly label?: string;
}

export interface Capabilities {
  readonly classes: readonly CapabilityClass[];
  readonly calls: readonly CapabilityCall[];
}

/** The shape is held by schemas/capabilities.schema.json, which a test applies. */
export function capabilities(): Capabilities {
  return data('capabilities') as Capabilities;
}
