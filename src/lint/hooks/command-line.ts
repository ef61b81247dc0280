/** The command lines of hooks, parsed once: the programs that they start, and their words that are scripts of the project. */
import { readCommandLine } from '../../shell/read.js';
import type { CommandLine, Invocation, ShellWord } from '../../shell/syntax/types.js';

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'fish']);
/** Programs that run the command that follows them, without changing it. */
const PREFIXES: ReadonlySet<string> = new Set(['sudo', 'env', 'exec', 'command', 'nohup', 'time', 'nice', 'timeout']);
const MOST_NESTED = 3;

const read = new Map<string, CommandLine>();
/** The maximum number of lines that are cached; one file has no more. */
const MOST_KEPT = 600;

/** Parses a line as bash would read it. */
export function lineOf(text: string): CommandLine {
  const known = read.get(text);
  if (known !== undefined) return known;
  if (read.size >= MOST_KEPT) read.clear();
  const line = readCommandLine(text, 'bash');
  read.set(text, line);
  return line;
}

/** Returns a line, and the lines that shells in it receive with `-c`. */
export function linesIn(text: string, depth = 0): readonly CommandLine[] {
  const line = lineOf(text);
  if (depth >= MOST_NESTED) return [line];
  const inner = line.invocations.flatMap((invocation) => {
    const script = scriptOfShell(invocation);
    return script === null ? [] : linesIn(script, depth + 1);
  });
  return [line, ...inner];
}

function scriptOfShell(invocation: Invocation): string | null {
  const words = wordsOf(invocation);
  if (!isShell(programOf(words[0]))) return null;
  const flag = words.findIndex(({ text }) => /^-[a-z]*c$/.test(text));
  return flag < 0 ? null : (words[flag + 1]?.value ?? null);
}

export function isShell(program: string): boolean {
  return SHELLS.has(program);
}

/** Returns the words of an invocation, beginning with the program that it really starts. */
export function wordsOf({ argv }: Invocation): readonly ShellWord[] {
  let at = 0;
  while (at < argv.length - 1 && PREFIXES.has(programOf(argv[at]))) {
    at++;
    while (at < argv.length - 1 && /^(?:-|\d+[smh]?$|[A-Za-z_]\w*=)/.test(argv[at]?.text ?? '')) at++;
  }
  return argv.slice(at);
}

/** `/usr/bin/python3` → `python3` */
export function programOf(word: ShellWord | undefined): string {
  const text = word?.value ?? word?.text ?? '';
  return text.slice(text.lastIndexOf('/') + 1);
}
