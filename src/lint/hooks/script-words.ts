/** The words of a hook's command line that name a script of the project. */
import type { Invocation, ShellWord } from '../../shell/syntax/types.js';
import type { HookCommand } from '../project/handlers.js';
import { isShell, lineOf, programOf, wordsOf } from './command-line.js';

/** A script, and the base of its path. */
export interface ScriptWord {
  /** `project`, `plugin`: it follows the runner's variable; `cwd`: nothing precedes it; `machine`: an absolute path. */
  readonly base: 'project' | 'plugin' | 'cwd' | 'machine';
  /** Relative to its base; as written for `machine`. */
  readonly path: string;
  /** Offsets in the command line. */
  readonly start: number;
  readonly end: number;
  /** Another command of the line checks first whether it exists. */
  readonly asked: boolean;
  /** The line changes the working directory first. */
  readonly moved: boolean;
}

const INTERPRETERS =
  /^(?:sh|bash|zsh|dash|ksh|python[\d.]*|node|deno|bun|ruby|perl|php|pwsh|powershell|tsx|ts-node|uv|source|\.)$/;
const SCRIPT = /\.(?:sh|bash|zsh|py|[cm]?js|[cm]?ts|rb|pl|php|ps1)$/;
const PROJECT =
  /^\$\{?(?:CLAUDE_PROJECT_DIR|GEMINI_PROJECT_DIR|QWEN_PROJECT_DIR|CODEX_PROJECT_DIR|CURSOR_PROJECT_DIR)(?::-[^}]*)?\}?\/+/;
const PLUGIN = /^\$\{?(?:CLAUDE_PLUGIN_ROOT|PLUGIN_ROOT)\}?\/+/;
const MACHINE = /^(?:\/(?:Users|home)\/[^/]+\/|[A-Za-z]:[\\/]Users[\\/])/;

/** Returns every script on a line that bash reads. */
export function scriptWords({ text, args, shell }: HookCommand): readonly ScriptWord[] {
  if (shell !== 'posix' || args !== null) return [];
  const { invocations } = lineOf(text);
  const tests = invocations.filter((one) => ['[', 'test', '[[', 'command'].includes(one.argv[0]?.text ?? ''));
  return invocations.flatMap((invocation): ScriptWord[] => {
    const word = scriptOf(invocation);
    const script = word === null ? null : read(word);
    if (word === null || script === null) return [];
    const asked = tests.some(({ argv }) => argv.some(({ text: said }) => said === word.text));
    const moved = invocation.directory === null || invocation.directory.length > 0;
    return [{ ...script, start: word.span.start, end: word.span.end, asked, moved }];
  });
}

/** Returns the program itself if it is a path; otherwise the first operand of an interpreter that has a script's file extension. */
function scriptOf(invocation: Invocation): ShellWord | null {
  const words = wordsOf(invocation);
  const [program] = words;
  if (program === undefined) return null;
  if (!INTERPRETERS.test(programOf(program))) return program.text.includes('/') ? program : null;
  const operands = words.slice(1);
  if (operands.some(({ text }) => /^(?:-[a-zA-Z]*c|-e|--eval|-m|-p)$/.test(text))) return null;
  const plain = (word: ShellWord) => word.text.replace(/["']/g, '');
  const script = operands.find((word) => SCRIPT.test(plain(word)));
  const first = operands.find(({ text }) => !text.startsWith('-'));
  return script ?? (isShell(programOf(program)) && first !== undefined && plain(first).includes('/') ? first : null);
}

function read(word: ShellWord): Pick<ScriptWord, 'base' | 'path'> | null {
  if (word.glob) return null;
  const plain = word.text.replace(/["']/g, '');
  const project = PROJECT.exec(plain) ?? PLUGIN.exec(plain);
  if (project !== null) {
    const path = plain.slice(project[0].length);
    return isPathBelowBase(path) ? { base: PLUGIN.test(plain) ? 'plugin' : 'project', path } : null;
  }
  if (word.value === null || word.tilde) return null;
  if (MACHINE.test(word.value)) return { base: 'machine', path: word.value };
  if (/^[/~$-]/.test(word.value) || !isPathBelowBase(word.value)) return null;
  return { base: 'cwd', path: word.value.replace(/^(?:\.\/+)+/, '') };
}

/** Whether it is a path below its base with no unknown part. */
function isPathBelowBase(path: string): boolean {
  return path !== '' && /^[\w@%+=:,./ -]+$/.test(path) && !path.split('/').includes('..');
}
