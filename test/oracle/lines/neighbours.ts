/** Hostile neighbours: lines that differ by a sign or two from one that a person would wave through. */
import type { Random } from './random.js';

/** Signs that may turn one reading into another. */
const SIGNS = '\'"`\\$(){}[]<>|&;\n #!*?~=,+-:.%@^/0'.split('');
/** Texts of a few signs that do so more often. */
const CHANGES: readonly (readonly [from: string | RegExp, to: string])[] = [
  ['"$(', '$('],
  ['<(', '>('],
  ['$((', '$( ('],
  ['))', ') )'],
  ['"$', "'$"],
  ['$?', '$??'],
  ['-n ', '-o '],
  ["'", '"'],
  ['"', "'"],
  ['done <', 'done >'],
  ['<<', '<<-'],
  [/<<'(\w+)'/, '<<$1'],
  ['{}', '{} -delete'],
  ['xargs', 'xargs -I{} sh -c'],
  [' \\\n', ' \\ \n'],
  ['/dev/null', '/dev/nul'],
  ['2>&1', '2>&1x'],
  ['&& ', '& '],
  ['|', '||'],
  ['; ', ' '],
  ['in ', ''],
  [' do ', ' do P; '],
  ['cat', 'c\\at'],
  ['echo', 'ec$x'],
  ['x', 'PATH'],
  ['a.txt', '-a.txt'],
  ['src', '$src'],
  ['$x', '${x@P}'],
  ['$f', '${!f}'],
  ['=', '+='],
  [')', ';P)'],
];

/** A line with one small change. */
export function neighbour(text: string, random: Random): string {
  const at = random.below(text.length + 1);
  switch (random.below(5)) {
    case 0:
      return text.slice(0, at) + text.slice(at + 1);
    case 1:
      return text.slice(0, at) + random.pick(SIGNS) + text.slice(at);
    case 2:
      return text.slice(0, at) + random.pick(SIGNS) + text.slice(at + 1);
    default: {
      const [from, to] = random.pick(
        CHANGES.filter(([one]) => text.search(one instanceof RegExp ? one : literal(one)) !== -1).concat([['', ' ']]),
      );
      return text.replace(from, to);
    }
  }
}

function literal(text: string): RegExp {
  return new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
}
