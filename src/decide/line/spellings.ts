/** Other spellings of a command that ask and deny rules must meet too: options before the subcommand, clusters in any order. */
import { foldedName } from '../../command/called-name.js';
import type { Command } from '../../command/command.js';
import type { PermissionRule } from '../../rule/permission-rule.js';

const MOST_LEADING_WORDS = 6;

/** The command's words as written. A glob in command position may be any program: it is null like every word only the shell knows. */
export function writtenWords(command: Command): (string | null)[] {
  const words: (string | null)[] = [];
  for (const word of command.invocation.argv) words.push(word.value);
  if (command.invocation.argv[0]?.glob) words[0] = null;
  return words;
}

/** The words without what stands between the command's name and its subcommand (`git --no-pager push`, `kubectl -n x delete`). */
export function shorterSpellings(words: readonly (string | null)[]): readonly (string | null)[][] {
  if (words.length < 3 || !words[1]?.startsWith('-')) return NO_SPELLINGS;
  const found: (string | null)[][] = [];
  for (let from = 2; from < words.length && from <= MOST_LEADING_WORDS; from += 1) {
    found.push([words[0] ?? null, ...words.slice(from)]);
  }
  return found;
}

/** `CURL x`, `curl.exe x`: where names ignore case, and on Windows, the same program; null when the name has no other spelling. */
export function foldedSpelling(words: readonly (string | null)[]): readonly (string | null)[] | null {
  const name = words[0] ?? '';
  const folded = foldedName(name);
  return folded === name ? null : [folded, ...words.slice(1)];
}

const NO_SPELLINGS: readonly (string | null)[][] = [];

/** An ask or deny rule that writes out short options: `Bash(rm -rf *)` means `rm -fr`, `rm -r -f` and `rm x -rf` as well. */
export interface ClusterRule<Rule> {
  readonly rule: Rule;
  readonly letters: string;
  /** The pattern's other literal words behind the command's name. */
  readonly operands: readonly string[];
}

export interface ClusterRules {
  meeting(command: Command): readonly PermissionRule[];
}

const NONE: readonly PermissionRule[] = [];

/** The rules that hold a cluster of short options; `named` finds those about the command of a name. */
export function clusterRules(named: (name: string) => readonly ClusterRule<PermissionRule>[] | undefined): ClusterRules {
  return {
    meeting(command) {
      const candidates = command.name === null ? undefined : named(command.name);
      return candidates === undefined ? NONE : candidates.filter((one) => spellsOut(one, command)).map((one) => one.rule);
    },
  };
}

/** Such rules by the command that they name; `refer` says what stands for a rule. */
export function clustersByName<Rule>(
  rules: readonly PermissionRule[],
  refer: (rule: PermissionRule, number: number) => Rule,
): ReadonlyMap<string, readonly ClusterRule<Rule>[]> {
  const byName = new Map<string, ClusterRule<Rule>[]>();
  for (const [number, rule] of rules.entries()) {
    const spelt = rule.tool.toLowerCase() === 'bash' ? clusterOf(rule) : null;
    if (spelt === null) continue;
    const { name, letters, operands } = spelt;
    const known = byName.get(name);
    const cluster = { rule: refer(rule, number), letters, operands };
    if (known === undefined) byName.set(name, [cluster]);
    else known.push(cluster);
  }
  return byName;
}

/** The command, the short options and the other words that an ask or deny rule writes out; null for a rule without such options. */
export function clusterOf({
  pattern,
  effect,
}: Pick<PermissionRule, 'pattern' | 'effect'>):
  | (Pick<ClusterRule<unknown>, 'letters' | 'operands'> & { readonly name: string })
  | null {
  if (effect === 'allow' || !pattern?.includes('-')) return null;
  const [name = '', ...rest] = pattern.replace(/(?::\*|\s*\*)$/, '').split(/\s+/);
  const letters = rest
    .filter((word) => /^-[A-Za-z]{1,8}$/.test(word))
    .map((word) => word.slice(1))
    .join('');
  if (letters === '' || (pattern.slice(0, -1).includes('*') && rest.some((word) => word.includes('*')))) return null;
  return { name, letters, operands: rest.filter((word) => !word.startsWith('-')) };
}

function isCluster(word: string): boolean {
  return word.startsWith('-') && !word.startsWith('--') && /^-[A-Za-z]/.test(word);
}

/** True when the command has the letters among its options, however they are clustered, and the operands in their places. */
function spellsOut({ letters, operands: wanted }: ClusterRule<PermissionRule>, command: Command): boolean {
  const words = command.invocation.argv.slice(1).flatMap((word) => word.value ?? []);
  const end = words.indexOf('--');
  const options = (end < 0 ? words : words.slice(0, end)).filter(isCluster).join('');
  const operands = words.filter((word) => !word.startsWith('-'));
  return [...letters].every((letter) => options.includes(letter)) && wanted.every((word, at) => operands[at] === word);
}
