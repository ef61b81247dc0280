// Has objects made step by step. V8 is quick to make the object of a literal where it has done so before and noted how; the functions of
// a hook run once or twice, and then each of the literal's properties is looked up and written by the slow way, several times over.
// A property that is assigned to an empty object takes the quick way from the second such object on, wherever that is made.
import ts from 'typescript';

/** JavaScript in which `{ a: x, b }` is `(made0 = {}, made0.a = x, made0.b = b, made0)`. */
export function madeInSteps(code) {
  const source = ts.createSourceFile('code.js', code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  if (/\bmade\d/.test(code)) throw new Error('the name of an object in the making is taken');
  /** The code of a node; `own` is the function around it, with how many objects it has in the making at once. */
  const written = (node, own, depth) => {
    if (isBody(node)) return writtenBody(node);
    if (ts.isArrowFunction(node) && !ts.isBlock(node.body)) return writtenArrow(node);
    // What stands there belongs to no function's body.
    if (ts.isParameter(node) || ts.isPropertyDeclaration(node)) return writtenParts(node, node.getStart(), NOWHERE, 0);
    if (own !== NOWHERE && ts.isObjectLiteralExpression(node) && isPlain(node) && !isPattern(node)) {
      own.most = Math.max(own.most, depth + 1);
      const name = `made${depth}`;
      const steps = node.properties.map((one) => {
        const value = ts.isShorthandPropertyAssignment(one) ? one.name.text : written(one.initializer, own, depth + 1);
        return `${name}.${one.name.text} = ${value}`;
      });
      return `(${name} = {}, ${steps.join(', ')}, ${name})`;
    }
    return writtenParts(node, node.getStart(), own, depth);
  };
  const writtenBody = (node) => {
    const begin = ts.isSourceFile(node) ? 0 : node.getStart() + 1;
    const own = { most: 0 };
    const rest = writtenParts(node, begin, own, 0);
    return code.slice(node.getStart(), begin) + declared(own) + rest;
  };
  const writtenArrow = (node) => {
    const own = { most: 0 };
    const body = written(node.body, own, 0);
    const head = writtenParts({ from: node, until: node.body.getStart() }, node.getStart(), NOWHERE, 0);
    return own.most === 0 ? head + body : `${head}{ ${declared(own)} return ${body}; }`;
  };
  /** The code of a node from `from` on, with its parts as they are written. */
  const writtenParts = (node, from, own, depth) => {
    let text = '';
    let at = from;
    const end = node.until ?? node.end;
    ts.forEachChild(node.from ?? node, (part) => {
      const begin = part.getStart();
      if (begin >= end) return;
      text += code.slice(at, begin) + written(part, own, depth);
      at = part.end;
    });
    return text + code.slice(at, end);
  };
  return written(source);
}

const NOWHERE = { most: 0 };

const declared = ({ most }) => (most === 0 ? '' : `var ${Array.from({ length: most }, (_, at) => `made${at}`).join(', ')};`);

const isBody = (node) => ts.isSourceFile(node) || (ts.isBlock(node) && ts.isFunctionLike(node.parent));

/** True when each property is a name with a value. */
const isPlain = ({ properties }) =>
  properties.length > 0 &&
  properties.every(
    (one) =>
      (ts.isPropertyAssignment(one) || ts.isShorthandPropertyAssignment(one)) &&
      ts.isIdentifier(one.name) &&
      one.name.text !== '__proto__',
  );

/** True when a literal is what something is taken apart into: `({ a } = b)`. */
function isPattern(node) {
  for (let at = node; ; at = at.parent) {
    const { parent } = at;
    if (ts.isBinaryExpression(parent)) return parent.left === at && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;
    if (ts.isForOfStatement(parent) || ts.isForInStatement(parent)) return parent.initializer === at;
    const inside = [ts.isObjectLiteralExpression, ts.isArrayLiteralExpression, ts.isPropertyAssignment, ts.isSpreadElement];
    if (!inside.some((is) => is(parent))) return false;
  }
}
