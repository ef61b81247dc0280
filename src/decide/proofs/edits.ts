/**
 * Proof that a command does no more than the edit tools may: it writes, creates or renames only files that its words name and
 * that rules about edits allow, and it reads only inside the project.
 */
import { posix } from 'node:path';
import type { Command, CommandEffect } from '../../command/model/command.js';
import { locate } from '../../rule/path/location.js';
import type { ShellWord } from '../../shell/syntax/types.js';
import { guardRulings } from '../guards/paths.js';
import { isTemporary } from '../guards/temporary.js';
import { copyKey, type PathReference } from '../place/path-references.js';
import { pathAllowance, pathRuleRulings } from '../place/path-rules.js';
import { isInside, isOwn, type ResolvedPath, resolvePath } from '../place/paths.js';
import { secretPath } from '../place/sensitive-paths.js';
import type { CommandContext } from '../policy/command-context.js';
import type { Ruling } from '../ruling/combine.js';
import { changesSomeLines } from './sed-edits.js';

/** The known options and properties of a command that only edits. */
interface Editor {
  /** Every word that begins with a hyphen must match; other options are not proven. */
  readonly options: RegExp;
  /** The first operand, which is not a path. */
  readonly first?: RegExp;
  /** The grammar issue of the option that makes it change the files that it reads; without the option, it prints them. */
  readonly changes?: string;
  /** It acts on symlinks themselves and on whole folders, so its operands must be known plain files. */
  readonly moves?: true;
  /** It only creates missing files; a brace list gives either each of the files or one with that literal name. */
  readonly creates?: true;
  /** Only where a preset allows project work (`develop`): a deletion loses as much as overwriting the file. */
  readonly deletes?: true;
  /** The files must exist. */
  readonly existing?: true;
}

const EDITORS: ReadonlyMap<string, Editor> = new Map<string, Editor>([
  ['mkdir', { options: /^(?:-[pv]+|--parents|--verbose)$/, creates: true }],
  ['touch', { options: /^(?:-[acm]+|--no-create)$/, creates: true }],
  ['tee', { options: /^(?:-[aip]+|--append)$/ }],
  ['cp', { options: /^(?:-[adfinprRtuvP]+|--force|--no-clobber|--recursive|--archive|--update|--verbose)$/, moves: true }],
  ['mv', { options: /^(?:-[fintuv]+|--force|--no-clobber|--update|--verbose)$/, moves: true }],
  ['rm', { options: /^-[fv]+$/, moves: true, deletes: true }],
  // Only empty folders are removed.
  ['rmdir', { options: /^(?:-v|--verbose|--ignore-fail-on-non-empty)$/, moves: true, deletes: true }],
  // No write permission for other users, and none of the owner's permissions removed.
  ['chmod', { options: /^-[cfv]+$/, first: /^(?:[ugoa]*\+[rx]+|u\+[rwx]+|0?[4-7][0-7][0145])$/, moves: true, existing: true }],
  [
    'sed',
    {
      options: /^(?:-[Ersz]*e?|-[Ersz]*i(?:\.(?:bak|old|orig))?|--in-place|--regexp-extended)$/,
      changes: 'sed/in-place',
    },
  ],
  ['gofmt', { options: /^-[lsw]$/, changes: 'gofmt/w', moves: true, existing: true }],
]);

/**
 * Whether everything that the command does is proven to be allowed by rules about edits. Rulings against it have already been considered.
 */
export function isProvenEdit(unit: CommandContext): boolean {
  const { command, scope, issues, inner } = unit;
  const { verdict, name, invocation } = command;
  if (name === null || scope.preset?.definition.provenReads !== true) return false;
  const editor = EDITORS.get(name);
  if (editor === undefined || !verdict.known || verdict.words[0] !== name) return false;
  if (editor.deletes === true && scope.preset.definition.leaves === null) return false;
  if (inner.length > 0 || command.wrapper !== null || command.appended || invocation.assignments.length > 0) return false;
  const changing = editor.changes;
  if (changing === undefined ? issues.length > 0 : issues.length === 0 || issues.some(({ code }) => code !== changing))
    return false;
  if (!hasKnownOptions(invocation.argv, editor)) return false;
  if (name === 'sed' && !changesSomeLines(invocation.argv, scope.facts.platform)) return false;
  const targets = new Set(invocation.redirections.flatMap(({ target }) => (target === null ? [] : [target.span])));
  let writes = 0;
  for (const effect of verdict.effects) {
    if (effect.path === null) {
      if (changing === undefined || effect.action !== 'write') return false;
      continue;
    }
    if (!determinesItsFile(effect, editor)) return false;
    if (effect.action === 'write' || editor.deletes === true) writes += 1;
  }
  // Redirections are checked separately.
  const own = unit.paths.filter(({ reference: { span } }) => span === null || !targets.has(span));
  return writes > 0 && own.every((path) => isAllowed(path, editor, unit));
}

/**
 * Whether a word by itself determines its file. The expansion of braces depends on the shell, and another shell would create other files.
 */
function determinesItsFile({ action, path }: CommandEffect, { creates }: Editor): boolean {
  const isWritten = creates === true || !/[{}]/.test(path?.text ?? '');
  const isKnown = (action === 'read' || action === 'write' || action === 'delete') && isWritten;
  return isKnown && path !== null && path.value !== null && !path.glob && path.names === undefined && path.data === undefined;
}

function hasKnownOptions(argv: readonly ShellWord[], { options, first }: Editor): boolean {
  let operand: string | null = null;
  let ended = false;
  for (const { value } of argv.slice(1)) {
    if (value === null) return false;
    if (ended || !value.startsWith('-') || value === '-') {
      operand ??= value;
      continue;
    }
    if (value === '--') ended = true;
    else if (!options.test(value)) return false;
  }
  return first === undefined || (operand !== null && first.test(operand));
}

function isAllowed(path: ResolvedPath, editor: Editor, unit: CommandContext): boolean {
  const { reference, real } = path;
  const { scope, command } = unit;
  const { key, access } = reference;
  if (key === '/dev/null') return command.name === 'tee';
  if (key === null || real === null || reference.found || reference.glob !== null) return false;
  const fact = scope.facts.paths[key];
  if (fact === undefined) return false;
  const isSource = access !== 'write' || editor.changes !== undefined || editor.existing === true;
  if (editor.moves === true && isSource && !isPlainFile(path, editor, unit)) return false;
  if (access === 'read')
    return path.inProject || pathAllowance(path, 'Read', scope.rules, scope.matched) !== null || isTemporary(path, scope);
  // For temporary files, changed permissions affect other users more.
  if (editor.existing === true && isTemporary(path, scope)) return false;
  if (!mayEdit(path, unit)) return false;
  if (command.name === 'gofmt' && !real.absolute.endsWith('.go')) return false;
  // Secrets are usually not committed, so overwriting one loses it. `touch` and `mkdir` overwrite nothing.
  const replaces = command.name !== 'touch' && command.name !== 'mkdir' && fact.kind !== 'missing';
  if (replaces && secretPath(real.absolute, scope.facts.home) !== null) return false;
  if (access === 'delete' || !holdsCopies(command)) return command.name !== 'sed' || mayKeepCopy(path, unit);
  // The destination may be a folder, or another command of the line may turn it into one.
  if (reference.names === null || reference.names.length === 0) return false;
  if (fact.kind === 'file') return true;
  return reference.names.every((name) => mayEdit(below(reference, name, unit), unit));
}

function holdsCopies({ name }: Command): boolean {
  return name === 'cp' || name === 'mv';
}

/**
 * Whether it is a file, not a symlink or folder. A missing file is accepted only if no other command of the line puts something else there.
 * Whatever a program allowed by rules may leave there (`plantuml a.puml && mv a.png docs`), it could also do by itself.
 */
function isPlainFile(
  { reference: { key }, real }: ResolvedPath,
  editor: Editor,
  { scope, line, command }: CommandContext,
): boolean {
  const fact = key === null ? undefined : scope.facts.paths[key];
  if (key === null || fact === undefined || real === null) return false;
  if (fact.temporary === undefined && fact.real !== posix.normalize(key).replace(/(?<=.)\/$/, '')) return false;
  if (fact.kind === 'file') return true;
  if (fact.kind === 'directory' && command.name === 'rmdir') return true;
  if (fact.kind !== 'missing' || editor.existing === true) return false;
  const others = [...line.replaced, ...line.written].filter(({ by }) => by !== command);
  return others.every(({ path }) => !isInside(path, real.absolute) && !isInside(real.absolute, path));
}

/** Whether the rules allow the edit tools to write this file, with nothing against it. */
function mayEdit(path: ResolvedPath, { scope }: CommandContext): boolean {
  const { real, reference } = path;
  if (real === null || reference.names?.some((name) => /[*?[]/.test(name))) return false;
  const rulings: Ruling[] = [];
  pathRuleRulings(path, 'Write', scope.rules, scope.facts, scope.matched, rulings);
  if (scope.guard !== null) guardRulings(path, scope.facts, scope.guard.except, null, rulings);
  if (rulings.length > 0) return false;
  if (pathAllowance(path, 'Write', scope.rules, scope.matched) !== null) return true;
  if (scope.preset !== null && pathAllowance(path, 'Write', scope.preset.rules, scope.matched) !== null) return true;
  return isTemporary(path, scope);
}

function below(reference: PathReference, name: string, { scope }: CommandContext): ResolvedPath {
  return resolvePath({ ...reference, key: copyKey(reference.key ?? '', name), names: null }, scope.facts);
}

/** `sed -i.bak`: whether the backup file may be written. */
function mayKeepCopy({ reference, real }: ResolvedPath, unit: CommandContext): boolean {
  const ending = unit.command.invocation.argv.map(({ value }) => /^-[Ersz]*i(\.[a-z]+)$/.exec(value ?? '')?.[1]).find(Boolean);
  if (ending === undefined || reference.key === null || real === null) return ending === undefined;
  const { facts } = unit.scope;
  const kept = locate(`${real.absolute}${ending}`, facts);
  return mayEdit(
    {
      reference: { ...reference, key: kept.absolute },
      real: kept,
      locations: [kept],
      inProject: isOwn(kept.absolute, facts),
    },
    unit,
  );
}
