/** The inputs of the fuzzer: damaged lines, raw bytes, deep nesting, and whole payloads, each again by its seed and index. */
import { mutate } from '../oracle/lines/mutate.js';
import { Random } from '../oracle/lines/random.js';
import type { Payload, Seeds } from './seeds.js';

export type Input =
  | { readonly kind: 'line'; readonly text: string }
  | { readonly kind: 'payload'; readonly text: string; readonly runner: string };

/** The same input for the same seed, index and seeds. */
export function makeInput(seed: number, index: number, seeds: Seeds): Input {
  const random = new Random(seed, index);
  if (random.chance(30)) return { kind: 'payload', ...payload(random, seeds) };
  return { kind: 'line', text: line(random, seeds) };
}

/** A command line alone, the same for the same seed, index and seeds. */
export function makeLine(seed: number, index: number, seeds: Seeds): string {
  return line(new Random(seed, index), seeds);
}

/** A command line, as text: what is no UTF-8 in it is what a reader of UTF-8 makes of it. */
function line(random: Random, { lines, long }: Seeds): string {
  const one = random.pick(random.below(100) === 0 ? long : lines);
  switch (random.below(10)) {
    case 0:
      return rawBytes(random, 1 + random.below(120));
    case 1:
      return signs(random, 1 + random.below(80));
    case 2:
      return nesting(random);
    case 3:
      return one.slice(0, random.below(one.length + 1));
    case 4:
      return damagedBytes(one, random);
    case 5:
      return inserted(one, random.pick(STRANGE), random);
    case 6:
      return `${one}${random.pick(JOINTS)}${random.pick(lines)}`;
    case 7:
      return one.slice(random.below(one.length + 1));
    default:
      return mutate(one, random.pick(lines), random);
  }
}

/** Between two lines. */
const JOINTS = ['; ', ' && ', '\n', ' | ', ' ', '', ' & ', ' || ', ';;', '\\\n', ' <<E\n', ' > '];

/** Characters that shells, terminals and editors do not agree about. */
const STRANGE = (
  '\0|\r|\u0001|\u001b[31m|\u007f|\u0080|\u0085|\u00a0|\u00ad|\u0301|\u1680|\u180e|\u2000|\u2028|\u2029|\u202e|\u2066|\u200b|\u200d|' +
  '\u3000|\ufeff|\ufffd|\uffff|\ud800|\udc00|\ud83d\ude00|\u{e0001}|\u{10ffff}|é|e\u0301|İ|ß|ﬀ|％|＄（|；|｜|＆|　|\r\n|\t|\v|\f|\b'
).split('|');

function rawBytes(random: Random, length: number): string {
  return Buffer.from(Array.from({ length }, () => random.below(256))).toString('utf8');
}

/** Only characters that mean something. */
const SIGNS = '\'"`\\$(){}[]<>|&;\n #!*?~=,+-/:.%^@0aPx\t'.split('');

function signs(random: Random, length: number): string {
  return Array.from({ length }, () => random.pick(SIGNS)).join('');
}

const OPENINGS = (
  '$(|"$(|`|\'|"|${x:-|"${x#|$((|((|$[|(|{ |[[ |<(|>(|if a; then |for f in a; do |while a; do |case a in a) |f() { |a=(|a[$(|@(|!(|' +
  '<<E |<<E\n|<<-E\t|<<<|eval "|bash -c \'|$"|$\'|\\|{a,|{1..|coproc |select f in a; do |until a; do |time |! |env |xargs |find . -exec '
)
  .split('|')
  .filter((one) => one !== '');
const CLOSINGS = ')|"|`|\'|}|))|]|; }|]]|; fi|; done|esac|;;|\nE\n|\\;|{} +| )'.split('|');

/** Openings in openings, mostly of one or two kinds, closed or not. */
function nesting(random: Random): string {
  const kinds = Array.from({ length: 1 + random.below(3) }, () => random.pick(OPENINGS));
  const depth = 1 + random.below(random.below(200) === 0 ? 600 : 8);
  let text = '';
  for (let i = 0; i < depth; i++) text += random.pick(kinds);
  text += random.pick(['P', 'ls', '', 'a b', '$x']);
  const closings = Array.from({ length: 1 + random.below(2) }, () => random.pick(CLOSINGS));
  for (let i = random.below(depth + 2); i > 0; i--) text += random.pick(closings);
  return text;
}

/** Some bytes changed, removed or doubled. */
function damagedBytes(text: string, random: Random): string {
  const bytes = [...Buffer.from(text)];
  for (let i = 1 + random.below(4); i > 0; i--) {
    const at = random.below(bytes.length + 1);
    const byte = random.below(256);
    if (random.chance(40)) bytes.splice(at, 1, byte);
    else if (random.chance(50)) bytes.splice(at, 0, byte);
    else bytes.splice(at, 1 + random.below(3));
  }
  return Buffer.from(bytes).toString('utf8');
}

function inserted(text: string, piece: string, random: Random): string {
  const at = random.below(text.length + 1);
  return text.slice(0, at) + piece + text.slice(at);
}

/** A recorded payload with its text or its values damaged; the runner is told to be another one now and then. */
function payload(random: Random, seeds: Seeds): Payload {
  const { runner, text } = random.pick(seeds.payloads);
  const claimed = random.chance(10) ? random.pick(seeds.payloads).runner : runner;
  switch (random.below(6)) {
    case 0:
      return { runner: claimed, text: damagedBytes(text, random) };
    case 1:
      return { runner: claimed, text: text.slice(0, random.below(text.length + 1)) };
    case 2:
      return { runner: claimed, text: mutate(text, random.pick(seeds.payloads).text, random) };
    default:
      return { runner: claimed, text: JSON.stringify(changedValues(JSON.parse(text), random, seeds)) };
  }
}

/** Every value may become another one, every name another name. */
function changedValues(value: unknown, random: Random, seeds: Seeds): unknown {
  if (random.chance(6)) return strangeValue(random, seeds);
  if (typeof value === 'string') return random.chance(25) ? line(random, seeds) : value;
  if (Array.isArray(value)) return value.map((one) => changedValues(one, random, seeds));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).map(([name, one]): [string, unknown] => [
    random.chance(4) ? random.pick(NAMES) : name,
    changedValues(one, random, seeds),
  ]);
  if (random.chance(10)) entries.push([random.pick(NAMES), strangeValue(random, seeds)]);
  return Object.fromEntries(entries);
}

const NAMES =
  'command|__proto__|constructor|toString|hasOwnProperty|file_path|cwd|tool_name|tool_input|url|paths|patch|shell|0||agent_type|path|pattern|edits|args'.split(
    '|',
  );

function strangeValue(random: Random, seeds: Seeds): unknown {
  switch (random.below(9)) {
    case 0:
      return null;
    case 1:
      return random.pick([0, -1, 1e308, 0.1, 2 ** 53, Number.MIN_VALUE]);
    case 2:
      return random.chance(50);
    case 3:
      return [];
    case 4:
      return {};
    case 5:
      return [line(random, seeds), [line(random, seeds)], 1];
    case 6:
      return JSON.parse(`${'['.repeat(60)}${']'.repeat(60)}`);
    case 7:
      return random.pick(['Bash', 'Read', 'Write', 'mcp__a__b', 'WebFetch', 'Grep', 'shell', 'apply_patch', '']);
    default:
      return { __proto__: { command: 'ls' }, command: line(random, seeds) };
  }
}
