// dist/rules.pack, and the module that reads it.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from './files.mjs';
import { inKey, READING } from './rules-data.mjs';

/** Only the bundler reads it. */
export const PACKED = join(root, 'build', 'data-pack.ts');

/**
 * The same module for the programs of dist/, which pay for every byte that they load: the texts lie in dist/rules.pack, and only those that a
 * call needs are read. Examples are for tests and stay behind.
 * @param out the folder in place of dist/
 */
export function packData(contents, out) {
  const whole = [...contents].map(([key, content]) => [key, withoutExamples(content)]);
  const texts = whole.flatMap(([key, content]) => inPieces(key, content)).map(([key, content]) => [key, asciiJson(content)]);
  const slots = slotsOf(texts);
  writeFileSync(
    PACKED,
    `// Generated from rules/ by .ci/build.mjs; do not edit.
import { openSync, readSync } from 'node:fs';
import { latin1Of } from '../src/log/record/bytes.js';
import { damagedProgram } from '../src/policy/read/damaged-program.js';

/**
 * The pack begins with slots of this many bytes, filled up with line ends; each holds a line for every entry whose name leads to
 * it: name, offset and length.
 */
const SLOT = ${slots.size};
/** Where the pack lies, from the folder of the program. */
declare const PACK_FOLDER: string;
/** Stays open for the short life of the process. */
let descriptor: number | null = null;
/** The slots that were read. */
const slots: (string | undefined)[] = [];
${READING}
function textOf(name: string): string | undefined {
  const place = placeOf(name);
  if (place === undefined) return undefined;
  const [offset, length] = place.split(' ').map(Number) as [number, number];
  const text = read(offset, length);
  if (text[0] !== '{' && text[0] !== '[' && text !== '1') throw damagedProgram('rules.pack is damaged');
  return text;
}

function read(offset: number, length: number): string {
  const bytes = new Uint8Array(length);
  descriptor ??= opened();
  if (readSync(descriptor, bytes, 0, length, offset) !== length) throw damagedProgram('rules.pack is cut off');
  return latin1Of(bytes);
}

function opened(): number {
  try {
    return openSync(\`\${__dirname}/\${PACK_FOLDER}/rules.pack\`, 'r');
  } catch (error) {
    throw damagedProgram(error instanceof Error ? error.message : 'rules.pack cannot be read');
  }
}

/** Where an entry lies; undefined when there is none. A name with white space could match across lines. */
function placeOf(name: string): string | undefined {
  if (name.includes(' ') || name.includes('\\n')) return undefined;
  const lines = slot(slotNumber(name));
  const at = lines.indexOf(\`\\n\${name} \`);
  return at < 0 ? undefined : lines.slice(at + name.length + 2, lines.indexOf('\\n', at + 1));
}

function slot(number: number): string {
  const known = slots[number];
  if (known !== undefined) return known;
  const lines = read(number * SLOT, SLOT);
  // A hole in the file must not pass for a slot without the entry.
  if (lines[0] !== '\\n' || lines.includes('\\0')) throw damagedProgram('rules.pack is damaged');
  slots[number] = lines;
  return lines;
}

${slotNumber.toString().replace('(name)', '(name: string): number')}

/** Names of the data entries, e.g. \`commands/git\`, but for those of single members of lists. */
export function dataNames(): readonly string[] {
  const lines = Array.from({ length: ${SLOTS} }, (_, number) => slot(number).split('\\n')).flat();
  return lines.flatMap((line) => (line === '' || line.startsWith('#') ? [] : line.slice(0, line.indexOf(' '))));
}
`,
  );
  writeFileSync(join(out, 'rules.pack'), slots.text + texts.map(([, text]) => text).join(''), 'latin1');
}

/** The slots of the pack as one text, and the bytes of each: a line for every entry, with its place behind the slots. */
function slotsOf(texts) {
  let total = 0;
  const entries = texts.map(([key, text]) => {
    if (/\s/.test(key)) throw new Error(`${key} holds white space`);
    total += text.length;
    return { key, at: total - text.length, length: text.length };
  });
  // Offsets depend on the size of the slots, and that on the number of digits: as if all were the longest.
  const lines = Array.from({ length: SLOTS }, () => []);
  for (const entry of entries) lines[slotNumber(entry.key)].push(entry);
  const widest = (list) => list.reduce((sum, { key, length }) => sum + `${key} 9999999 ${length}\n`.length, 1);
  const size = Math.max(...lines.map(widest));
  const textOf = (list) => `\n${list.map(({ key, at, length }) => `${key} ${at + SLOTS * size} ${length}\n`).join('')}`;
  return { size, text: lines.map((list) => textOf(list).padEnd(size, '\n')).join('') };
}

const SLOTS = 64;

/** The slot of a name: any rule that spreads the names will do. It is written into the module that reads the pack, too. */
function slotNumber(name) {
  const end = name.length - 1;
  return (name.charCodeAt(end) * 5 + name.charCodeAt(end - 1) * 3 + name.charCodeAt(end >> 1) + name.length * 7) & 63;
}

/** JSON in ASCII, which is read and parsed faster than UTF-8. */
function asciiJson(value) {
  return JSON.stringify(value).replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/**
 * An entry with its longest lists taken apart, since a call needs one member of them at most: the subcommands of a grammar, what is
 * told of those that it does not list, and the sets of options that they share. In the place of a list stands the name under which its members are found.
 */
function inPieces(key, content) {
  if (content.grammar === undefined) return [[key, content]];
  const pieces = [];
  const apart = (list, members) => {
    for (const [name, one] of members) pieces.push([`${list}/${inKey(name)}`, one]);
    return { packed: list };
  };
  const told = (path, { unlisted }) =>
    unlisted && {
      unlisted: apart(
        `#unlisted/${path}`,
        Object.entries(unlisted).map(([name, text]) => [name, { told: text }]),
      ),
    };
  const split = (path, entry) => {
    if (entry.subcommands === undefined) return { ...packedOptions(entry), ...told(path, entry) };
    const list = `#subcommands/${path}`;
    const members = Object.entries(entry.subcommands).flatMap(([name, one]) => [
      [name, { name, entry: split(`${path}/${inKey(name)}`, one) }],
      ...[...(one.aliases ?? []), ...(one.likewise ?? [])].map((alias) => [alias, { alias: name }]),
    ]);
    return { ...packedOptions(entry), ...told(path, entry), subcommands: apart(list, members) };
  };
  const commands = mapped(content.commands, (entry, name) => split(name, entry));
  const sets = content.sets && mapped(usedSets(content), packedOptions);
  const [command] = Object.values(content.commands);
  const few = command.subcommands === undefined && JSON.stringify(sets ?? {}).length < FEW_OPTIONS;
  const apartSets = () => apart(`#sets/${key.slice('commands/'.length)}`, Object.entries(sets));
  return [[key, { ...content, ...(sets && { sets: few ? sets : apartSets() }), commands }], ...pieces];
}

/** Sets of options that are shorter than this stay in the entry of their command: to look for another costs more than to parse them. */
const FEW_OPTIONS = 400;

/** The sets of options that the commands of a grammar use. */
function usedSets({ sets, commands }) {
  const used = ({ use = [], subcommands = {} }) => [...use, ...Object.values(subcommands).flatMap(used)];
  const names = new Set(Object.values(commands).flatMap(used));
  return Object.fromEntries(Object.entries(sets).filter(([name]) => names.has(name)));
}

/** See PackedOptions in src/command/grammar/file.ts. */
function packedOptions(entry) {
  if (entry.options === undefined) return entry;
  const entries = Object.values(entry.options).map((one) => JSON.stringify(one));
  return { ...entry, options: { spellings: Object.keys(entry.options), entries } };
}

/** A grammar without the examples of its commands and subcommands. */
function withoutExamples(content) {
  if (content.grammar === undefined) return content;
  const strip = ({ allow: _, ask: __, deny: ___, subcommands, ...entry }) => ({
    ...entry,
    ...(subcommands && { subcommands: mapped(subcommands, strip) }),
  });
  const { source: _, ...head } = content;
  return { ...head, commands: mapped(content.commands, strip) };
}

const mapped = (object, change) => Object.fromEntries(Object.entries(object).map(([key, value]) => [key, change(value, key)]));
