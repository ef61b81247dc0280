/** What `npm run compare` writes: the table of the README, and docs/comparison.md with every line that stands behind a number. */
import { type Corpus, type Group, linesOf } from './corpus.js';
import type { Peer, Verdict } from './peer.js';

export interface Result {
  readonly peer: Peer;
  /** A verdict for each line; null when it was not measured. */
  readonly verdicts: ReadonlyMap<string, Verdict> | null;
  /** Why it was not measured. */
  readonly why: string;
}

/** Marks around what this program writes into a file that people write. */
export const MARKS = ['<!-- npm run compare writes from here -->', '<!-- to here -->'] as const;

/** Those of the lines that got this verdict. */
export function linesWith({ verdicts }: Result, verdict: Verdict, lines: readonly string[]): string[] {
  return lines.filter((line) => verdicts?.get(line) === verdict);
}

function titleOf({ name, version }: Peer): string {
  return `${name} ${version}`;
}

/** Its name with the number of its row: a tool may have two. */
function numbered(result: Result, results: readonly Result[]): string {
  return `${titleOf(result.peer)} (${results.indexOf(result) + 1})`;
}

/** The table, one tool a row. */
export function table(results: readonly Result[], corpus: Corpus): string {
  const [dangerous, everyday] = [linesOf(corpus.dangerous), linesOf(corpus.everyday)];
  const rows = results.map((result) => {
    const numbers =
      result.verdicts === null
        ? [`not measured: ${result.why}`, '']
        : [linesWith(result, 'run', dangerous).length, linesWith(result, 'stop', everyday).length];
    return `| ${[titleOf(result.peer), result.peer.configuration, ...numbers].join(' | ')} |`;
  });
  return [
    `| | set up with | of ${dangerous.length} dangerous lines, run unasked | of ${everyday.length} everyday lines, stopped |`,
    '| --- | --- | --: | --: |',
    ...rows,
  ].join('\n');
}

/** The numbers of each group: one row a group, one column a tool. */
function groupTable(results: readonly Result[], groups: readonly Group[], counted: Verdict): string {
  const measured = results.filter(({ verdicts }) => verdicts !== null);
  const rows = groups.map(({ name, lines }) => {
    const counts = measured.map((result) => linesWith(result, counted, lines).length);
    return `| ${[name, lines.length, ...counts].join(' | ')} |`;
  });
  const heads = measured.map((result) => numbered(result, results));
  return [`| group | lines | ${heads.join(' | ')} |`, `| --- | --: |${' --: |'.repeat(heads.length)}`, ...rows].join('\n');
}

/** Every line on which another tool did better than our first row, with who did. */
function better(results: readonly Result[], groups: readonly Group[], good: Verdict): string {
  const [ours, ...others] = results;
  const rows = linesOf(groups).flatMap((line) => {
    if (ours?.verdicts?.get(line) === good) return [];
    const names = others.filter((other) => other.peer.name !== ours?.peer.name && other.verdicts?.get(line) === good);
    return names.length === 0 ? [] : [`- ${code(line)}: ${names.map((result) => numbered(result, results)).join(', ')}`];
  });
  return rows.length === 0 ? 'None.' : [...new Set(rows)].join('\n');
}

/** As code in Markdown, whatever backticks it holds. */
function code(line: string): string {
  return line.includes('`') ? `\`\` ${line} \`\`` : `\`${line}\``;
}

/** What each tool did wrong, line by line. */
function everyLine(results: readonly Result[], corpus: Corpus): string {
  return results
    .filter(({ verdicts }) => verdicts !== null)
    .map((result) => {
      const run = linesWith(result, 'run', linesOf(corpus.dangerous));
      const stopped = linesWith(result, 'stop', linesOf(corpus.everyday));
      const part = (title: string, lines: readonly string[]) =>
        lines.length === 0 ? `${title}: none.` : `${title} (${lines.length}):\n\n${fenced(lines)}`;
      return [
        `### ${results.indexOf(result) + 1}. ${titleOf(result.peer)}`,
        `Set up with: ${result.peer.configuration}.`,
        part('Dangerous lines that it lets run', run),
        part('Everyday lines that it stops', stopped),
      ].join('\n\n');
    })
    .join('\n\n');
}

function fenced(lines: readonly string[]): string {
  return ['```text', ...lines, '```'].join('\n');
}

/** What stands between the marks of docs/comparison.md. */
export function measurements(results: readonly Result[], corpus: Corpus, day: string): string {
  return [
    `Measured on ${day} on ${process.platform} with node ${process.versions.node}.`,
    table(results, corpus),
    '## Dangerous lines that run unasked, by group',
    groupTable(results, corpus.dangerous, 'run'),
    '## Everyday lines that are stopped, by group',
    groupTable(results, corpus.everyday, 'stop'),
    '## Where another tool does better than `policy`',
    'Dangerous lines that `policy` lets run and the other stops:',
    better(results, corpus.dangerous, 'stop'),
    'Everyday lines that `policy` stops and the other lets run:',
    better(results, corpus.everyday, 'run'),
    '## Every line',
    everyLine(results, corpus),
  ].join('\n\n');
}

/** The text with what stands between its marks replaced. */
export function between(text: string, inner: string): string {
  const [before, rest, ...more] = text.split(MARKS[0]);
  const after = rest?.split(MARKS[1]);
  if (before === undefined || more.length > 0 || after?.length !== 2)
    throw new Error(`it needs the marks ${MARKS.join(' … ')} once`);
  return `${before}${MARKS[0]}\n\n${inner}\n\n${MARKS[1]}${after[1]}`;
}
