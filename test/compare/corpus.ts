/** The lines that are asked about: dangerous ones, none of which may run without a person, and everyday ones, which should run without a question. */
import { readFileSync } from 'node:fs';

export interface Group {
  readonly name: string;
  readonly lines: readonly string[];
}

export interface Corpus {
  readonly dangerous: readonly Group[];
  readonly everyday: readonly Group[];
}

/** The groups of a file: `# --- NAME`, then a line each; other comments and empty lines are left out. */
function groupsOf(file: string): Group[] {
  const [, ...parts] = readFileSync(`test/fixtures/compare/${file}`, 'utf8').split(/^# --- /m);
  return parts.map((part) => {
    const [name = '', ...lines] = part.split('\n');
    return { name, lines: lines.filter((line) => line !== '' && !line.startsWith('#')) };
  });
}

export function readCorpus(): Corpus {
  return { dangerous: groupsOf('dangerous.txt'), everyday: groupsOf('everyday.txt') };
}

export function linesOf(groups: readonly Group[]): string[] {
  return groups.flatMap(({ lines }) => lines);
}
