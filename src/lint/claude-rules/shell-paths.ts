/**
 * The files of a command line to which Claude Code applies its Read and Edit rules (2.1.329: recorded with deny rules for `.env`
 * and `secrets`). Commands that were not recorded are included if they read or change files in the same way.
 */
import { readCommands } from '../../command/tree.js';
import { readCommandLine } from '../../shell/read.js';
import type { ShellWord } from '../../shell/syntax/types.js';

/** Recorded as not included: source, tar, xxd, ln, interpreters. */
const READERS: ReadonlySet<string> = new Set(
  `awk base64 cat cd cmp column comm cp cut diff du egrep fd fgrep file find git grep head hexdump jq less ls md5sum more mv nl od paste
  readlink realpath rg sed sha1sum sha256sum sort stat strings tac tail tr tree uniq wc`.split(/\s+/),
);
const WRITERS: ReadonlySet<string> = new Set(
  'chgrp chmod chown cp dd install mkdir mv rm rmdir shred tee touch truncate unlink'.split(' '),
);

/** Returns strings of a line that may be paths of files that it reads (`Read`) or changes (`Edit`); relative to the folder of the call. */
export function shellPaths(line: string, tool: 'Read' | 'Edit', cwd: string): readonly string[] {
  const { commands } = readCommands(readCommandLine(line, 'bash'), 'bash');
  return commands.flatMap(({ name, invocation: { argv, redirections } }) => {
    const isTheirs = name !== null && (tool === 'Read' ? READERS : WRITERS).has(name);
    const inPlace = tool === 'Edit' && name === 'sed' && argv.some(({ text }) => /^-[a-zA-Z]*i|^--in-place/.test(text));
    const operands = isTheirs || inPlace ? argv.slice(1).filter(({ text }) => !text.startsWith('-')) : [];
    const targets = redirections.flatMap(({ direction, target }) => {
      const reads = direction === 'read' || direction === 'read-write';
      const writes = direction === 'write' || direction === 'read-write';
      return target !== null && (tool === 'Read' ? reads && isTheirs : writes) ? [target] : [];
    });
    return [...operands, ...targets].flatMap((word) => pathOf(word, cwd));
  });
}

/** A glob pattern of the shell is compared literally. */
function pathOf({ value, text }: ShellWord, cwd: string): readonly string[] {
  if (value !== null) return [value];
  const written = text.replace(/["']/g, '').replace(/^\$(?:PWD|\{PWD\})(?=\/|$)/, cwd);
  return /[$`]/.test(written) ? [] : [written];
}
