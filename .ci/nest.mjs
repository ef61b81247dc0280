// Puts the modules of a bundle into functions within each other, a few dozen names in each. V8 keeps the names of a larger scope in a
// hash table, and every process that takes a code cache fills that table anew: more work than a hook's whole decision.
import { transform } from 'esbuild';
import ts from 'typescript';

/** V8 keeps up to 75 names of a scope in a plain list. */
const MOST_NAMES = 70;

/**
 * A bundle that is one function expression, `(function(…){…})`, with its statements in the same order in nested functions, and
 * minified. A function may use what is declared around it, so a group ends only where nothing before that place names anything
 * behind it.
 */
export async function nested(text) {
  const { file, checker } = parsed(text);
  const { body } = file.statements[0].expression.expression;
  const groups = groupsOf(body.statements, checker);
  const inner = groups.map((group) => group.map((statement) => statement.getFullText(file)).join('')).join('\n(function(){');
  const whole = `bundle=${text.slice(0, body.statements.pos)}${inner}\n${'})();'.repeat(groups.length - 1)}})`;
  const { code } = await transform(whole, { minify: true, target: 'node20.19', legalComments: 'none' });
  return `(${code.trim().replace(/^bundle=/, '').replace(/;$/, '')})`;
}

/** The text, and who knows which declaration a name means. */
function parsed(text) {
  const name = 'bundle.js';
  const file = ts.createSourceFile(name, text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.JS);
  const host = {
    ...ts.createCompilerHost({}),
    getSourceFile: (wanted) => (wanted === name ? file : undefined),
    fileExists: (wanted) => wanted === name,
  };
  const program = ts.createProgram([name], { allowJs: true, noLib: true, noResolve: true, types: [], target: ts.ScriptTarget.ES2022 }, host);
  return { file, checker: program.getTypeChecker() };
}

/** The statements in groups of at most MOST_NAMES names, as far as what they use allows. */
function groupsOf(statements, checker) {
  const place = new Map([...statements].map((statement, at) => [statement, at]));
  const groups = [[]];
  let names = 0;
  let pending = { statements: [], names: 0 };
  let furthest = 0;
  for (const [at, statement] of statements.entries()) {
    pending.statements.push(statement);
    pending.names += namesOf(statement).length;
    furthest = Math.max(furthest, ...declarationsIn(statement, checker).map((declaration) => placeOf(declaration, place)));
    // Something up to here uses what comes later: it belongs into one group with that.
    if (furthest > at) continue;
    if (names > 0 && names + pending.names > MOST_NAMES) {
      groups.push([]);
      names = 0;
    }
    groups.at(-1).push(...pending.statements);
    names += pending.names;
    pending = { statements: [], names: 0 };
  }
  return groups;
}

/** The names that a statement declares for those beside it. */
function namesOf(statement) {
  if (ts.isFunctionDeclaration(statement) || ts.isClassDeclaration(statement)) return [statement.name];
  if (ts.isVariableStatement(statement)) return statement.declarationList.declarations;
  if (ts.isExpressionStatement(statement)) return [];
  throw new Error(`a bundle begins a statement with ${statement.getText().slice(0, 60)}`);
}

/** The declarations of all names that a statement uses, its own variables among them. */
function declarationsIn(statement, checker) {
  const found = [];
  const visit = (node) => {
    if (ts.isIdentifier(node)) {
      const symbol = ts.isShorthandPropertyAssignment(node.parent)
        ? checker.getShorthandAssignmentValueSymbol(node.parent)
        : checker.getSymbolAtLocation(node);
      found.push(...(symbol?.declarations ?? []));
    }
    ts.forEachChild(node, visit);
  };
  visit(statement);
  return found;
}

/** Which of the statements a declaration is in; -1 for the bundle's own parameters, and what is not of it. */
function placeOf(declaration, place) {
  for (let node = declaration; node !== undefined; node = node.parent) {
    const at = place.get(node);
    if (at !== undefined) return at;
  }
  return -1;
}
