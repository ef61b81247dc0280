/** The help texts: an overview of all commands by task, and a manual page for each command. */
import { painter } from '../../report/printing/paint.js';
import { wrap } from '../../report/printing/wrap.js';
import { type CommandEntry, type CommandFile, type Example, GROUPS, nameOf } from './command.js';
import { argumentRows, type Declared, declaredBy, optionRow, type Row } from './declared.js';

const PURPOSE = 'One policy for every AI coding agent: may a tool call run, and why.';
const NOT_GROUPED = 'Options:';
/** From this width on, the text of a row is next to its head, else below it. */
const WIDE = 60;
const LONGEST_HEAD = 26;

/** `policy --help`: one line for every command, by task. */
export function overview(commands: readonly CommandEntry[], width: number, color = false): string {
  const { title: heading } = painter(color);
  const groups = GROUPS.flatMap((group) => {
    const rows = commands.filter((entry) => entry.group === group).map((entry): Row => [nameOf(entry), entry.describe]);
    return rows.length === 0 ? [] : [{ title: group, rows }];
  });
  const options: readonly Row[] = [
    ['--help', 'Print this help; `policy COMMAND --help` explains a command, with examples'],
    ['--version', 'Print the version'],
    ['--color', 'Use colour even if the output is not a terminal, like FORCE_COLOR in the environment'],
    ['--no-color', 'Use no colour, like NO_COLOR in the environment'],
  ];
  const all = [...groups, { title: 'Options', rows: options }];
  const head = Math.max(...all.flatMap(({ rows }) => rows.map(([name]) => name.length)));
  return page([
    ['policy COMMAND [OPTIONS]', '', ...wrap(PURPOSE, width)],
    ...all.map(({ title, rows }) => [heading(title), ...table(rows, width, head)]),
  ]);
}

/** `policy NAME --help`: synopsis, description, arguments, options, exit codes, files, and examples. */
export function commandHelp(entry: CommandEntry, file: CommandFile, width: number, color = false): string {
  const { title: heading } = painter(color);
  const titled = ([title, ...lines]: readonly string[]) => (title === undefined ? [] : [heading(title), ...lines]);
  const declared = declaredBy(entry, file);
  const { usage, exitCodes, files, examples } = entry.help();
  const [synopsis = '', ...paragraphs] = usage.replaceAll('$0', 'policy').split('\n\n');
  return page([
    wrap(`policy ${nameOf(entry)}: ${entry.describe}`, width),
    [heading('Usage'), ...synopsis.split('\n').flatMap((line) => hanging(line, 2, 9, width))],
    ...paragraphs.map((text) => wrap(text.replaceAll('\n', ' '), Math.max(12, width))),
    titled(section('Arguments', argumentRows(declared, '…'), width)),
    ...optionSections(declared, width).map(titled),
    titled(
      section(
        'Exit codes',
        exitCodes.map(([code, means]) => [String(code), means]),
        width,
      ),
    ),
    titled(section('Files', files, width)),
    examples.length === 0 ? [] : [heading('Examples'), ...examples.flatMap((example) => exampleLines(example, width))],
  ]);
}

/** Joins sections with an empty line between them. */
function page(sections: readonly (readonly string[])[]): string {
  return `${sections
    .filter((lines) => lines.length > 0)
    .map((lines) => lines.join('\n'))
    .join('\n\n')}\n`;
}

function section(title: string, rows: readonly Row[], width: number): readonly string[] {
  return rows.length === 0 ? [] : [...wrap(title, width), ...table(rows, width)];
}

function optionSections({ options }: Declared, width: number): readonly (readonly string[])[] {
  const titles = [...new Set(options.map(({ group }) => group ?? NOT_GROUPED))];
  return titles.map((title) => {
    const rows = options.filter(({ group }) => (group ?? NOT_GROUPED) === title).map((option) => optionRow(option));
    return section(title.replace(/:$/, ''), rows, width);
  });
}

/** Puts heads and texts side by side if there is room. */
function table(rows: readonly Row[], width: number, longest = Math.max(...rows.map(([name]) => name.length))): string[] {
  const column = Math.min(longest, LONGEST_HEAD) + 4;
  return rows.flatMap(([name, text]) => {
    if (width < WIDE) return [...hanging(name, 2, 6, width), ...hanging(text, 6, 6, width)];
    const lines = wrap(text, width - column).map((line) => `${' '.repeat(column)}${line}`);
    const [first = '', ...rest] = lines;
    return name.length <= LONGEST_HEAD
      ? [`  ${name.padEnd(column - 2)}${first.slice(column)}`.trimEnd(), ...rest]
      : [`  ${name}`, ...lines];
  });
}

/** Returns the purpose of the example, its line, and its output, unwrapped: a wrapped command line could not be copied. */
function exampleLines({ says, line, prints, exit }: Example, width: number): readonly string[] {
  const output = [...prints, ...(exit === 0 ? [] : [`(exit code ${exit})`])];
  return [
    ...hanging(says.endsWith('?') ? says : `${says}:`, 2, 2, width),
    `    $ ${line}`,
    ...output.map((text) => `    ${text}`.trimEnd()),
  ];
}

/** Wraps a line to `width`, with the first line indented by `first`, the others by `others`. */
function hanging(text: string, first: number, others: number, width: number): readonly string[] {
  const room = Math.max(12, width - others);
  return wrap(text.trimStart(), room).map((line, index) => `${' '.repeat(index === 0 ? first : others)}${line}`);
}
