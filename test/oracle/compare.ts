/** What bash did beside what the engine judged: everything that is not in the judgement is unseen. */
import type { FoundNames, ShellWord } from '../../src/shell/syntax/types.js';
import type { Judged, JudgedCommand } from './engine.js';
import { factOf, HOME } from './layout.js';
import { type Change, type Program, type Trace, wordsOfStep } from './trace.js';

export interface Unseen {
  readonly kind: 'program' | 'command' | 'assignment' | 'write' | 'connection';
  /** What bash did, for people. */
  readonly text: string;
}

/** Everything in the trace that the judgement does not speak of. */
export function unseenOf(trace: Trace, judged: Judged): Unseen[] {
  const unseen: Unseen[] = [];
  for (const program of trace.programs.slice(1))
    if (!judged.commands.some((command) => isProgramOf(program, command)))
      unseen.push({ kind: 'program', text: `${program.argv.join(' ')} [${program.file} in ${program.cwd}]` });
  for (const step of trace.steps) {
    const found = unseenStep(step, judged);
    if (found !== null) unseen.push(found);
  }
  for (const change of trace.changes)
    if (!isOwnBusiness(change) && !judged.writes.includes(change.path) && !isCopyOfSed(change, judged))
      unseen.push({ kind: 'write', text: `${change.path} (${change.kind})` });
  for (const connection of trace.connections)
    if (!NAME_SERVICE.test(connection)) unseen.push({ kind: 'connection', text: connection });
  return unseen;
}

/** `sed -i` writes a file of a random name beside the one that it changes, which then takes its place. */
function isCopyOfSed({ path }: Change, { commands, writes }: Judged): boolean {
  const folder = /^(.*\/)sed\w{6}$/.exec(path)?.[1];
  const isSed = commands.some(({ words }) => words[0]?.value === 'sed');
  return (
    folder !== undefined &&
    isSed &&
    writes.some((written) => written.startsWith(folder) && !written.slice(folder.length).includes('/'))
  );
}

/**
 * Whether a program that started is what a judged command says: its words, its directory, and really the program of that name.
 * `time` is a word of the language to bash and zsh; dash starts the program, which then starts the command.
 */
function isProgramOf(program: Program, command: JudgedCommand): boolean {
  if (program.file === '/usr/bin/time') return wordsCover(command, program.argv.slice(1)) || wordsCover(command, program.argv);
  if (!wordsCover(command, program.argv)) return false;
  if (command.directory !== null && factOf(command.directory).real !== program.cwd) return false;
  const name = program.argv[0] ?? '';
  const file = name.includes('/') ? name.replace(/^\/bin\//, '/usr/bin/') : `/usr/bin/${name}`;
  return file === program.file;
}

/** Heads of compound commands and tests, which bash traces beside the commands in them. */
const NO_COMMAND = /^(?:for |select |case |\[\[ |\(\( )/;

const ASSIGNMENT = /^([A-Za-z_]\w*)(?:\[[^\]]*\])?\+?=/;

function unseenStep(step: string, judged: Judged): Unseen | null {
  if (NO_COMMAND.test(step)) return null;
  const words = wordsOfStep(step);
  const name = ASSIGNMENT.exec(step)?.[1];
  if (name !== undefined) {
    const value = words?.length === 1 ? words[0]?.slice(step.indexOf('=') + 1) : undefined;
    const known = judged.commands.some(
      (command) =>
        isDeclared(step, command) ||
        command.assignments.some(
          (one) => one.name === name && (one.value === null || one.value === value || one.value.startsWith('~')),
        ),
    );
    return known ? null : { kind: 'assignment', text: step };
  }
  if (words === null) return { kind: 'command', text: step };
  return judged.commands.some((command) => wordsCover(command, words)) ? null : { kind: 'command', text: step };
}

/** The C library looks for its name service daemon when bash starts; there is none. */
const NAME_SERVICE = /^1 \/var\/run\/nscd\/socket$/;

/** Bash traces the assignments of `export NAME=VALUE` again, on their own. */
function isDeclared(step: string, { words }: JudgedCommand): boolean {
  return (
    DECLARATIONS.has(words[0]?.value ?? '') && words.some((word) => word.value !== null && word.value === wordsOfStep(step)?.[0])
  );
}

const DECLARATIONS: ReadonlySet<string> = new Set(['export', 'readonly', 'declare', 'typeset', 'local']);

/** Files that bash or zsh itself uses: the terminal that it looks for, nothing, and here-documents too long for a pipe. */
export function isOwnBusiness({ path, kind }: Change): boolean {
  return path === '/dev/null' || (path === '/dev/tty' && kind.startsWith('open ')) || /^\/tmp\/(?:sh-thd\.|zsh)\w+$/.test(path);
}

/** Whether the words of a judged command can be these. */
function wordsCover({ words, appended, names }: JudgedCommand, argv: readonly string[]): boolean {
  const follows = (rest: readonly string[]) =>
    rest.length === 0 || (appended && (names === null || rest.every((argument) => isNameIn(names, argument))));
  return words.length > 0 && coverFrom(words, 0, argv, 0, follows);
}

/** What a command prints that the stub plays, also where it would print names; where these end in a NUL, the end of the line is a part of it. */
const STUB_ANSWERS: readonly string[] = ['a.txt', 'a.txt\n'];

/** Whether an argument is one of the names that a command was found to be given. */
function isNameIn({ roots, bare }: FoundNames, argument: string): boolean {
  if (STUB_ANSWERS.includes(argument)) return true;
  if (bare) return !/^[-/:]/.test(argument) && !argument.split('/').includes('..');
  return roots.some(({ value, literalPrefix, glob }) => {
    const root = glob ? literalPrefix : (value ?? '');
    return (
      argument === root ||
      (argument.startsWith(glob || root.endsWith('/') ? root : `${root}/`) &&
        !argument.slice(root.length).split('/').includes('..'))
    );
  });
}

function coverFrom(
  words: readonly ShellWord[],
  at: number,
  argv: readonly string[],
  from: number,
  appended: (rest: readonly string[]) => boolean,
): boolean {
  const word = words[at];
  if (word === undefined) return appended(argv.slice(from));
  if (word.names !== undefined)
    return from < argv.length && isNameIn(word.names, argv[from] ?? '') && coverFrom(words, at + 1, argv, from + 1, appended);
  if (word.value !== null && !word.glob)
    return from < argv.length && isValue(word, argv[from] ?? '') && coverFrom(words, at + 1, argv, from + 1, appended);
  // A pattern gives one word or more, figures and texts in quotes exactly one, an unknown word any number.
  const least = word.glob || word.data === 'one' || word.data === 'digits' ? 1 : 0;
  const most = word.data === 'one' || word.data === 'digits' ? from + 1 : argv.length;
  for (let end = from; end <= Math.min(most, argv.length); end++) {
    if (end > from && !fits(word, argv[end - 1] ?? '', end === from + 1)) return false;
    if (end >= from + least && coverFrom(words, at + 1, argv, end, appended)) return true;
  }
  return false;
}

function isValue(word: ShellWord, argument: string): boolean {
  if (word.value === argument) return true;
  return word.tilde && word.value !== null && `${HOME}${word.value.slice(1)}` === argument;
}

/** Whether an argument can be (one of) what a word that is not certain becomes. */
function fits(word: ShellWord, argument: string, first: boolean): boolean {
  if (word.data === 'digits') return /^\d+$/.test(argument.slice(word.literalPrefix.length));
  // Every name that a pattern stands for begins alike; of the parts of a text, only the first does.
  if (!word.glob && !first) return true;
  return argument.startsWith(word.tilde ? `${HOME}${word.literalPrefix.slice(1)}` : word.literalPrefix);
}
