/** Validators of the input schemas of MCP tools. The schemas come from a server that nobody trusts: they are bounded, and fetch nothing. */
import { Ajv2020 } from 'ajv/dist/2020.js';

/** Returns the first mistake in the arguments of a call, as a phrase; null if there is none. */
export type ArgumentCheck = (input: unknown) => string | null;

/** Bytes of a schema's text, and its depth. Larger ones are left to the server. */
const LARGEST = 128 * 1024;
const DEEPEST = 40;

/** Compiles a schema; null if it is too large or none that can be compiled, so that only the server can check the arguments. */
export function argumentCheck(schema: object): ArgumentCheck | null {
  const text = JSON.stringify(schema);
  if (text.length > LARGEST || depthOf(schema) > DEEPEST || TAKES_LONG.test(text)) return null;
  const references = text.split('$ref"').length - 1;
  if (references > MOST_REFERENCES) return null;
  // Whatever dialect it names, its keywords are those of 2020-12 or mean nothing here.
  const { $schema: _, $id: __, ...own } = JSON.parse(text);
  try {
    const validate = new Ajv2020(OPTIONS).compile(own);
    return (input) => {
      if (references > 0 && depthOf(input) > (references > FEW ? DEEPEST_WITH_MANY : DEEPEST_WITH_REFERENCES)) return null;
      if (isValid(validate, input)) return null;
      const [first] = validate.errors ?? [];
      const missing = first?.params?.missingProperty;
      const path = (first?.instancePath ?? '').slice(1).replaceAll('/', '.').slice(0, 100);
      if (missing !== undefined) return `${path === '' ? '' : `${path}.`}${String(missing).slice(0, 100)} is missing`;
      return `${path === '' ? 'its arguments' : path} ${(first?.message ?? 'is wrong').slice(0, 200)}`;
    };
  } catch {
    return null;
  }
}

const OPTIONS = { strict: false, validateFormats: false, validateSchema: false, logger: false, ownProperties: true } as const;

/** Returns why a schema cannot be used, as a clause; null if it can, or if it is too large to be looked at. */
export function schemaMistake(schema: object): string | null {
  const text = JSON.stringify(schema);
  if (text.length > LARGEST || depthOf(schema) > DEEPEST || text.split('$ref"').length - 1 > MOST_REFERENCES) return null;
  const { $schema: _, $id: __, ...own } = JSON.parse(text);
  try {
    new Ajv2020(OPTIONS).compile(own);
    return null;
  } catch (error) {
    return (error instanceof Error ? error.message : String(error)).slice(0, 200);
  }
}

/** Keywords with which checking may take for ever, or ends later: patterns (not an argument of that name), and results that are promised. */
const TAKES_LONG = /"pattern":"|"uniqueItems":true|"(?:patternProperties|\$async|\$dynamicRef|\$recursiveRef)"/;
/** References that refer to each other multiply the work, for each level of the arguments again. */
const MOST_REFERENCES = 16;
const DEEPEST_WITH_REFERENCES = 5;
const FEW = 2;
const DEEPEST_WITH_MANY = 3;

/** A schema that refers to itself endlessly checks nothing. */
function isValid(validate: (input: unknown) => unknown, input: unknown): boolean {
  try {
    return validate(input) === true;
  } catch {
    return true;
  }
}

function depthOf(value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return depth;
  return Math.max(depth + 1, ...Object.values(value).map((inner) => depthOf(inner, depth + 1)));
}
