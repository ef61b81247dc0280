// Takes the parts of functions that no typical call runs (a branch, a case, what handles an error) out of them, each as a function of its
// own, which .ci/set-apart.mjs then moves out of the way: V8 compiles a function as a whole, however little of it runs.
import ts from 'typescript';

/** Characters of a part that is worth a function of its own. */
const LEAST = 36;

/**
 * The parts of a module that can be taken out: they leave the functions around them only by a `return` or `throw` at their end, change
 * none of their variables, and use nothing of them but variables.
 * @param text JavaScript
 * @returns from the first to the last: where they begin and end, whether they are expressions, whether they return, and what they use
 */
function partsOf(text) {
  const { source, symbolOf } = bound(text);
  const changed = new Map();
  const note = (node, place) => {
    const symbol = ts.isIdentifier(node) ? symbolOf(node) : undefined;
    if (symbol !== undefined) changed.set(symbol, [...(changed.get(symbol) ?? []), place]);
    if (!ts.isIdentifier(node)) ts.forEachChild(node, (part) => note(part, place));
  };
  each(source, (node) => {
    if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) note(node.left, node.getStart());
    if ((ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) && isStep(node.operator))
      note(node.operand, node.getStart());
    if ((ts.isForOfStatement(node) || ts.isForInStatement(node)) && !ts.isVariableDeclarationList(node.initializer))
      note(node.initializer, node.getStart());
  });
  const parts = [];
  each(source, (node) => {
    for (const part of candidates(node)) {
      const begin = part.nodes[0].getStart();
      const { end } = part.nodes.at(-1);
      if (end - begin < LEAST || isElsewhere(node)) continue;
      const uses = usedBy(part, { begin, end, changed, symbolOf, source });
      if (uses !== null) parts.push({ begin, end, kind: part.kind, returns: part.returns, uses });
    }
  });
  return parts.sort((one, other) => one.begin - other.begin || other.end - one.end);
}

/** JavaScript whose parts tell that they run; `tell` gives the expression for the part that begins there. */
export function withTellingParts(text, tell) {
  const inserted = partsOf(text).flatMap(({ begin, end, kind }) => {
    if (kind === 'expression')
      return [
        [begin, `(${tell(begin)}, (`, 1],
        [end, '))', 0],
      ];
    return [[kind === 'block' ? begin + 1 : begin, `${tell(begin)};`, 1]];
  });
  inserted.sort(([one, , opens], [other, , opensToo]) => one - other || opens - opensToo);
  return spliced(
    text,
    inserted.map(([at, what]) => [at, at, what]),
  );
}

/**
 * JavaScript without the parts that are not wanted, and the names of the functions which they became.
 * @param cold whether the part that begins there goes
 */
export function withoutParts(text, cold) {
  if (/\bcold_\d/.test(text)) throw new Error('the name of a part is taken');
  const changes = [];
  const functions = [];
  let covered = 0;
  for (const { begin, end, kind, returns, uses } of partsOf(text)) {
    if (begin < covered || !cold(begin)) continue;
    covered = end;
    const name = `cold_${functions.length}`;
    const own = text.slice(begin, end);
    const call = `${name}(${uses.join(', ')})`;
    const body = kind === 'expression' ? `{ return (${own}); }` : kind === 'block' ? own : `{ ${own} }`;
    functions.push({ name, code: `function ${name}(${uses.join(', ')}) ${body}` });
    const statement = returns ? `return ${call};` : `${call};`;
    changes.push([begin, end, kind === 'expression' ? call : kind === 'block' ? `{ ${statement} }` : statement]);
  }
  return {
    text: [spliced(text, changes), ...functions.map(({ code }) => code)].join('\n'),
    names: functions.map(({ name }) => name),
  };
}

function spliced(text, changes) {
  let at = 0;
  const pieces = changes.map(([begin, end, what]) => {
    const piece = text.slice(at, begin) + what;
    at = end;
    return piece;
  });
  return pieces.join('') + text.slice(at);
}

/** What may be a part: a block or statements (`list`) or an expression that not every run of the function around it reaches. */
function candidates(node) {
  if (ts.isIfStatement(node)) return [...branch(node.thenStatement), ...branch(node.elseStatement)];
  if (ts.isConditionalExpression(node)) return [expression(node.whenTrue), expression(node.whenFalse)];
  if (ts.isBinaryExpression(node) && isLogical(node.operatorToken.kind)) return [expression(node.right)];
  if (ts.isBlock(node)) {
    return node.statements.flatMap((one, index) => {
      const own = node.statements.slice(index + 1);
      if (own.length === 0 || !ts.isIfStatement(one) || !holds(one, isWayOut)) return [];
      // What a function returns that comes to its end is what a part of it returns that does.
      return ts.isFunctionLike(node.parent) ? [{ kind: 'list', nodes: own, returns: true }] : statements('list', own, own);
    });
  }
  if (ts.isCatchClause(node)) return statements('block', [node.block], node.block.statements);
  if (ts.isForOfStatement(node) || ts.isForStatement(node) || ts.isWhileStatement(node)) return branch(node.statement);
  if (ts.isCaseClause(node) || ts.isDefaultClause(node)) {
    const own = [...node.statements];
    if (own.length === 1 && ts.isBlock(own[0])) return statements('block', own, own[0].statements);
    if (own.length > 0 && ts.isBreakStatement(own.at(-1))) own.pop();
    return statements('list', own, own);
  }
  return [];
}

function branch(node) {
  if (node === undefined) return [];
  if (ts.isBlock(node)) return statements('block', [node], node.statements);
  if ((ts.isReturnStatement(node) || ts.isThrowStatement(node)) && node.expression) return [expression(node.expression)];
  return ts.isExpressionStatement(node) ? [expression(node.expression)] : [];
}

const expression = (node) => ({ kind: 'expression', nodes: [node], returns: false });

function statements(kind, nodes, list) {
  if (list.length === 0) return [];
  const returns = nodes.some((node) => holds(node, ts.isReturnStatement));
  return returns && !ends(list.at(-1)) ? [] : [{ kind, nodes, returns }];
}

/** Whether a function is left with every run of the statement. */
function ends(node) {
  if (ts.isReturnStatement(node) || ts.isThrowStatement(node)) return true;
  if (ts.isBlock(node)) return node.statements.length > 0 && ends(node.statements.at(-1));
  return ts.isIfStatement(node) && node.elseStatement !== undefined && ends(node.thenStatement) && ends(node.elseStatement);
}

/** Whether a node holds such a one that belongs to the same function. */
function holds(node, is) {
  if (is(node)) return true;
  if (ts.isFunctionLike(node)) return false;
  return ts.forEachChild(node, (part) => holds(part, is)) ?? false;
}

const isWayOut = (node) =>
  ts.isReturnStatement(node) || ts.isThrowStatement(node) || ts.isContinueStatement(node) || ts.isBreakStatement(node);

/** The variables of the functions around a part that it uses; null when it cannot be taken out. */
function usedBy({ nodes, kind }, { begin, end, changed, symbolOf, source }) {
  const within = (place) => place >= begin && place < end;
  const uses = new Set();
  let possible = true;
  const look = (node, { own, breaks, continues }) => {
    if (isBound(node) || (ts.isVariableDeclarationList(node) && !(node.flags & ts.NodeFlags.BlockScoped))) possible = false;
    // A `this`, and what belongs to a function, is that of the function around the part.
    if (ts.isBreakStatement(node) && (node.label || !breaks)) possible = false;
    if (ts.isContinueStatement(node) && (node.label || !continues)) possible = false;
    if (ts.isIdentifier(node) && !isPropertyName(node)) {
      const symbol = symbolOf(node);
      const declared = symbol?.declarations?.[0];
      if (node.text === 'arguments') possible = false;
      if (declared !== undefined && declared.getSourceFile() === source) {
        const inside = within(declared.getStart());
        if (inside && kind === 'list' && isUsedOutside(symbol, { source, symbolOf, within })) possible = false;
        if (!inside && !isTop(declared)) {
          const changes = changed.get(symbol) ?? [];
          if (changes.some(within) || (own && changes.length > 0)) possible = false;
          uses.add(node.text);
        }
      }
    }
    const loop =
      ts.isForOfStatement(node) ||
      ts.isForInStatement(node) ||
      ts.isForStatement(node) ||
      ts.isWhileStatement(node) ||
      ts.isDoStatement(node);
    const isFunction = ts.isFunctionLike(node);
    const inner = {
      own: own || isFunction,
      breaks: !isFunction && (breaks || loop || ts.isSwitchStatement(node)),
      continues: !isFunction && (continues || loop),
    };
    ts.forEachChild(node, (part) => look(part, inner));
  };
  for (const node of nodes) look(node, { own: false, breaks: false, continues: false });
  return possible ? [...uses] : null;
}

function isUsedOutside(symbol, { source, symbolOf, within }) {
  let found = false;
  each(source, (node) => {
    if (ts.isIdentifier(node) && !within(node.getStart()) && node.text === symbol.name && symbolOf(node) === symbol) found = true;
  });
  return found;
}

/** What belongs to the function or class around it. */
const isBound = (node) =>
  node.kind === ts.SyntaxKind.ThisKeyword ||
  node.kind === ts.SyntaxKind.SuperKeyword ||
  ts.isPrivateIdentifier(node) ||
  ts.isMetaProperty(node) ||
  ts.isAwaitExpression(node) ||
  ts.isYieldExpression(node) ||
  ts.isLabeledStatement(node) ||
  ts.isClassLike(node);

/** Declared at the top of the module, where a function beside it sees it. */
function isTop(declaration) {
  for (let node = declaration.parent; node !== undefined; node = node.parent) {
    if (ts.isFunctionLike(node) || ts.isBlock(node) || ts.isCatchClause(node) || ts.isCaseBlock(node) || ts.isClassLike(node))
      return false;
    if (ts.isForOfStatement(node) || ts.isForInStatement(node) || ts.isForStatement(node)) return false;
  }
  return true;
}

/** Not in the body of a function: in a parameter, the value of a field, or at the top of the module. */
function isElsewhere(node) {
  for (let at = node; at !== undefined; at = at.parent) {
    if (ts.isParameter(at) || ts.isPropertyDeclaration(at)) return true;
    if (ts.isFunctionLike(at)) return false;
  }
  return true;
}

/** The name of a property, which is no variable; in `{ name }` it is both. */
const isPropertyName = (node) =>
  (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node) ||
  (ts.isPropertyAssignment(node.parent) && node.parent.name === node) ||
  (ts.isMethodDeclaration(node.parent) && node.parent.name === node) ||
  (ts.isBindingElement(node.parent) && node.parent.propertyName === node);

const isLogical = (kind) =>
  kind === ts.SyntaxKind.AmpersandAmpersandToken ||
  kind === ts.SyntaxKind.BarBarToken ||
  kind === ts.SyntaxKind.QuestionQuestionToken;

const isAssignment = (kind) => kind >= ts.SyntaxKind.FirstAssignment && kind <= ts.SyntaxKind.LastAssignment;

const isStep = (kind) => kind === ts.SyntaxKind.PlusPlusToken || kind === ts.SyntaxKind.MinusMinusToken;

function each(node, look) {
  look(node);
  ts.forEachChild(node, (part) => each(part, look));
}

/** The text as a program that knows which variable a name means. */
function bound(text) {
  const source = ts.createSourceFile('part.js', text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  const options = { allowJs: true, noLib: true, noResolve: true, target: ts.ScriptTarget.ES2022, types: [] };
  const host = {
    ...ts.createCompilerHost(options, true),
    getSourceFile: (name) => (name === 'part.js' ? source : undefined),
    fileExists: (name) => name === 'part.js',
    readFile: () => undefined,
    writeFile: () => {},
  };
  const checker = ts.createProgram(['part.js'], options, host).getTypeChecker();
  const symbolOf = (node) =>
    ts.isShorthandPropertyAssignment(node.parent)
      ? checker.getShorthandAssignmentValueSymbol(node.parent)
      : checker.getSymbolAtLocation(node);
  return { source, symbolOf };
}
