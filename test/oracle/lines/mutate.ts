/** Lines of the corpus, damaged: pieces removed, doubled, swapped, or taken from elsewhere. */
import type { Random } from './random.js';

/** What is put into a line: whatever gives bash another idea of where a word, a quote or a command ends. */
const PIECES: readonly string[] = [
  ...[
    "'",
    '"',
    '`',
    '\\',
    '$',
    '(',
    ')',
    '{',
    '}',
    '[',
    ']',
    '<',
    '>',
    '|',
    '&',
    ';',
    '\n',
    ' ',
    '#',
    '!',
    '*',
    '?',
    '~',
    '=',
    ',',
  ],
  ...[
    '$(',
    '${',
    '$((',
    '))',
    '`P`',
    '$(P)',
    '<(P)',
    '>(P)',
    '&&',
    '||',
    ';;',
    '<<E\n',
    '\nE\n',
    '<<<',
    '>&',
    '<&',
    '2>&1',
    '>|',
    '&>',
  ],
  ...[
    "'$(P)'",
    '"$(P)"',
    "$'",
    '$"',
    '\\\n',
    ' \\\n',
    '; P',
    '&P',
    '| P',
    '\nP',
    ' #',
    '-- ',
    ' -e ',
    'a[$(P)]',
    '{P,x}',
    '${x:-$(P)}',
  ],
  ...[
    '((',
    '[[ ',
    ' ]]',
    '{ ',
    '; }',
    'if ',
    'then ',
    ' fi',
    'do ',
    ' done',
    'esac',
    'in ',
    'time ',
    '! ',
    'coproc ',
    'eval ',
    'exec ',
  ],
  ...[
    'x=',
    'x+=',
    'a=(',
    '-o out/m.txt',
    '> out/m.txt',
    '2> out/m.txt',
    '>out/m$x',
    'a\tb',
    '|&',
    '<>',
    ';&',
    '@(',
    '+(',
    '!(',
    '\u00a0',
  ],
];

/** One to four changes of a line, mostly one; now and then a half of another one. */
export function mutate(line: string, other: string, random: Random): string {
  let text = line;
  const changes = random.chance(55) ? 1 : 1 + random.below(4);
  for (let i = 0; i < changes; i++) text = change(text, other, random);
  return text.replaceAll('\0', '');
}

function change(text: string, other: string, random: Random): string {
  const at = random.below(text.length + 1);
  const end = Math.min(text.length, at + 1 + random.below(6));
  switch (random.below(7)) {
    case 0:
      return text.slice(0, at) + text.slice(end);
    case 1:
      return text.slice(0, end) + text.slice(at);
    case 2: {
      const from = random.below(other.length + 1);
      return text.slice(0, at) + other.slice(from, from + 1 + random.below(20)) + text.slice(at);
    }
    case 3:
      return text.slice(0, at) + random.pick(PIECES) + text.slice(end);
    default:
      return text.slice(0, at) + random.pick(PIECES) + text.slice(at);
  }
}
