/** The command lines of hooks, read once: what they start, and which of their words are scripts of the project. */
import { readCommandLine } from '../../shell/read.js';
import type { CommandLine, Invocation, ShellWord } from '../../shell/syntax/types.js';

const SHELLS: ReadonlySet<string> = new Set(['sh', 'bash', 'zsh', 'dash', 'ksh', 'fish']);
/** Programs that run what their first word says, without changing it. */
const PREFIXES: ReadonlySet<string> = new Set(['sudo', 'env', 'exec', 'command', 'nohup', 'time', 'nice', 'timeout']);
const MOST_NESTED = 3;

const read = new Map<string, CommandLine>();
/** Lines that are remembered; those of one file at the most. */
const MOST_KEPT = 600;

/** A line as bash would read it. */
export function lineOf(text: string): CommandLine {
  const known = read.get(text);
  if (known !== undefined) return known;
  if (read.size >= MOST_KEPT) read.clear();
  const line = readCommandLine(text, 'bash');
  read.set(text, line);
  return line;
}

/** A line, and those that shells in it are given with `-c`. */
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

/** The words of an invocation from the program on that it really starts. */
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
