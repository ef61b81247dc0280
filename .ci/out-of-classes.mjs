// Takes private methods out of their classes. V8 can be told to compile a function together with what is around it (at-once.mjs), but no
// method of a class: it looks through each of them first, and once more when it is called. A function is found without asking the object
// for it, too.
import ts from 'typescript';

/**
 * The same TypeScript with functions in the place of private methods, which take the object as their first argument. Names with `#` become
 * those of plain properties, since nothing outside a class may say them; who may name what was checked before, by the compiler.
 * Left as they are: classes in functions, those that extend another or ask `#x in y`, and methods that are named without being called.
 * @param text a module
 */
export function withoutPrivateMethods(text) {
  const source = ts.createSourceFile('code.ts', text, ts.ScriptTarget.ES2022, true, ts.ScriptKind.TS);
  const edits = [];
  for (const node of source.statements)
    if (ts.isClassDeclaration(node) && node.name && isPlain(node)) edits.push(...editsOf(node, text));
  return spliced(text, 0, text.length, edits);
}

const isPlain = (node) =>
  !node.heritageClauses?.some(({ token }) => token === ts.SyntaxKind.ExtendsKeyword) && !holds(node, isBrandCheck);

function editsOf(node, text) {
  const moved = new Map(
    node.members
      .filter((one) => isPrivateMethod(one) && !holds(one, isSuper))
      .map((one) => [one.name.text, { method: one, name: '' }]),
  );
  const named = (part) => {
    if (isNaming(part) && moved.has(part.name.text) && !isCallOfOwn(part)) moved.delete(part.name.text);
    // const { method } = this;
    if (ts.isBindingElement(part)) moved.delete((part.propertyName ?? part.name).text);
    ts.forEachChild(part, named);
  };
  named(node);
  for (const [own, one] of moved) one.name = `${own.replace('#', '')}_in_${node.name.text}`;
  const edits = [];
  const plain = new Map();
  const plainName = ({ text: own }) => {
    if (!plain.has(own)) plain.set(own, `_${plain.size}`);
    return plain.get(own);
  };
  const look = (part, self) => {
    if (ts.isPrivateIdentifier(part)) edits.push([part.getStart(), part.end, plainName(part)]);
    const inner = isOwnThis(part) ? 'this' : self;
    if (isCallOfOwn(part) && moved.has(part.name.text)) {
      const call = part.parent;
      edits.push([part.getStart(), part.end, moved.get(part.name.text).name]);
      const open = text.indexOf('(', (call.typeArguments ?? part).end);
      edits.push([open + 1, open + 1, call.arguments.length > 0 ? `${self}, ` : self]);
    } else if (part.kind === ts.SyntaxKind.ThisKeyword) {
      if (self !== 'this') edits.push([part.getStart(), part.end, self]);
    } else ts.forEachChild(part, (child) => look(child, inner));
  };
  for (const member of node.members) {
    const one = moved.get(member.name?.text);
    // What belongs to a method's own object is another one's in a function or class within it, not in the method itself.
    if (one?.method === member) ts.forEachChild(member, (child) => child !== member.name && look(child, SELF));
    else look(member, 'this');
  }
  const functions = [...moved.values()].map(({ method, name }) => {
    const textOf = (begin, end) => spliced(text, begin, end, edits);
    const [from, until] = [method.name.end, text.indexOf('(', (method.typeParameters ?? method.name).end) + 1];
    const first = method.parameters.length > 0 ? `${SELF}, ` : SELF;
    return `\nfunction ${name}${textOf(from, until)}${first}${textOf(until, method.end)}`;
  });
  const gone = [...moved.values()].map(({ method }) => [method.getFullStart(), method.end, '']);
  const kept = edits.filter(([begin]) => !gone.some(([from, until]) => begin >= from && begin < until));
  return [...kept, ...gone, [node.end, node.end, functions.join('')]];
}

/** What the object is called in a function that was a method. */
const SELF = 'its_object';

function isPrivateMethod(node) {
  if (!ts.isMethodDeclaration(node) || node.body === undefined || node.asteriskToken || node.questionToken) return false;
  const others = node.modifiers?.filter(({ kind }) => kind !== ts.SyntaxKind.PrivateKeyword) ?? [];
  return (
    others.length === 0 && (ts.isPrivateIdentifier(node.name) || (ts.isIdentifier(node.name) && node.modifiers?.length === 1))
  );
}

const isNaming = (node) => ts.isPropertyAccessExpression(node);

/** `this.method(…)` where `this` is the object that the class makes. */
function isCallOfOwn(node) {
  if (!isNaming(node) || node.questionDotToken || node.expression.kind !== ts.SyntaxKind.ThisKeyword) return false;
  const { parent } = node;
  if (!ts.isCallExpression(parent) || parent.expression !== node || parent.questionDotToken) return false;
  for (let around = node.parent; around !== undefined; around = around.parent) {
    if (ts.isClassElement(around)) return ts.isClassDeclaration(around.parent) && !ts.isClassStaticBlockDeclaration(around);
    if (isOwnThis(around)) return false;
  }
  return false;
}

/** Whether `this` means another object in it. */
const isOwnThis = (node) =>
  ts.isFunctionExpression(node) || ts.isFunctionDeclaration(node) || ts.isClassLike(node) || isMethodOfLiteral(node);
const isMethodOfLiteral = (node) =>
  (ts.isMethodDeclaration(node) || ts.isAccessor(node)) && ts.isObjectLiteralExpression(node.parent);

const isSuper = (node) => node.kind === ts.SyntaxKind.SuperKeyword;
const isBrandCheck = (node) => ts.isBinaryExpression(node) && ts.isPrivateIdentifier(node.left);

function holds(node, is) {
  return is(node) || (ts.forEachChild(node, (part) => holds(part, is) || undefined) ?? false);
}

/** A piece of a text with what lies in it replaced. */
function spliced(text, begin, end, edits) {
  let at = begin;
  let out = '';
  const own = edits
    .filter(([from, until]) => from >= begin && until <= end)
    .sort(([one, oneEnd], [other, otherEnd]) => one - other || oneEnd - otherEnd);
  for (const [from, until, what] of own) {
    out += text.slice(at, from) + what;
    at = until;
  }
  return out + text.slice(at, end);
}
