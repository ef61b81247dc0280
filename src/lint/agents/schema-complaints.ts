/** Objections to a definition by the JSON Schema of its format (schemas/agent-*.schema.json). */

import { type AgentFormat, formatTraits } from '../../agent/format.js';
import { isFields } from '../../call/fields.js';
import { agentValidators } from '../../generated/validators/agents.js';
import type { SchemaError } from '../../generated/validators/validator.js';
import { pointerNames, pointerTo } from '../../policy/read/pointer.js';
import { type Complaint, complaintsOf } from '../../policy/sentences.js';
import type { AgentFile } from '../files/files.js';
import { onceFor } from '../project/project.js';
import type { Span } from '../text/finding.js';
import type { LocatedText } from '../text/located-text.js';

/** A complaint with its place, and every place at which another rule would report the same mistake. */
export interface Refusal extends Complaint {
  readonly at: Span;
  readonly samePlaces: readonly Span[];
}

/** At most this many mistakes of one definition are reported; nobody makes more. */
const MOST = 100;

/** Empty for a format without a schema, and for an unreadable definition. In the order of the schema. */
export const schemaRefusals: (agent: AgentFile) => readonly Refusal[] = onceFor(readRefusals);

function readRefusals({ format, data }: AgentFile): readonly Refusal[] {
  const validate = agentValidators[format];
  if (validate === undefined || data === null || !isFields(data.root) || validate(data.root)) return [];
  const errors = (validate.errors ?? []).filter((error) => !isJudgedElsewhere(error, format)).slice(0, MOST);
  return complaintsOf(errors).map((complaint) => ({ ...complaint, ...placesOf(complaint, data) }));
}

/**
 * Names and what is missing have rules that know each runner. A key without a value, or with an empty text, counts as absent
 * everywhere, and some runners take numbers and truth values in quotes, too.
 */
function isJudgedElsewhere({ keyword, instancePath, data, schema }: SchemaError, format: AgentFormat): boolean {
  if (keyword === 'required' || instancePath === '/name' || data === null || data === '') return true;
  if (keyword !== 'type' || !formatTraits(format).takesQuotedScalars || typeof data !== 'string') return false;
  return (schema === 'boolean' && /^(?:true|false)$/.test(data)) || (schema === 'integer' && /^[1-9]\d*$/.test(data));
}

/** Returns the places of the key and the value themselves, and of the keys of the maps and lists that contain them. */
function placesOf({ pointer, about }: Complaint, data: LocatedText): Pick<Refusal, 'at' | 'samePlaces'> {
  const at = about === 'key' ? data.keySpan(pointer) : data.valueSpan(pointer);
  const names = pointerNames(pointer);
  const keys = names.map((_, index) => data.keySpan(names.slice(0, index + 1).reduce(pointerTo, '')));
  return { at, samePlaces: [at, data.valueSpan(pointer), ...keys] };
}
