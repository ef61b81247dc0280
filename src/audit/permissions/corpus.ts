/** The calls that represent an agent's abilities: typed access to rules/capabilities.yaml. */
import { data } from '../../generated/data.js';

export interface CapabilityClass {
  readonly id: string;
  /** The heading of its column. */
  readonly short: string;
  readonly title: string;
  /** 1 to 5: how much harm the worst call of the class does. */
  readonly impact: number;
}

/** The contribution of a call to the lethal combination: text from strangers, secrets, a way out. */
export const BRINGS = ['input', 'secrets', 'out'] as const;
export type Brings = (typeof BRINGS)[number];

/** A call in canonical names; its strings may contain `{project}`, `{home}`, `{settings}` and `{agent}`. */
export interface CapabilityCall {
  readonly id: string;
  readonly class: string;
  /** A canonical tool; its first field is set to `subject`. */
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

/** A test checks the form against schemas/capabilities.schema.json. */
export function capabilities(): Capabilities {
  return data('capabilities') as Capabilities;
}
