// Has a module's outermost names lie in functions one within the other, with few names in each. Of a function with more names than these
// V8 keeps a table by their hashes, which each process that takes it from a code cache has to make anew: for a module of some hundred
// functions that is a two-hundredth of a call.
import ts from 'typescript';

/** V8 keeps so many names in a plain list (kScopeInfoMaxInlinedLocalNamesSize). */
export const MOST_NAMES = 74;

/**
 * The same JavaScript with functions around what lies further down. A function may only name what lies in itself or around it, so the
 * cuts are where nothing above mentions anything below, as between the files that a module was made of.
 * @param most names in a function
 */
export function inScopes(code, most = MOST_NAMES) {
  const source = ts.createSourceFile('code.js', code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  const statements = source.statements.map((node) => ({ node, names: namesOf(node) }));
  const declared = new Map(statements.flatMap(({ names }, at) => names.map((name) => [name, at])));
  const scopes = [''];
  let names = 0;
  let [begin, reach] = [0, 0];
  statements.forEach(({ node }, at) => {
    reach = Math.max(reach, ...mentioned(node).map((name) => declared.get(name) ?? 0));
    if (reach > at) return;
    const piece = statements.slice(begin, at + 1);
    const more = piece.reduce((sum, one) => sum + one.names.length, 0);
    if (more > 0 && names > 0 && names + more > most) {
      scopes.push('');
      names = 0;
    }
    scopes[scopes.length - 1] += code.slice(piece[0].node.getFullStart(), node.end);
    names += more;
    begin = at + 1;
  });
  const rest = code.slice(statements.at(-1)?.node.end ?? 0);
  return scopes.reduceRight(
    (inner, scope, at) => (at === 0 ? `${scope}${inner}` : `\n(function () {${scope}${inner}\n})();`),
    rest,
  );
}

/** What a statement declares for those around it. */
function namesOf(statement) {
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) return [statement.name.text];
  return ts.isVariableStatement(statement) ? statement.declarationList.declarations.flatMap(({ name }) => boundBy(name)) : [];
}

const boundBy = (name) =>
  ts.isIdentifier(name) ? [name.text] : name.elements.flatMap((one) => (one.name ? boundBy(one.name) : []));

/** Every name in a piece of code that may mean something around it: all but those of members. */
function mentioned(node) {
  const found = [];
  const look = (part) => {
    if (!ts.isIdentifier(part)) ts.forEachChild(part, look);
    else if (!isMember(part)) found.push(part.text);
  };
  look(node);
  return found;
}

function isMember(name) {
  const { parent } = name;
  return parent.name === name
    ? ts.isPropertyAccessExpression(parent) || ts.isPropertyAssignment(parent) || ts.isMethodDeclaration(parent)
    : parent.propertyName === name;
}
