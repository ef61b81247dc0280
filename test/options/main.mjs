// `npm run options [-- NAME…]`: compares the options of our command grammars with what the programs of this machine say in `--help`.
// A program's option that its grammar does not have is asked about at every use; one that only the grammar has may be a mistake of ours.
// Both fail here unless list.mjs explains them. Programs that are not installed are named and passed over.
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { load } from 'js-yaml';
import { COMPARED, KNOWN_ONLY_TO_US, UNRATED } from './list.mjs';

const GRAMMARS = 'rules/commands';
const SET_NAMES = ['flags', 'options'];
/** A letter printed over another one, as man pages do. */
const OVERSTRUCK = /.\u0008/g;

/** Every command of our grammars with the file it stands in. */
function readGrammars() {
  const commands = new Map();
  for (const name of readdirSync(GRAMMARS).sort()) {
    const file = load(readFileSync(`${GRAMMARS}/${name}`, 'utf8'));
    if (file.grammar !== 1) continue;
    for (const [command, entry] of Object.entries(file.commands)) commands.set(command, { file, entry });
  }
  return commands;
}

/** The options that a grammar has, of its sets too, in every spelling. */
function grammarOptions({ file, entry }) {
  const sets = [...(entry.use ?? []).map((name) => file.sets[name]), entry];
  const keys = sets.flatMap((set) => SET_NAMES.flatMap((name) => listed(set[name])));
  for (const name of ['informs', 'helps']) keys.push(...listed(entry[name]));
  return new Set(keys.flatMap((key) => key.split(' ')).filter((key) => /^-./.test(key)));
}

function listed(part) {
  if (part === undefined) return [];
  return typeof part === 'string' ? [part] : Object.keys(part);
}

/** What the program prints about itself, without input, for two seconds at most; null when it is not installed. */
function helpText(command, words) {
  const run = spawnSync(command, words, {
    encoding: 'utf8',
    input: '',
    timeout: 2000,
    env: { PATH: process.env.PATH, LC_ALL: 'C', HOME: '/nonexistent', COLUMNS: '200', TERM: 'dumb' },
  });
  if (run.error?.code === 'ENOENT') return null;
  return `${run.stdout ?? ''}\n${run.stderr ?? ''}`;
}

/**
 * The options that a help text defines: words with a hyphen at the beginning of a line, or after another one that stands there
 * (`-a, --all`, `-p NUM  --strip=NUM`). What follows is description, in which options are only mentioned.
 */
function definedOptions(text, style) {
  const found = new Set();
  for (const line of text.split('\n')) {
    const definition = /^[\s[<{]{0,14}(?:or:? )?(-.*)$/.exec(line)?.[1];
    if (definition === undefined) continue;
    for (const segment of definition.split(/\s{2,}|\t/)) {
      if (!segment.startsWith('-')) break;
      for (const option of optionsOf(segment, style)) found.add(option);
    }
  }
  return found;
}

/** `-a, --all`, `-k, --key=KEYDEF`, `--color[=WHEN]`, `-n NUM | --lines NUM`, `-t|--tcp`. */
function optionsOf(segment, style) {
  const whole = style === 'words' ? /^--?[A-Za-z0-9][A-Za-z0-9-]*/ : /^(?:--[A-Za-z0-9][A-Za-z0-9-]*|-[A-Za-z0-9?@#+])/;
  const options = [];
  for (const part of segment.split(/, ?| \| |\||\/(?=-)| or | (?=--?[A-Za-z])/)) {
    const name = whole.exec(part.trim());
    if (name === null) break;
    options.push(name[0]);
  }
  return options;
}

/** Every option that the text mentions anywhere, also in a summary (`[-abc]`, `[-n NUM]`). */
function mentionedOptions(text) {
  const words = text.match(/(?<![A-Za-z0-9-])[-+]{1,2}[A-Za-z0-9?@#][A-Za-z0-9-]*/g) ?? [];
  const letters = words
    .filter((word) => /^-[A-Za-z0-9?]+$/.test(word))
    .flatMap((word) => [...word.slice(1)].map((letter) => `-${letter}`));
  const optional = [...text.matchAll(/(--[a-z-]*)\[([a-z-]+)\]([a-z-]*)/g)].flatMap(([, one, two, three]) => [
    one + three,
    one + two + three,
  ]);
  return new Set([...words, ...letters, ...optional]);
}

/** The options that differ, after what the list explains is taken away. */
function compare(command, grammar, words) {
  const text = helpText(command, words);
  if (text === null) return null;
  const ours = grammarOptions(grammar);
  const plain = text.replace(OVERSTRUCK, '');
  const theirs = definedOptions(plain, grammar.entry.style);
  const mentioned = mentionedOptions(plain);
  // A command that is asked about whatever its options are needs none of them named.
  const asked = grammar.entry.rating !== undefined;
  // `-NUM` stands for all of these.
  const numbered = (option) => ours.has('-<number>') && /^-[0-9N#]$/.test(option);
  const unrated = new Set((UNRATED[command]?.options ?? '').split(' '));
  const kept = new Set((KNOWN_ONLY_TO_US[command]?.options ?? '').split(' '));
  return {
    count: theirs.size,
    missing: asked ? [] : [...theirs].filter((option) => !ours.has(option) && !unrated.has(option) && !numbered(option)),
    odd: [...ours].filter(
      (option) => !theirs.has(option) && !mentioned.has(option) && !kept.has(option) && option !== '-<number>',
    ),
    stale: [
      ...[...unrated].filter((option) => option !== '' && (ours.has(option) || !theirs.has(option))),
      ...[...kept].filter((option) => option !== '' && (theirs.has(option) || mentioned.has(option) || !ours.has(option))),
    ],
  };
}

const grammars = readGrammars();
const wanted = process.argv.slice(2);
const absent = [];
let compared = 0;
let failed = 0;
for (const [command, words] of Object.entries(COMPARED)) {
  if (wanted.length > 0 && !wanted.includes(command)) continue;
  const grammar = grammars.get(command);
  const result = grammar === undefined ? undefined : compare(command, grammar, words);
  if (result === undefined) {
    console.log(`${command}: listed for comparison, but it has no grammar`);
    failed += 1;
  } else if (result === null) absent.push(command);
  else {
    compared += 1;
    const lines = [
      ['in --help, not in the grammar', result.missing],
      ['in the grammar, not in --help', result.odd],
      ['explained in test/options/list.mjs, but no difference any more', result.stale],
    ].filter(([, options]) => options.length > 0);
    if (result.count === 0) lines.push(['no option was found in its help', []]);
    for (const [what, options] of lines) console.log(`${command}: ${what}: ${options.join(' ')}`);
    if (lines.length > 0) failed += 1;
  }
}
console.log(`not installed: ${absent.join(' ') || 'none'}`);
console.log(`${compared} compared, ${failed} failed`);
process.exitCode = failed === 0 && compared > 0 ? 0 : 1;
