/** The manual page `policy(1)`, generated from the same declarations as the help texts. */
import { type CommandEntry, type CommandFile, type Example, GROUPS, nameOf } from './words/command.js';
import { argumentRows, declaredBy, optionRow, type Row } from './words/declared.js';

/** Returns the page in the man(7) language: every command by task, with its synopsis, options, exit codes, files and examples. */
export function manPage(commands: readonly (readonly [CommandEntry, CommandFile])[], version: string): string {
  const lines = [
    '.\\" Made by .ci/docs.mjs from the help of the commands; do not edit.',
    `.TH POLICY 1 "" "policy ${escaped(version)}" "User Commands"`,
    '.\\" Left-aligned and without hyphenation, so that options and paths stay whole.',
    '.nh',
    '.ad l',
    '.SH NAME',
    'policy \\- decide, enforce and explain what AI coding agents may do',
    '.SH SYNOPSIS',
    `.B policy\n${escaped('COMMAND [OPTIONS]')}`,
    '.PP',
    `.B policy\n${escaped('--help | --version')}`,
    '.SH DESCRIPTION',
    text('One policy for every AI coding agent: may a tool call run, and why. `policy COMMAND --help` explains one command.'),
    ...GROUPS.flatMap((group) => {
      const own = commands.filter(([entry]) => entry.group === group);
      return own.length === 0 ? [] : [`.SH ${requestArgument(group.toUpperCase())}`, ...own.flatMap(section)];
    }),
    '.SH OPTIONS',
    ...list([
      ['--help', 'Print all commands, or with a command, what it does'],
      ['--version', 'Print the version'],
      ['--no-color', 'Use no colour, like NO_COLOR in the environment'],
    ]),
  ];
  return `${lines.join('\n')}\n`;
}

function section([entry, file]: readonly [CommandEntry, CommandFile]): readonly string[] {
  const declared = declaredBy(entry, file);
  const { usage, exitCodes, files, examples } = entry.help();
  const [synopsis = '', ...paragraphs] = usage.replaceAll('$0', 'policy').split('\n\n');
  return [
    `.SS ${requestArgument(`policy ${nameOf(entry)}`)}`,
    text(`${entry.describe}.`),
    ...synopsis.split('\n').flatMap((line) => ['.PP', `.B ${requestArgument(line.trim())}`]),
    ...paragraphs.flatMap((paragraph) => ['.PP', text(paragraph.replaceAll('\n', ' '))]),
    ...titled('Arguments', list(argumentRows(declared, '...', 'one of '))),
    ...titled('Options', list(declared.options.map((option) => optionRow(option, 'one of ')))),
    ...titled('Exit codes', list(exitCodes.map(([code, means]) => [String(code), means]))),
    ...titled('Files', list(files)),
    ...titled('Examples', examples.flatMap(exampleLines)),
  ];
}

function titled(title: string, lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? [] : ['.PP', `.I ${requestArgument(title)}`, ...lines];
}

function list(rows: readonly Row[]): readonly string[] {
  return rows.flatMap(([head, what]) => ['.TP', `.B ${requestArgument(head)}`, text(what)]);
}

/** Returns the purpose of an example, then its line and output verbatim. */
function exampleLines({ says, line, prints, exit }: Example): readonly string[] {
  const output = [`$ ${line}`, ...prints, ...(exit === 0 ? [] : [`(exit code ${exit})`])];
  return ['.PP', text(`${says}:`), '.PP', '.RS 4', '.nf', ...output.map(text), '.fi', '.RE'];
}

/** Returns one line of text in which a leading dot or apostrophe is no request. */
function text(line: string): string {
  const safe = escaped(line);
  return /^[.']/.test(safe) ? `\\&${safe}` : safe;
}

/** Returns an argument of a request. */
function requestArgument(word: string): string {
  return `"${escaped(word)}"`;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['\\', '\\e'],
  ['-', '\\-'],
  ['"', '\\(dq'],
  ["'", '\\(aq'],
  ['`', '\\(ga'],
  ['^', '\\(ha'],
  ['~', '\\(ti'],
]);

/** Escapes every character that roff interprets or prints differently; non-ASCII characters by code point, whatever the locale. */
function escaped(raw: string): string {
  return raw.replace(/[\\\-"'`^~]|[^\n -~]/gu, (character) => {
    const known = ESCAPES.get(character);
    if (known !== undefined) return known;
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `\\[u${code}]`;
  });
}
