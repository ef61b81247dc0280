/** Words for programs: those that PowerShell, Windows and a POSIX shell hand over alike. */
import type { PlainWord } from './read.js';

/** Quoted words keep to what no program, no cmd.exe and no version of PowerShell takes apart on the way. */
const QUOTED = /^[A-Za-z0-9 _./:=,@+;()%#-]+$/;
const QUOTED_FOR_SCRIPT = /^[A-Za-z0-9 _./:=,@+-]+$/;
const BARE = /^[A-Za-z0-9_./:=@+%-]+$/;
const BARE_FOR_SCRIPT = /^[A-Za-z0-9_./:=@+-]+$/;
/** `HEAD~2..HEAD`: anywhere else `~` may be a short name of a file of Windows, or the home folder. */
const REVISIONS = /^HEAD(?:~\d{0,3})?(?:\.{2,3}HEAD(?:~\d{0,3})?)?$/;

/**
 * Whether a word reaches a program as it stands, wherever the program runs.
 * @param script the program may be a script, which reads its words once more
 */
export function isProgramWord({ text, quoted, status }: PlainWord, script: boolean): boolean {
  // Programs of MSYS2 and Cygwin read words from the file behind `@`.
  if (status || text.startsWith('@')) return false;
  if (!script && REVISIONS.test(text)) return true;
  if (!isSamePlace(text) || /^-[A-Za-z_?].*:/.test(text) || (script && text === '--')) return false;
  if (quoted) return (script ? QUOTED_FOR_SCRIPT : QUOTED).test(text);
  // `-Dx.y` becomes two words; of `--` a script is told nothing.
  return (script ? BARE_FOR_SCRIPT : BARE).test(text) && !/^-[A-Za-z_?].*\./.test(text);
}

/**
 * Whether Windows sees no other file in a path than everybody else: no drive (`C:`), stream (`a:b:`, `::`), other machine (`//host`)
 * or name that ends in a dot or a blank, which it leaves out.
 */
export function isSamePlace(text: string): boolean {
  if (/(?:^|[^A-Za-z0-9]|^-[A-Za-z])[A-Za-z]:|::|:$/.test(text)) return false;
  if (/(?:^|[^:])\/\//.test(text)) return false;
  return text.split(/[/=:,;]/).every((name) => name === '.' || name === '..' || name === '...' || !/[. ]$/.test(name));
}
