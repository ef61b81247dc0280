/**
 * Calls of programs that run any code they are given (`node -p`, `python3 -c`), where the code shows what it does: print, and read files.
 */
import type { Invocation, ShellWord } from '../../shell/syntax/types.js';
import { partOf } from '../grammar/evaluation.js';
import type { CommandTable } from '../grammar/table.js';
import { readPythonProgram } from '../languages/python-program.js';
import type { GrammarVerdict } from '../model/command.js';

/** The verdict on such a call; null for any other. */
export function toldVerdict({ words, tells, program }: CommandTable, invocation: Invocation): GrammarVerdict | null {
  return (tells && expressionVerdict(words, tells, invocation)) ?? (program && programVerdict(words, program, invocation));
}

/** `node -p process.version` */
function expressionVerdict(
  words: readonly string[],
  { options, matches }: NonNullable<CommandTable['tells']>,
  { argv }: Invocation,
): GrammarVerdict | null {
  const [, option, expression, ...others] = argv;
  if (expression?.value == null || expression.glob || others.length > 0 || !options.has(option?.value ?? '')) return null;
  const found = matches.exec(expression.value);
  if (found === null) return null;
  const file = found.groups?.file;
  if (file === undefined) return { words, known: true, issues: [], conditions: [], effects: [] };
  const path = partOf(expression, file);
  return {
    words,
    known: true,
    issues: [],
    // A symlink to another kind of file would make the program run that file.
    conditions: [{ kind: 'plain-file', path, ending: '.json', word: 2 }],
    effects: [{ action: 'read', path, recursive: false, span: expression.span }],
  };
}

/** `python3 -c 'print(1)'`, `python3 - <<'EOF'`: options that change nothing about the program, then only the program. */
function programVerdict(
  words: readonly string[],
  { options, harmless, isolates }: NonNullable<CommandTable['program']>,
  { argv, redirections, span }: Invocation,
): GrammarVerdict | null {
  let at = 1;
  for (let given = argv[at]?.value ?? ''; harmless.has(given) || isolates.has(given); given = argv[at]?.value ?? '') at += 1;
  const isOption = options.has(argv[at]?.value ?? '');
  const rest = argv.slice(at + 1);
  const word = isOption ? rest[0] : undefined;
  if (isOption ? rest.length !== 1 || word?.glob !== false || word.tilde : rest.length > 0 || (argv[at]?.value ?? '-') !== '-')
    return null;
  const inputs = redirections.filter(({ operator, descriptor }) => (descriptor ?? (operator.startsWith('<') ? 0 : 1)) === 0);
  const document = inputs.length === 1 ? inputs[0] : undefined;
  const text = isOption ? word?.value : document?.direction === 'here' ? document.text : null;
  const read = text == null ? null : readPythonProgram(text);
  if (read === null) return null;
  const place = word?.span ?? document?.span ?? span;
  const paths = read.files.map((file): ShellWord => ({ ...partOf(argv[0] as ShellWord, file), span: place }));
  const isolated = argv.slice(1, at).some(({ value }) => isolates.has(value ?? ''));
  return {
    words,
    known: true,
    issues: [],
    conditions: [{ kind: 'own-modules', isolated, loads: read.modules, shows: read.shown, word: -1 }],
    effects: paths.map((path) => ({ action: 'read', path, recursive: false, span: place })),
  };
}
