/** Expansions of variables that are plain enough to know what they do, as written in a word. */

/** A use of a parameter in a word, and the offset after it. */
export interface ParameterUse {
  readonly name: string;
  readonly end: number;
  /** The operation on its value; null for the value itself. */
  readonly operation: ParameterOperation | null;
}

/** `length`: a number. `remove`: the value without a pattern's match at one end. `text`: another string made from it. */
export type ParameterOperation =
  | { readonly kind: 'length' | 'text' }
  | { readonly kind: 'remove'; readonly operator: string; readonly pattern: string };

const USE = /\$(?:\{([A-Za-z_]\w*)\}|([A-Za-z_]\w*)|([?#$!]))/y;
/**
 * `${#x}`, `${x%.ts}`, `${x##*.}`, `${x:-a}`, `${x:+a}`, `${x:0:7}`, `${x^^}`, `${x/a/b}`: with only plain characters inside, so
 * that nothing in them is expanded or evaluated. A shell that does not know one of them stops there.
 */
const OPERATION =
  /\$\{(?:#([A-Za-z_]\w*)|([A-Za-z_]\w*)(?:(##?|%%?)([\w./*?:@+=,-]+)|:?[-+][\w./:@+=, -]*|:\d{1,4}(?::\d{1,4})?|\^\^?|,,?|\/\/?[\w.:@+=, -]+(?:\/[\w.:@+=, -]*)?))\}/y;

/**
 * The `$name`, `${name}`, `$?` or plain `${name…}` at an offset; null for every other expansion, and where zsh reads what follows
 * as a subscript (`$x[1]`), a modifier (`$x:h`) or the rest of a name (`$#x`).
 */
export function parameterUse(text: string, offset: number): ParameterUse | null {
  USE.lastIndex = offset;
  const match = USE.exec(text);
  if (match === null) return parameterOperation(text, offset);
  const [whole, braced, bare, special] = match;
  const end = offset + whole.length;
  if (braced !== undefined) return { name: braced, end, operation: null };
  const rest = text.slice(end, end + 2);
  if (special !== undefined) return rest === '' || /^[\s"'.,/);%|]/.test(rest) ? { name: special, end, operation: null } : null;
  if (bare === undefined || /^(?:\[|:[^\s"'/])/.test(rest)) return null;
  return { name: bare, end, operation: null };
}

function parameterOperation(text: string, offset: number): ParameterUse | null {
  OPERATION.lastIndex = offset;
  const match = OPERATION.exec(text);
  if (match === null) return null;
  const [, counted, name, operator, pattern] = match;
  const end = OPERATION.lastIndex;
  if (counted !== undefined) return { name: counted, end, operation: { kind: 'length' } };
  if (name === undefined) return null;
  const removes = operator !== undefined && pattern !== undefined;
  return { name, end, operation: removes ? { kind: 'remove', operator, pattern } : { kind: 'text' } };
}
