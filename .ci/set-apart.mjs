// Takes a module apart: functions that no typical call runs go into a module of their own, which is started when one of them is called.
// V8 looks through every function of a text that it is given, and lists it in a code cache, whether it is called or not.
import ts from 'typescript';

/**
 * What may be set apart from a file: what only the making of a snapshot runs, what a simple command line does without, what asking a
 * person needs, and the rest.
 */
export const KINDS = ['made', 'lines', 'asks', 'apart'];
/** What the module of a file is called that holds what was set apart from it. */
export const apartFrom = (file, kind) => file.replace(/\.ts$/, `.${kind}.ts`);
/** The kind of such a module; undefined for any other. */
export const kindOf = (file) => KINDS.find((kind) => file.endsWith(`.${kind}.ts`));

/**
 * The text of a module without some of its functions, and that of the module that holds them; null when none of them can be moved.
 * Each imports from the other what it uses, as any two modules do. A constant goes with the functions that alone use it. What uses a
 * variable of the module that changes stays: its value is exported once.
 * @param text JavaScript
 * @param own the file's name as it is imported, such as `./paths.js`
 * @param wanted names of functions, all of which may go
 * @param kind one of KINDS
 */
export function setApart(text, own, wanted, kind) {
  const source = ts.createSourceFile('own.js', text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  const statements = source.statements.map((node) => ({ node, ...declared(node), uses: namesIn(node) }));
  const changing = new Set(statements.flatMap(({ kind, names }) => (kind === 'changing' ? names : [])));
  const changes = ({ uses }) => [...uses].some((name) => changing.has(name));
  const going = new Set(statements.filter((one) => one.kind === 'function' && wanted.has(one.names[0]) && !changes(one)));
  if (going.size === 0) return null;
  const isAlone = (one) =>
    one.kind === 'constant' &&
    !changes(one) &&
    statements.some((other) => going.has(other) && meet(other.uses, one.names)) &&
    statements.every((other) => other === one || going.has(other) || !meet(other.uses, one.names));
  for (;;) {
    const alone = statements.find((one) => !going.has(one) && isAlone(one));
    if (alone === undefined) break;
    going.add(alone);
  }
  const moved = statements.filter((one) => going.has(one));
  const names = moved.flatMap((one) => one.names);
  const stays = statements.filter((one) => !going.has(one) && one.kind !== 'import');
  const used = stays.flatMap((one) => one.names).filter((name) => moved.some(({ uses }) => uses.has(name)));
  const exported = new Set(statements.flatMap((one) => one.exports));
  const imports = statements.filter(({ kind }) => kind === 'import').map(({ node }) => node.getText());
  const textOf = (list) => list.map(({ node }) => node.getFullText()).join('\n');
  return {
    kept: [
      ...imports,
      `import { ${names.join(', ')} } from '${own.replace(/\.js$/, `.${kind}.js`)}';`,
      textOf(stays),
      `export { ${used.filter((name) => !exported.has(name)).join(', ')} };`,
    ].join('\n'),
    apart: [...imports, `import { ${used.join(', ')} } from '${own}';`, textOf(moved), `export { ${names.join(', ')} };`].join(
      '\n',
    ),
  };
}

const meet = (set, names) => names.some((name) => set.has(name));

/** What a statement at the top of a module declares, and what it exports. */
function declared(node) {
  const names = [];
  if (ts.isImportDeclaration(node)) return { kind: 'import', names, exports: [] };
  if (ts.isExportDeclaration(node)) {
    if (node.moduleSpecifier) throw new Error(`exported from elsewhere: ${node.getText()}`);
    return { kind: 'other', names, exports: node.exportClause.elements.map((one) => (one.propertyName ?? one.name).text) };
  }
  if (ts.isFunctionDeclaration(node)) return { kind: 'function', names: [node.name.text], exports: [] };
  if (!ts.isVariableStatement(node)) return { kind: 'other', names: node.name ? [node.name.text] : [], exports: [] };
  const { declarations, flags } = node.declarationList;
  names.push(...declarations.flatMap(({ name }) => (ts.isIdentifier(name) ? [name.text] : [...namesIn(name)])));
  if (!(flags & ts.NodeFlags.Const)) return { kind: 'changing', names, exports: [] };
  const [{ initializer }] = declarations;
  const isFunction = declarations.length === 1 && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer));
  return { kind: isFunction ? 'function' : declarations.length === 1 ? 'constant' : 'other', names, exports: [] };
}

/** All names in a statement, those of properties, too: too many are no harm. */
function namesIn(node) {
  const names = new Set();
  const look = (part) => {
    if (ts.isIdentifier(part)) names.add(part.text);
    ts.forEachChild(part, look);
  };
  look(node);
  return names;
}

/**
 * The functions at the top of a module that did not run, with the places where they begin, and what the rest of it takes as values, without calling it: such a function
 * would be asked for wherever it is named.
 * @param code JavaScript
 * @param ran whether the function that begins at a place of the code ran
 */
export function unrunFunctions(code, ran) {
  const source = ts.createSourceFile('code.js', code, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  const names = new Map();
  const taken = new Set();
  const look = (node) => {
    if (ts.isIdentifier(node) && !isName(node) && !isCalled(node)) taken.add(node.text);
    // What a module imports: (exported$[7] ?? load$(3, 7)).
    if (ts.isCallExpression(node) && node.expression.text === 'load$' && !isCalled(node.parent.parent))
      taken.add(node.arguments[1].text);
    ts.forEachChild(node, look);
  };
  for (const node of source.statements) {
    const found = functionOf(node);
    if (found !== null && !ran(found.begin)) names.set(found.name, found.begin);
    else if (!/^exported\$\[\d+\] = \w+;$/.test(node.getText())) look(node);
  }
  return { names, taken };
}

/** The function that a statement declares, and where it begins; null when it is none. */
function functionOf(node) {
  if (ts.isFunctionDeclaration(node)) return { name: node.name.text, begin: node.getStart() };
  if (!ts.isVariableStatement(node) || node.declarationList.declarations.length !== 1) return null;
  const [{ name, initializer }] = node.declarationList.declarations;
  const isFunction = initializer && (ts.isArrowFunction(initializer) || ts.isFunctionExpression(initializer));
  return isFunction ? { name: name.text, begin: initializer.getStart() } : null;
}

const isCalled = (node) => ts.isCallExpression(node.parent) && node.parent.expression === node;

/** Whether an identifier is the name of what is declared there, or of a property. */
const isName = (node) => node.parent.name === node || (ts.isPropertyAccessExpression(node.parent) && node.parent.name === node);
