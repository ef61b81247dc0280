/**
 * What git does to the files that a command names: `git checkout X -- .claude`, `git rm -r .claude`, `git clean -x .claude`. These commands
 * have no grammar, and a folder among their operands is removed or restored together with the protected files in it.
 */
import { posix } from 'node:path';
import { baseName } from '../../../command/model/called-commands.js';
import type { Command } from '../../../command/model/command.js';
import type { ShellWord } from '../../../shell/syntax/types.js';
import { pathKey } from '../../place/path-references.js';
import { isInside } from '../../place/paths.js';
import { absolutePath } from '../../place/place.js';
import { protectedGlob } from '../../place/protected-glob.js';
import {
  type Protection,
  protectedBelow,
  protectedPath,
  protectedPatterns,
  segmentsMayMeet,
} from '../../place/sensitive-paths.js';
import { settingsBelow } from '../../place/settings-below.js';
import type { Ruling } from '../../ruling/combine.js';
import type { Facts } from '../../ruling/facts.js';

/** Subcommands that replace, move or delete their operands, which are files of the work tree. */
const CHANGING: ReadonlySet<string> = new Set('checkout clean mv rm stash worktree'.split(' '));
/** Options whose values are not files that change. */
const VALUED: ReadonlySet<string> = new Set('-b -B -e -m --exclude --message --orphan --conflict'.split(' '));
/** `:/`, `:(top)`, `:(top,glob)`: paths from the top of the repository. Other magic narrows what the path matches. */
const MAGIC = /^:(?:\((?<long>[^)]*)\)|(?<short>[/!^]+):?)/;

/** Adds a question for the first operand that is protected, or is a folder with protected content. The whole project (`.`) is exempt. */
export function gitOperandRulings(command: Command, directory: string | null, facts: Facts, into: Ruling[]): void {
  const { argv } = command.invocation;
  if (baseName(command) !== 'git') return;
  const at = argv.findIndex(({ value }, index) => index > 0 && value !== null && CHANGING.has(value));
  if (at < 0) return;
  for (const [index, word] of argv.entries()) {
    if (index <= at || word.value === null || word.value.startsWith('-') || VALUED.has(argv[index - 1]?.value ?? '')) continue;
    const hit = protectionOf(word, directory ?? facts.cwd, facts);
    const why =
      hit === null
        ? settingsBelow(absolutePath(word.value, facts.home, directory ?? facts.cwd), facts)
        : `${hit.pattern} is protected`;
    if (why === null) continue;
    const message = `git ${argv[at]?.value ?? ''} ${word.text} asks: ${why}`;
    into.push({ effect: 'ask', rule: null, reason: { code: 'protected/folder', message, span: word.span } });
    return;
  }
}

function protectionOf(word: ShellWord, directory: string, facts: Facts): Protection | null {
  const magic = MAGIC.exec(word.value ?? '');
  const { long = '', short = '' } = magic?.groups ?? {};
  if (/exclude/.test(long) || /[!^]/.test(short)) return null;
  const fromTop = magic !== null && (short !== '' || long.includes('top'));
  const base = fromTop ? (facts.git?.top ?? facts.project) : directory;
  const written = (word.value ?? '').slice(magic?.[0].length ?? 0);
  const named = word.tilde ? pathKey(base, written, true, facts.home) : absolutePath(written, facts.home, base);
  if (named === null) return null;
  const path = posix.normalize(named).replace(/(?<=.)\/$/, '');
  const places = { home: facts.home, ownDirectories: facts.ownDirectories };
  if (/[*?[]/.test(written)) return protectedGlob(path, places, true, true) ?? belowGlob(path, facts);
  const fact = facts.paths[`${base}/${written}`];
  for (const one of fact === undefined ? [path] : [path, fact.real]) {
    // For the whole project, the commit determines which files change.
    if (isInside(facts.project, one)) continue;
    const hit = protectedPath(one, facts.home, facts.ownDirectories) ?? protectedBelow(one, facts.home, facts.ownDirectories);
    if (hit !== null) return hit;
  }
  return null;
}

/** `'.clau*'`: the protection of a folder with protected content that a pattern may match; only for patterns that begin like a name. */
function belowGlob(glob: string, facts: Facts): Protection | null {
  const last = posix.basename(glob).toLowerCase();
  if (/^[*?[]/.test(last)) return null;
  for (const pattern of protectedPatterns('deny').anywhere) {
    const [folder = '', below] = pattern.split('/');
    if (below === undefined || !segmentsMayMeet(last, folder)) continue;
    const hit = protectedBelow(posix.join(posix.dirname(glob), folder), facts.home, facts.ownDirectories);
    if (hit !== null) return hit;
  }
  return null;
}
