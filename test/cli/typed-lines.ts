// What a document says that a reader types, and what a shell prints when it is really typed.
import { spawnSync } from 'node:child_process';
import { chmodSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { COMMAND, scratch } from './spawned.js';

/** A line that a reader types, with what it prints. */
export interface Typed {
  readonly section: string;
  readonly line: string;
  readonly prints: string;
}

/** The lines of all console blocks of a document, each with the title that it stands under. */
export function typedLines(document: string): readonly Typed[] {
  const found: Typed[] = [];
  let section = '';
  for (const [, title, block] of readFileSync(document, 'utf8').matchAll(/^#{1,2} (.+)$|^```console\n([\s\S]*?)^```$/gm)) {
    if (title !== undefined) section = title;
    const [, ...commands] = `\n${block ?? ''}`.split('\n$ ');
    for (const command of commands) {
      const [line = '', ...prints] = command.split('\n');
      found.push({ section, line, prints: withoutEmpty(prints.join('\n')) });
    }
  }
  return found;
}

/** Types one line into bash; what it prints on both streams. */
export function printedBy(line: string, cwd: string, env: Readonly<Record<string, string>>): string {
  const { stdout } = spawnSync('bash', ['-c', `{ ${line}\n} 2>&1`], {
    cwd,
    env: { LC_ALL: 'C.UTF-8', ...env },
    encoding: 'utf8',
  });
  return withoutEmpty(stdout);
}

/** Without the empty lines around it and the blanks at line ends. */
function withoutEmpty(text: string): string {
  return text.trim().replace(/ +$/gm, '');
}

/** A folder for PATH with the built `policy` in it. */
export function commandFolder(): string {
  const folder = scratch({ policy: `#!/bin/sh\nexec ${process.execPath} ${COMMAND} "$@"\n` });
  chmodSync(join(folder, 'policy'), 0o755);
  return folder;
}
