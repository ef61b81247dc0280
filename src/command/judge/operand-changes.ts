/**
 * Effects on files that a grammar cannot express, because several words together determine them: an option that changes what is
 * done to every operand (`sed -i`), and operands written `NAME=FILE` (`dd of=FILE`).
 */
import type { Invocation, ShellWord } from '../../shell/syntax/types.js';
import { partOf } from '../grammar/evaluation.js';
import type { Action, CommandEffect, GrammarVerdict } from '../model/command.js';
import { wordTail } from '../model/words.js';

/**
 * What happens to every file that is read, by the code of the issue that an option (even clustered or abbreviated) or its absence raises.
 */
const BY_ISSUE: ReadonlyMap<string, readonly Action[]> = new Map([
  ['sed/in-place', ['write']],
  ['gofmt/w', ['write']],
  ['yq/inplace', ['write']],
  ['awk/in-place', ['write']],
  ['find/delete', ['delete']],
  ['zip/move', ['delete']],
  // These change their operands, unless an option makes them only list or print.
  ['tar/changes', ['write']],
  ['patch/changes', ['write']],
  ['gzip/replaces', ['write', 'delete']],
  ['zstd/replaces', ['write', 'delete']],
]);

/**
 * Formatters and linters: they change the files they are given. In a directory they change only files of their kind, and nobody
 * means protected ones by that; so only files named explicitly have effects here.
 */
const FORMATS =
  /^(?:prettier\/write|eslint\/fix|deno\/(?:lint\/fix|fmt\/\S+)|ruff\/check\/fix|biome\/(?:check|lint|format)\/(?:write|fix|unsafe|suppress)|(?:cargo|rustfmt|shfmt|black|isort|autopep8|stylelint)\/\S*(?:write|fix|in-place|inplace|w))$/;

/** Operands that name a file after `NAME=`, by command. */
const BY_NAME: ReadonlyMap<string, readonly (readonly [prefix: string, action: Action])[]> = new Map([
  [
    'dd',
    [
      ['if=', 'read'],
      ['of=', 'write'],
    ],
  ],
]);

/** Adds the effects that only options and operands together have, so that path rules and protected paths see them. */
export function withOperandChanges(verdict: GrammarVerdict, invocation: Invocation): GrammarVerdict {
  if (verdict.issues.length === 0) return verdict;
  const effects = [
    ...changedByIssue(verdict),
    ...namedFiles(verdict.words[0] ?? '', invocation.argv),
    ...restoredFiles(verdict, invocation.argv),
    ...emptiedFolders(verdict),
    ...downloadedFiles(verdict),
  ];
  return effects.length === 0 ? verdict : { ...verdict, effects: [...verdict.effects, ...effects] };
}

function changedByIssue(verdict: GrammarVerdict): CommandEffect[] {
  const actions = new Set<Action>();
  for (const issue of verdict.issues) {
    for (const action of BY_ISSUE.get(issue.code) ?? []) actions.add(action);
  }
  const read = verdict.effects.filter((effect) => effect.action === 'read' && effect.path !== null);
  const changed = [...actions].flatMap((action) => read.map((effect) => ({ ...effect, action })));
  if (!verdict.issues.some(({ code }) => FORMATS.test(code))) return changed;
  const named = read.filter(({ path }) => !/^\.?\/?$/.test(path?.value ?? ''));
  return [...changed, ...named.map((effect): CommandEffect => ({ ...effect, action: 'write', recursive: false }))];
}

function namedFiles(name: string, argv: readonly ShellWord[]): CommandEffect[] {
  const effects: CommandEffect[] = [];
  for (const [prefix, action] of BY_NAME.get(name) ?? []) {
    for (const word of argv) {
      if (!(word.value ?? word.literalPrefix).startsWith(prefix)) continue;
      effects.push({ action, path: namedFile(word, prefix), recursive: false, span: word.span });
    }
  }
  return effects;
}

/** The file in an operand: as written if its value is unknown, and with the `~` that bash expands after `=`. */
function namedFile(word: ShellWord, prefix: string): ShellWord {
  const tail = wordTail(word, prefix.length);
  const written = word.text.startsWith(prefix) ? word.text.slice(prefix.length) : null;
  if (written === null) return tail;
  return tail.value === null ? { ...tail, text: written } : { ...tail, tilde: written.startsWith('~') };
}

/** Issues with which `git restore` writes files of the work tree, not only the index. */
const RESTORING: ReadonlySet<string> = new Set(['git/restore/staged', 'git/restore/worktree']);

function restoredFiles({ issues }: GrammarVerdict, argv: readonly ShellWord[]): CommandEffect[] {
  if (!issues.some(({ code }) => RESTORING.has(code))) return [];
  const from = argv.findIndex(({ value }) => value === 'restore') + 1;
  return argv
    .slice(from)
    .filter(({ text }) => !text.startsWith('-'))
    .map((path) => ({ action: 'write', path, recursive: false, span: path.span }));
}

/** `rsync --delete x/ y`: deletes everything in y that x does not contain. */
function emptiedFolders({ issues, effects }: GrammarVerdict): CommandEffect[] {
  if (!issues.some(({ code }) => code === 'rsync/delete')) return [];
  const [folder] = effects.filter(({ action, path }) => action === 'write' && path !== null).slice(-1);
  return folder === undefined ? [] : [{ ...folder, action: 'delete' }];
}

const DOWNLOADS: ReadonlySet<string> = new Set(['wget', 'curl/remote-name', 'aria2c']);

/** Characters that the program replaces with others: `%70olicy.yaml`, `{a,b}`, `[1-9]`. */
const SPELLED = /[%{}[\];*?]/;

/** `curl -O https://example.com/x/a.txt`: a download into the current directory gets the last name in the address. */
function downloadedFiles({ issues, effects }: GrammarVerdict): CommandEffect[] {
  const isHere = effects.some(({ action, path }) => action === 'write' && path?.value === '.');
  if (!isHere || !issues.some(({ code }) => DOWNLOADS.has(code))) return [];
  return effects.flatMap(({ action, path, span }): CommandEffect[] => {
    const address = (path?.value ?? '').replace(/^\w+:\/\//, '').replace(/[?#].*$/s, '');
    const name = address.includes('/') ? address.slice(address.lastIndexOf('/') + 1) : '';
    return action !== 'network' || path === null || name === ''
      ? []
      : [
          {
            action: 'write',
            path: SPELLED.test(name) ? { ...partOf(path, name), value: null } : partOf(path, name),
            recursive: false,
            span,
          },
        ];
  });
}
