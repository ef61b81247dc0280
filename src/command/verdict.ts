/** The verdict on one command of the tree: grammar, assignments, and how it is called. */
import type { Invocation, ShellAssignment, ShellWord } from '../shell/syntax/types.js';
import { judgeInvocation } from './judge/evaluate.js';
import { withOperandChanges } from './judge/operand-changes.js';
import { judgeAssignments, judgeBareAssignments, judgeExportedName } from './model/assignments.js';
import type { CalledName } from './model/called-name.js';
import type { GrammarIssue, GrammarVerdict } from './model/command.js';
import type { Appended } from './model/words.js';
import { withCopiedNames } from './pathnames/copied-names.js';
import type { Unwrapped } from './wrappers/found.js';
import type { WrapperRule } from './wrappers/rules.js';
import { appendedVerdict } from './wrappers/runtime-arguments.js';

/** Builtins whose operands are assignments. */
const DECLARATIONS = new Set(['export', 'readonly', 'local', 'declare', 'typeset']);

/** The verdict on a line of assignments or redirections only, which runs nothing. */
export function bareVerdict(invocation: Invocation): GrammarVerdict {
  return { words: [], known: true, issues: judgeBareAssignments(invocation.assignments), conditions: [], effects: [] };
}

/** The verdict on a command that runs no other as far as can be seen; `unwrapped` is set if it could have. */
export function plainVerdict(
  invocation: Invocation,
  called: CalledName,
  appended: Appended | null,
  unwrapped: Unwrapped | null,
): GrammarVerdict {
  const name = called.name ?? invocation.argv[0]?.value ?? '';
  const verdict = DECLARATIONS.has(name)
    ? declarationVerdict(invocation, name)
    : appended === null
      ? judgeInvocation(invocation, name)
      : appendedVerdict(invocation, name, appended);
  return withIssues(
    withCopiedNames(
      withOperandChanges(verdict, invocation),
      invocation.argv.map(({ value }) => value),
    ),
    unwrapped?.issues ?? namesakeIssues(invocation, called),
    ownIssues(invocation, called),
  );
}

/** Scripts in a project that start the tool of the same name; a project may rewrite them, but never to read options differently. */
export const CARRIED: ReadonlySet<string> = new Set(['gradlew', 'mvnw']);

/** `./gradlew -I x.gradle`: options known to do more, which a rule about all of `./gradlew *` does not cover. */
function namesakeIssues(invocation: Invocation, { name, file }: CalledName): readonly GrammarIssue[] {
  if (name !== null || file === null || !CARRIED.has(file)) return NO_ISSUES;
  return judgeInvocation(invocation, file).issues.filter(({ rating, word }) => rating !== 'unknown' && word > 0);
}

/** `IFS= read`: how `read` splits its line affects nothing else. */
function assignmentsOf({ assignments }: Invocation, called: CalledName): readonly ShellAssignment[] {
  return called.name === 'read' ? assignments.filter(({ name, value }) => name !== 'IFS' || value === null) : assignments;
}

/** Issues about the way a command is called, not about the command itself. */
function ownIssues(invocation: Invocation, called: CalledName): readonly GrammarIssue[] {
  if (invocation.assignments.length === 0 && !called.absolute) return NO_ISSUES;
  const issues = judgeAssignments(assignmentsOf(invocation, called));
  if (called.absolute) {
    const span = invocation.argv[0]?.span ?? invocation.span;
    const message = `${called.name} is called by its path, which no rule for the bare name covers.`;
    issues.push({ rating: 'care', code: 'command/absolute-path', message, word: 0, option: null, span });
  }
  return issues;
}

const NO_ISSUES: readonly GrammarIssue[] = [];

/** The verdict with the issues that unwrapping found, and those about the way it is called. */
function withIssues(verdict: GrammarVerdict, found: readonly GrammarIssue[], own: readonly GrammarIssue[]): GrammarVerdict {
  if (found.length === 0 && own.length === 0) return verdict;
  return { ...verdict, issues: [...verdict.issues, ...found, ...own] };
}

/** The verdict on a shell that only checks the syntax of a file, and prints the errors. */
export function checkVerdict(invocation: Invocation, called: CalledName, file: ShellWord): GrammarVerdict {
  const effects = [{ action: 'read', path: file, recursive: false, span: file.span }] as const;
  const verdict = { words: [called.name ?? ''], known: true, issues: [], conditions: [], effects };
  return withIssues(verdict, NO_ISSUES, ownIssues(invocation, called));
}

/** `timeout --help`: a wrapper that prints information and runs nothing; null for every other use of one. */
export function informationalVerdict(invocation: Invocation, called: CalledName, rule: WrapperRule): GrammarVerdict | null {
  const [, asked, ...others] = invocation.argv;
  if (called.name !== rule.name || asked === undefined || others.length > 0) return null;
  if (asked.value === null || !rule.informs.has(asked.value)) return null;
  const verdict = { words: [rule.name], known: true, issues: NO_ISSUES, conditions: [], effects: [] };
  return withIssues(verdict, NO_ISSUES, ownIssues(invocation, called));
}

/**
 * What a wrapper does by itself. Transparent and appending wrappers and shells only run the inner command; one with a grammar of
 * its own (find) is judged by it, without the words of its inner commands; the others are unknown programs.
 */
export function wrapperVerdict(
  invocation: Invocation,
  called: CalledName,
  rule: WrapperRule,
  unwrapped: Unwrapped,
): GrammarVerdict {
  const verdict = runnerVerdict(invocation, called.name ?? rule.name, rule, unwrapped);
  const issues = unwrapped.issues.map((issue) => ({ ...issue, word: wordAt(invocation, issue) }));
  return withIssues(verdict, issues, ownIssues(invocation, called));
}

function wordAt({ argv }: Invocation, { word, span }: GrammarIssue): number {
  return word >= 0 ? word : argv.findIndex((one) => one.span.start <= span.start && one.span.end >= span.end);
}

function runnerVerdict(invocation: Invocation, name: string, rule: WrapperRule, unwrapped: Unwrapped): GrammarVerdict {
  const { own, effects } = unwrapped;
  if (own !== null) {
    const verdict = withOperandChanges(judgeInvocation({ ...invocation, argv: own }, name), invocation);
    const index = (word: number) => (word < 0 ? word : invocation.argv.indexOf(own[word] as ShellWord));
    return {
      ...verdict,
      issues: verdict.issues.map((issue) => ({ ...issue, word: index(issue.word) })),
      conditions: verdict.conditions.map((condition) => ({ ...condition, word: index(condition.word) })),
    };
  }
  if (rule.kind === 'privilege') {
    const verdict = judgeInvocation(invocation, name);
    return { ...verdict, effects: [...verdict.effects, ...effects] };
  }
  return { words: [name], known: true, issues: [], conditions: [], effects };
}

/**
 * `export NAME=VALUE`: judged as assignments that later commands see. Any option or unclear word also makes it unknown, since
 * bash assigns what it can even if it then reports an error (`export GIT_EXTERNAL_DIFF=x -y`).
 */
function declarationVerdict(invocation: Invocation, name: string): GrammarVerdict {
  const operands = invocation.argv.slice(1);
  const plain = operands.every((word) => word.value !== null && !word.glob && /^[A-Za-z_][A-Za-z0-9_]*(?:=|$)/.test(word.value));
  const issues = operands.flatMap((word, at) => declarationIssues(word, at + 1, name));
  if (!plain || operands.length === 0) return withIssues(judgeInvocation(invocation, name), issues, NO_ISSUES);
  return { words: [name], known: true, issues, conditions: [], effects: [] };
}

/**
 * The issues of one word of a declaration: `NAME=VALUE` assigns, a name alone exports a value that an earlier command may have
 * set (`GNUMAKEFLAGS=…; export GNUMAKEFLAGS; make`). A rule can write out a variable that is not known to make programs run
 * others (`Bash(export FOO=1)`), so such an issue names its word.
 */
function declarationIssues(word: ShellWord, at: number, declaration: string): readonly GrammarIssue[] {
  const text = word.value ?? word.text;
  const [, name, append, equals] = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?(\+?)(=?)/.exec(text) ?? [];
  if (name === undefined) return NO_ISSUES;
  const value = equals === '' || word.value === null ? null : text.slice(text.indexOf('=') + 1);
  const assignment = { name, value, append: append === '+', span: word.span };
  const nameAlone = declaration === 'export' ? judgeExportedName(assignment) : judgeBareAssignments([assignment]);
  const issues = equals === '' ? nameAlone : judgeAssignments([assignment]);
  return issues.map((issue) => (issue.code === 'assignment/unlisted' ? { ...issue, word: at } : issue));
}
