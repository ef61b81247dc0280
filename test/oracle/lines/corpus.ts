/** The fixed lines: run as they are in every run, and damaged by the generator. */
import { existsSync, readFileSync } from 'node:fs';
import { FORMS } from './forms.js';
import { SURPRISES } from './surprises.js';

/** Recorded vectors and lists of real commands, with the name `zz` of the first replaced where it stands for any command. */
const VECTORS: readonly string[] = [
  'test/fixtures/vectors/claude-code/bash-evasion.2.1.329.json',
  'test/fixtures/vectors/claude-code/readonly-norules.2.1.329.json',
];
const LISTS: readonly string[] = ['test/fixtures/read-only-commands.txt'];

/** The lists of fixed lines that are no attempts to hide anything. */
export const ORDINARY: ReadonlySet<string> = new Set(['recorded vectors', 'read-only commands']);

/** One fixed line with the list that it is from. */
export interface FixedLine {
  readonly from: string;
  readonly line: string;
}

/** Every fixed line, each once. Reads the recorded vectors below the current directory. */
export function fixedLines(): readonly FixedLine[] {
  const found = new Map<string, string>();
  const enter = (from: string, line: string) => {
    if (!found.has(line) && !line.includes('\0')) found.set(line, from);
  };
  for (const [name, lines] of Object.entries(SURPRISES)) for (const line of lines) enter(name, line);
  for (const line of [...Object.values(SURPRISES).flat(), ...FORMS])
    for (const other of quotedAnotherWay(line)) enter('quoted another way', other);
  for (const line of FORMS) enter('forms that really ran', line);
  for (const file of VECTORS)
    for (const line of commandsIn(JSON.parse(readFileSync(file, 'utf8')))) enter('recorded vectors', line);
  for (const file of LISTS.filter((one) => existsSync(one)))
    for (const line of readFileSync(file, 'utf8').split('\n'))
      if (line.trim() !== '' && !line.startsWith('#')) enter('read-only commands', line);
  return [...found].map(([line, from]) => ({ from, line }));
}

/** The values of all members `command` or `call`, at any depth. */
function commandsIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(commandsIn);
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, one]) =>
    (key === 'command' || key === 'call') && typeof one === 'string' ? [one] : commandsIn(one),
  );
}

/** The line with its quoted texts written in other ways that bash reads alike: `'$(P)'` as `\\$\\(P\\)` and `$'\\x24(P)'`. */
function quotedAnotherWay(line: string): string[] {
  const quoted = /(?<![\\$"\w])'([^'\n\\]*[$`][^'\n\\]*)'/g;
  if (!quoted.test(line)) return [];
  return [
    line.replace(quoted, (_, text: string) => text.replace(/[^\w/.,:=+-]/g, '\\$&')),
    line.replace(quoted, (_, text: string) => `$'${text.replaceAll('$', '\\x24').replaceAll('`', '\\x60')}'`),
    line.replace(quoted, (_, text: string) => `"${text.replace(/[$`"]/g, '\\$&')}"`),
  ];
}
