// Has V8 compile functions together with what is around them. It looks through any other function first, to compile it when it is
// called: that is two or three times the work for one that is called anyway.
import ts from 'typescript';

/** The name under which a function expression is a function's argument for as long as a minifier looks at the code. */
const MARK = 'AT_ONCE';

/** A function expression that V8 is to compile at once. */
export const marked = (expression) => `${MARK}(${expression})`;

/** Minified code with its marks turned into parentheses, by which V8 knows such a function. */
export const withoutMarks = (code) => code.replace(new RegExp(`\\b${MARK}\\b`, 'g'), '');

/**
 * JavaScript with functions marked. V8 knows an expression with the word `function` only, so that declarations become variables at the
 * top of what they stand in, and arrows and methods of object literals become such expressions; methods of classes cannot be marked.
 * @param code statements, or the body of a function
 * @param wanted whether the function that begins at this place of the code is to be marked
 */
export function compiledAtOnce(code, wanted) {
  /** The code of a node; `hoisted` collects the declarations that stand in the function around it. */
  const written = (node, hoisted) => {
    if (isBody(node)) return writtenBody(node);
    if (!wanted(node.getStart())) return writtenParts(node, node.getStart(), hoisted);
    const head = () =>
      `function ${node.asteriskToken ? '*' : ''}(${node.parameters.map((one) => written(one, hoisted)).join(', ')})`;
    const plain = !node.modifiers?.length;
    if (ts.isFunctionExpression(node)) return marked(writtenParts(node, node.getStart(), hoisted));
    if (ts.isFunctionDeclaration(node) && plain && isBody(node.parent)) {
      hoisted.push(`${node.name.text} = ${marked(`${head()} ${written(node.body)}`)}`);
      return '';
    }
    if (
      ts.isMethodDeclaration(node) &&
      plain &&
      ts.isIdentifier(node.name) &&
      ts.isObjectLiteralExpression(node.parent) &&
      !borrows(node)
    )
      return `${node.name.text}: ${marked(`${head()} ${written(node.body)}`)}`;
    if (ts.isArrowFunction(node) && plain && !borrows(node)) {
      const body = ts.isBlock(node.body) ? written(node.body) : `{ return ${written(node.body, hoisted)}; }`;
      return marked(`${head()} ${body}`);
    }
    return writtenParts(node, node.getStart(), hoisted);
  };
  const writtenBody = (node) => {
    const begin = ts.isSourceFile(node) ? 0 : node.getStart() + 1;
    const hoisted = [];
    const rest = writtenParts(node, begin, hoisted);
    return `${code.slice(node.getStart(), begin)}${hoisted.length > 0 ? `var ${hoisted.join(', ')};` : ''}${rest}`;
  };
  /** The code of a node from `from` on, with its parts as they are written. */
  const writtenParts = (node, from, hoisted) => {
    let text = '';
    let at = from;
    ts.forEachChild(node, (part) => {
      const begin = part.getStart();
      if (begin < at) throw new Error(`parts of code in another order: ${code.slice(begin, at)}`);
      text += code.slice(at, begin) + written(part, hoisted);
      at = part.end;
    });
    return text + code.slice(at, node.end);
  };
  return written(parsed(code));
}

/**
 * JavaScript whose functions tell that they run.
 * @param tell the expression that tells it for the function that begins at this place of the code
 */
export function telling(code, tell) {
  const added = [];
  const look = (node) => {
    if (MARKABLE.some((is) => is(node))) {
      const told = tell(node.getStart());
      if (ts.isBlock(node.body)) added.push([node.body.getStart() + 1, `${told};`]);
      else added.push([node.body.getStart(), `(${told}, `], [node.body.end, ')']);
    }
    ts.forEachChild(node, look);
  };
  look(parsed(code));
  added.sort(([one], [other]) => one - other);
  let at = 0;
  const pieces = added.map(([end, text]) => {
    const piece = code.slice(at, end) + text;
    at = end;
    return piece;
  });
  return pieces.join('') + code.slice(at);
}

const MARKABLE = [ts.isFunctionDeclaration, ts.isFunctionExpression, ts.isArrowFunction, ts.isMethodDeclaration];

const parsed = (code) => ts.createSourceFile('code.js', code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);

/** Where declarations of functions are hoisted to; no directive stands there. */
const isBody = (node) => ts.isSourceFile(node) || (ts.isBlock(node) && ts.isFunctionLike(node.parent));

/** True when a function uses what belongs to the function around it, or to the object that it is a method of. */
function borrows(node) {
  const arrow = ts.isArrowFunction(node);
  const found = (part) => {
    if (part.kind === ts.SyntaxKind.SuperKeyword) return true;
    if (arrow && (part.kind === ts.SyntaxKind.ThisKeyword || ts.isMetaProperty(part))) return true;
    if (arrow && ts.isIdentifier(part) && part.text === 'arguments') return true;
    return ts.forEachChild(part, found) ?? false;
  };
  return ts.forEachChild(node, found) ?? false;
}
