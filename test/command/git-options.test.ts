/** The git grammar against the git that is installed: no harmless option that git lacks, no value where git takes none. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { CommandEntry, GrammarFile, OptionSetEntry } from '../../src/command/grammar/file.js';
import { grammarFiles } from '../../src/command/grammar/lookup.js';
import type { OptionRule } from '../../src/command/grammar/option-rule.js';
import { type CommandTable, compileCommand } from '../../src/command/grammar/table.js';

/** Words that a subcommand needs to get as far as its options. */
const OPERANDS: Readonly<Record<string, readonly string[]>> = {
  'git blame': ['a'],
  'git cat-file': ['HEAD'],
  'git check-ignore': ['a'],
  'git commit': ['-m', 'x'],
  'git config': ['--get', 'a.b'],
  'git diff': ['HEAD'],
  'git diff-tree': ['HEAD'],
  'git grep': ['x'],
  'git ls-tree': ['HEAD'],
  'git merge-base': ['HEAD', 'HEAD'],
  'git restore': ['--staged', '.'],
  'git rev-list': ['HEAD'],
  'git rev-parse': ['HEAD'],
  'git shortlog': ['HEAD'],
};

/** `rev-parse` prints some options that it knows, and verifies before it looks at the next word. */
const ECHOED = new Set(['--end-of-options', '--since', '--until', '--short']);

const UNKNOWN = /unknown option|unknown switch|unrecognized argument|invalid option|unknown argument/i;
const NEEDS_VALUE = /requires a value|requires an argument|must come before|needs|option .* value/i;

interface Place {
  readonly words: readonly string[];
  readonly spelling: string;
  readonly rule: OptionRule;
}

const folder = mkdtempSync(join(tmpdir(), 'policy-git-'));
const options = suite('git options');
options.before(() => {
  writeFileSync(join(folder, 'a'), 'x\n');
  git('init', '-q', '.');
  git('add', 'a');
  git('commit', '-q', '-m', 'x');
  writeFileSync(join(folder, 'a'), 'y\n');
  git('stash');
});
options.after(() => rmSync(folder, { recursive: true, force: true }));

const file = grammarFiles().find(([name]) => name === 'commands/git')?.[1];
const isInstalled = spawnSync('git', ['--version']).status === 0;

if (file !== undefined && isInstalled)
  for (const [words, places] of placesOf(file))
    options(`git knows what the grammar says of ${words}`, () => {
      assert.equal(places.flatMap(mistakesAt), []);
    });

/** What git says against one option of the grammar. */
function mistakesAt(place: Place): readonly string[] {
  const { words, spelling, rule } = place;
  const operands = OPERANDS[words.join(' ')] ?? [];
  const value = valueFor(rule);
  const joined =
    rule.arity === 'required' || rule.arity === 'joined'
      ? `${spelling}${spelling.startsWith('--') ? '=' : ''}${value}`
      : spelling;
  const mistakes: string[] = [];
  // Rated options are not tried, they do harm; only whether they need a value is asked.
  if (rule.rating === 'harmless' && UNKNOWN.test(git(...words.slice(1), joined, ...operands)))
    mistakes.push(`git does not know ${joined}`);
  if (rule.arity === 'required' && !NEEDS_VALUE.test(git(...words.slice(1), ...leading(words, operands), spelling)))
    mistakes.push(`${spelling} also stands alone`);
  if (
    rule.arity === 'optional' &&
    spelling.startsWith('--') &&
    !git(...words.slice(1), spelling, '--zz-unknown').includes('zz-unknown')
  )
    if (!git(...words.slice(1), spelling).includes('usage')) mistakes.push(`${spelling} takes the next word`);
  return mistakes;
}

/** Options of `git config` end at its first operand. */
function leading(words: readonly string[], operands: readonly string[]): readonly string[] {
  return words[1] === 'config' ? [] : operands;
}

function valueFor(rule: OptionRule): string {
  if (rule.kind === 'number') return '3';
  if (rule.kind === 'git-revision' || rule.kind === 'git-object') return 'HEAD';
  return rule.kind === 'git-format' ? '%h' : 'zz';
}

/** What git prints to stderr, in a repository and home of its own. */
function git(...words: readonly string[]): string {
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    GIT_CONFIG_NOSYSTEM: '1',
    GIT_AUTHOR_NAME: 'a',
    GIT_AUTHOR_EMAIL: 'a@b',
    GIT_COMMITTER_NAME: 'a',
    GIT_COMMITTER_EMAIL: 'a@b',
    GIT_EDITOR: 'false',
  };
  const { stdout, stderr } = spawnSync('git', words, {
    cwd: folder,
    env,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: 60_000,
  });
  // `rev-parse` repeats on stdout what it does not know.
  return words[0] === 'rev-parse' ? `${stdout}${stderr}`.replace(/^--/gm, 'unrecognized argument: --') : stderr;
}

/** The options of each subcommand that say something to try; those of a shared set only where it is first used. */
function placesOf(grammar: GrammarFile): ReadonlyMap<string, readonly Place[]> {
  const found = new Map<string, readonly Place[]>();
  const seen = new Set<string>(['help']);
  const visit = (words: readonly string[], entry: CommandEntry): void => {
    const table = compileCommand(grammar, words, entry);
    const sets: readonly OptionSetEntry[] = (entry.use ?? []).flatMap((name) =>
      seen.has(name) ? [] : (grammar.sets?.[name] ?? []),
    );
    for (const name of entry.use ?? []) seen.add(name);
    if (words.length > 1)
      found.set(
        words.join(' '),
        [...sets, entry].flatMap((set) => placesIn(table, set)),
      );
    for (const [name, child] of Object.entries(entry.subcommands ?? {})) visit([...words, name], child);
  };
  const root = grammar.commands.git;
  if (root !== undefined) visit(['git'], root);
  return found;
}

function placesIn(table: CommandTable, set: OptionSetEntry): readonly Place[] {
  const spellings = [...(set.flags?.split(' ') ?? []), ...Object.keys(set.options ?? {}).flatMap((key) => key.split(' '))];
  return spellings.flatMap((spelling) => {
    const rule = table.options.get(spelling);
    const isTested = rule !== undefined && (rule.rating === 'harmless' || rule.arity === 'required') && spelling !== '-<number>';
    return isTested && !(table.words[1] === 'rev-parse' && ECHOED.has(spelling)) ? [{ words: table.words, spelling, rule }] : [];
  });
}

options.run();
