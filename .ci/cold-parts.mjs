// Takes the parts of functions that no typical call runs (a branch, a case, what handles an error) out of them, each as a function of its
// own, which .ci/set-apart.mjs then moves out of the way: V8 compiles a function as a whole, however little of it runs. Of a function that
// no typical call runs but that has to stay where it is (a method, what is handed on as a value) all is a part but its head, since V8
// looks through it all the same.
import ts from 'typescript';

/** Characters of a part that is worth a function of its own. */
const LEAST = 36;
/** Of one that is all of a function, of which nothing but another call is left. */
const LEAST_WHOLE = 64;

/**
 * The parts of a module that can be taken out: they leave the functions around them only by a `return` or `throw` at their end, change
 * none of their variables, and use nothing of them but variables.
 * @param text JavaScript
 * @returns from the first to the last: where they begin and end, whether they are expressions, whether they return, what they use, and
 *   where in them the object stands that a method around them belongs to
 */
function partsOf(text) {
  const { source, symbolOf } = bound(text);
  const changed = new Map();
  const note = (node, change) => {
    const symbol = ts.isIdentifier(node) ? symbolOf(node) : undefined;
    if (symbol !== undefined) changed.set(symbol, [...(changed.get(symbol) ?? []), change]);
    if (!ts.isIdentifier(node)) ts.forEachChild(node, (part) => note(part, change));
  };
  const changeAt = (node) => ({ place: node.getStart(), around: functionAround(node) });
  each(source, (node) => {
    if (ts.isBinaryExpression(node) && isAssignment(node.operatorToken.kind)) note(node.left, changeAt(node));
    if ((ts.isPrefixUnaryExpression(node) || ts.isPostfixUnaryExpression(node)) && isStep(node.operator))
      note(node.operand, changeAt(node));
    if ((ts.isForOfStatement(node) || ts.isForInStatement(node)) && !ts.isVariableDeclarationList(node.initializer))
      note(node.initializer, changeAt(node));
  });
  const parts = [];
  each(source, (node) => {
    for (const part of candidates(node)) {
      const begin = part.nodes[0].getStart();
      const { end } = part.nodes.at(-1);
      if (end - begin < (part.of === undefined ? LEAST : LEAST_WHOLE) || isElsewhere(node)) continue;
      const used = usedBy(part, { begin, end, changed, symbolOf, source });
      if (used !== null)
        parts.push({ begin, end, kind: part.kind, returns: part.returns, isWhole: part.of !== undefined, ...used });
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
 * @param cold whether the part that begins there goes, also told whether it is all of a function
 * @param whole names of functions that will go as they are
 */
export function withoutParts(text, cold, whole = new Set()) {
  if (new RegExp(`\\bcold_\\d|\\b${OBJECT}\\b`).test(text)) throw new Error('the name of a part is taken');
  const left = rangesOf(text, whole);
  const changes = [];
  const functions = [];
  let covered = 0;
  for (const { begin, end, kind, returns, isWhole, uses, objects } of partsOf(text)) {
    if (begin < covered || !cold(begin, isWhole) || left.some(([from, until]) => from <= begin && end <= until)) continue;
    covered = end;
    const name = `cold_${functions.length}`;
    const own = spliced(
      text.slice(begin, end),
      objects.map((at) => [at - begin, at - begin + 'this'.length, OBJECT]),
    );
    const isMethods = objects.length > 0;
    const call = `${name}(${[...uses, ...(isMethods ? ['this'] : [])].join(', ')})`;
    const body = kind === 'expression' ? `{ return (${own}); }` : kind === 'block' ? own : `{ ${own} }`;
    functions.push({ name, code: `function ${name}(${[...uses, ...(isMethods ? [OBJECT] : [])].join(', ')}) ${body}` });
    const statement = returns ? `return ${call};` : `${call};`;
    changes.push([begin, end, kind === 'expression' ? call : kind === 'block' ? `{ ${statement} }` : statement]);
  }
  return {
    text: [spliced(text, changes), ...functions.map(({ code }) => code)].join('\n'),
    names: functions.map(({ name }) => name),
  };
}

/** What the object of a method is called in a part of it. */
const OBJECT = 'object_of_part';

/** Where the functions of these names stand at the top of a module. */
function rangesOf(text, names) {
  const { statements } = ts.createSourceFile('part.js', text, ts.ScriptTarget.ES2022, false, ts.ScriptKind.JS);
  return statements.flatMap((node) => {
    const declared = ts.isVariableStatement(node) ? node.declarationList.declarations : [node];
    return declared.some(({ name }) => name !== undefined && names.has(name.text)) ? [[node.pos, node.end]] : [];
  });
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
  if (isPlainFunction(node))
    return [{ kind: ts.isBlock(node.body) ? 'block' : 'expression', nodes: [node.body], returns: true, of: node }];
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

/** A function that is no constructor, of which all may be a part. */
function isPlainFunction(node) {
  const kinds = [
    ts.isFunctionDeclaration,
    ts.isFunctionExpression,
    ts.isArrowFunction,
    ts.isMethodDeclaration,
    ts.isGetAccessor,
    ts.isSetAccessor,
  ];
  return kinds.some((is) => is(node)) && node.body !== undefined && !node.asteriskToken;
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

/** The variables of the functions around a part that it uses, and the places of their object; null when it cannot be taken out. */
function usedBy({ nodes, kind, of }, { begin, end, changed, symbolOf, source }) {
  const within = (place) => place >= begin && place < end;
  const uses = new Set();
  const objects = [];
  const around = of ?? functionAround(nodes[0]);
  let possible = true;
  const look = (node, { own, breaks, continues, object }) => {
    if (isBound(node) || (ts.isVariableDeclarationList(node) && !(node.flags & ts.NodeFlags.BlockScoped) && of === undefined))
      possible = false;
    if (node.kind === ts.SyntaxKind.ThisKeyword && object) objects.push(node.getStart());
    // What belongs to a function is that of the function around the part.
    if (ts.isBreakStatement(node) && (node.label || !breaks)) possible = false;
    if (ts.isContinueStatement(node) && (node.label || !continues)) possible = false;
    if (ts.isIdentifier(node) && !isPropertyName(node)) {
      const symbol = symbolOf(node);
      const declared = symbol?.declarations?.[0];
      if (node.text === 'arguments') possible = false;
      if (declared !== undefined && declared.getSourceFile() === source) {
        const inside = within(declared.getStart());
        if (inside && kind === 'list' && isUsedOutside(symbol, { source, symbolOf, within })) possible = false;
        if (!inside && isTop(declared) && isChanging(declared)) possible = false;
        if (!inside && !isTop(declared)) {
          const changes = changed.get(symbol) ?? [];
          // What only the part itself ever sees it may change. What a function changes that is not around it might change while it runs.
          const isOwn = of !== undefined && isParameterOf(declared, of);
          if (!isOwn && changes.some((one) => within(one.place) || own || !isWithin(around, one.around))) possible = false;
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
      object: object && (!isFunction || ts.isArrowFunction(node)),
    };
    ts.forEachChild(node, (part) => look(part, inner));
  };
  for (const node of nodes) look(node, { own: false, breaks: false, continues: false, object: true });
  return possible ? { uses: [...uses], objects } : null;
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
  node.kind === ts.SyntaxKind.SuperKeyword ||
  ts.isPrivateIdentifier(node) ||
  ts.isMetaProperty(node) ||
  ts.isAwaitExpression(node) ||
  ts.isYieldExpression(node) ||
  ts.isLabeledStatement(node) ||
  ts.isClassLike(node);

/** A variable of the module that is no constant: what uses it cannot leave the module. */
const isChanging = (declaration) => ts.isVariableDeclaration(declaration) && !(declaration.parent.flags & ts.NodeFlags.Const);

function isParameterOf(declaration, of) {
  for (let at = declaration; at !== undefined && at !== of; at = at.parent) if (ts.isParameter(at)) return at.parent === of;
  return false;
}

function isWithin(node, outer) {
  for (let at = node; at != null; at = at.parent) if (at === outer) return true;
  return outer === null;
}

function functionAround(node) {
  for (let at = node.parent; at !== undefined; at = at.parent) if (ts.isFunctionLike(at)) return at;
  return null;
}

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
