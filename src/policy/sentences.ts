/** Schema errors as sentences: what is wrong, what is allowed there, the nearest valid word. */
import type { SchemaError } from '../generated/validators/validator.js';
import { nearestWord } from './nearest.js';
import { pointerNames, pointerTo } from './read/pointer.js';

/** A mistake in a value or key, and which of the two it is about. */
export interface Complaint {
  readonly code: string;
  readonly message: string;
  /** A JSON pointer to the key or value. */
  readonly pointer: string;
  readonly about: 'key' | 'value';
}

type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * One complaint per mistake, in ajv's order; keywords that only repeat another complaint are omitted. `errors` come from a
 * validator compiled with `allErrors` and `verbose` (they contain the schema and the data).
 */
export function complaintsOf(errors: readonly SchemaError[]): Complaint[] {
  const wrongTypes = new Set(errors.filter((error) => error.keyword === 'type').map((error) => error.instancePath));
  const complaints: Complaint[] = [];
  for (const error of errors) {
    if (error.keyword !== 'type' && wrongTypes.has(error.instancePath)) continue;
    complaints.push(complaintOf(error));
  }
  return complaints;
}

function complaintOf(error: SchemaError): Complaint {
  const schema = error.parentSchema ?? {};
  const pointer = error.instancePath;
  const subject = subjectOf(pointer);
  switch (error.keyword) {
    case 'additionalProperties':
      return unknownKey(String(error.params.additionalProperty), pointer, schema);
    case 'required':
      return about('value', pointer, 'policy/missing-key', missingKey(String(error.params.missingProperty), subject, schema));
    case 'type':
      return about(
        'value',
        pointer,
        'policy/wrong-type',
        `${subject} is ${kindOf(error.data)}; it has to be ${allowedBy(schema)}.`,
      );
    case 'enum': {
      const words = wordsOf(schema.enum);
      const near = typeof error.data === 'string' ? nearestWord(error.data, words) : null;
      const meant = near === null ? 'it' : `did you mean "${near}"? It`;
      return about(
        'value',
        pointer,
        'policy/unknown-value',
        `${subject} is ${shown(error.data)}; ${meant} has to be ${allowedBy(schema)}.`,
      );
    }
    default:
      return about(
        'value',
        pointer,
        'policy/bad-value',
        `${subject} is ${shown(error.data)}; it has to be ${allowedBy(schema)}.`,
      );
  }
}

function about(about: 'key' | 'value', pointer: string, code: string, message: string): Complaint {
  return { code, message, pointer, about };
}

function unknownKey(name: string, parent: string, schema: JsonSchema): Complaint {
  const keys = keysOf(schema);
  // `- Bash(git: x)` without quotes is a map in YAML; the person meant one string.
  const quotes = name.includes('(') ? '; a rule with ": " in it has to be quoted' : '';
  const where = parent === '' ? '' : ` in ${subjectOf(parent)}`;
  const near = nearestWord(name, keys);
  const meant = near === null ? '' : `; did you mean "${near}"?`;
  const allowed = `${near === null ? '; allowed here' : ' Allowed here'}: ${keys.join(', ')}`;
  const message = `Unknown key ${shown(name)}${where}${quotes}${meant}${allowed}.`;
  return about('key', pointerTo(parent, name), 'policy/unknown-key', message);
}

function missingKey(name: string, subject: string, schema: JsonSchema): string {
  const properties = isSchema(schema.properties) ? schema.properties : {};
  const wanted = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return `${subject} lacks the key "${name}"; it has to be ${isSchema(wanted) ? allowedBy(wanted) : 'there'}.`;
}

/** The values that a schema allows, in words: `one of ask, deny`, `a whole number from 1 to 1000`, `a list of texts`. */
function allowedBy(schema: JsonSchema): string {
  if ('const' in schema) return String(schema.const);
  if (Array.isArray(schema.enum)) return `one of ${wordsOf(schema.enum).join(', ')}`;
  const types = Array.isArray(schema.type) ? schema.type.map(String) : [String(schema.type)];
  return types.map((type) => allowedType(type, schema)).join(' or ');
}

function allowedType(type: string, schema: JsonSchema): string {
  const { items, minimum, maximum } = schema;
  if (type === 'boolean') return 'true or false';
  if (type === 'integer')
    return `a whole number from ${String(minimum ?? 0)}${maximum === undefined ? '' : ` to ${String(maximum)}`}`;
  if (type === 'array') {
    const most = schema.maxItems === undefined ? '' : `, at most ${String(schema.maxItems)}`;
    return `a list in which each entry is ${isSchema(items) ? allowedBy(items) : 'anything'}${most}`;
  }
  if (type === 'object') {
    const keys = keysOf(schema);
    const rest = isSchema(schema.additionalProperties) ? ` from a name to ${allowedBy(schema.additionalProperties)}` : '';
    return keys.length > 0 ? `a map with the keys ${keys.join(', ')}` : `a map${rest}`;
  }
  const [example] = wordsOf(schema.examples);
  if (schema.pattern !== undefined) return example === undefined ? 'a date like "2026-01-31"' : `a text like "${example}"`;
  if (schema.maxLength === undefined) return schema.minLength === undefined ? 'a text' : 'a text that is not empty';
  return `a text of ${String(schema.minLength ?? 0)} to ${String(schema.maxLength)} characters`;
}

function kindOf(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  if (Array.isArray(value)) return `a list of ${value.length} entries`;
  if (typeof value === 'object') return 'a map';
  return `${typeof value === 'string' ? 'the text' : typeof value === 'boolean' ? 'the truth value' : 'the number'} ${shown(value)}`;
}

/** `/allow/3/rule` → `"allow[3].rule"`, counting entries from 0 as all tools do. */
function subjectOf(pointer: string): string {
  if (pointer === '') return 'The file';
  const path = pointerNames(pointer)
    .map((part) => (/^\d+$/.test(part) ? `[${part}]` : `.${part}`))
    .join('');
  return shown(path.slice(path.startsWith('.') ? 1 : 0));
}

const LONGEST_SHOWN = 80;
/** Control, bidirectional and line-separator characters, which are never printed raw. */
const UNPRINTABLE = /[\u0000-\u001F\u007F-\u009F\u061C\u200B-\u200F\u2028-\u202E\u2060-\u2069\uFEFF\uD800-\uDFFF]/gu;

/** A value from the file in printable form: quoted, escaped, and cut after 80 characters. */
export function shown(value: unknown): string {
  const text = typeof value === 'string' ? value : typeof value === 'object' && value !== null ? kindOf(value) : String(value);
  const cut = text.length > LONGEST_SHOWN ? `${text.slice(0, LONGEST_SHOWN)}…` : text;
  const escaped = cut.replace(UNPRINTABLE, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return typeof value === 'string' ? `"${escaped}"` : escaped;
}

function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function keysOf(schema: JsonSchema): string[] {
  return isSchema(schema.properties) ? Object.keys(schema.properties) : [];
}

function wordsOf(values: unknown): string[] {
  return Array.isArray(values) ? values.map(String) : [];
}
