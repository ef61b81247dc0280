/** Words for programs, of the kind that PowerShell, Windows and a POSIX shell pass on in the same way. */
import type { PlainWord } from './read.js';

/** Quoted words contain only characters at which no program, no cmd.exe and no version of PowerShell splits them. */
const QUOTED = /^[A-Za-z0-9 _./:=,@+;()%#-]+$/;
const QUOTED_FOR_SCRIPT = /^[A-Za-z0-9 _./:=,@+-]+$/;
const BARE = /^[A-Za-z0-9_./:=@+%-]+$/;
const BARE_FOR_SCRIPT = /^[A-Za-z0-9_./:=@+-]+$/;
/** `HEAD~2..HEAD`: anywhere else `~` may belong to a short file name of Windows, or mean the home directory. */
const REVISIONS = /^HEAD(?:~\d{0,3})?(?:\.{2,3}HEAD(?:~\d{0,3})?)?$/;

/**
 * Whether a word reaches a program unchanged, wherever the program runs.
 * @param script whether the program may be a script, which parses its words again
 */
export function isProgramWord({ text, quoted, status }: PlainWord, script: boolean): boolean {
  // Programs of MSYS2 and Cygwin read words from the file named after `@`.
  if (status || text.startsWith('@')) return false;
  if (!script && REVISIONS.test(text)) return true;
  if (!isSamePlace(text) || /^-[A-Za-z_?].*:/.test(text) || (script && text === '--')) return false;
  if (quoted) return (script ? QUOTED_FOR_SCRIPT : QUOTED).test(text);
  // `-Dx.y` becomes two words; a script never receives `--`.
  return (script ? BARE_FOR_SCRIPT : BARE).test(text) && !/^-[A-Za-z_?].*\./.test(text);
}

/**
 * Whether a path means the same file on Windows as elsewhere: no drive (`C:`), stream (`a:b:`, `::`), other machine (`//host`) or
 * name that ends in a dot or a blank, which Windows drops.
 */
export function isSamePlace(text: string): boolean {
  if (/(?:^|[^A-Za-z0-9]|^-[A-Za-z])[A-Za-z]:|::|:$/.test(text)) return false;
  if (/(?:^|[^:])\/\//.test(text)) return false;
  return text.split(/[/=:,;]/).every((name) => name === '.' || name === '..' || name === '...' || !/[. ]$/.test(name));
}
