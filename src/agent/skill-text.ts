/**
 * What Claude Code does with the text of a skill or slash command when it is used, before the model sees any of it, and without
 * asking a hook: it inserts the arguments of the call, runs `` !`command` `` and blocks that begin with ```!, and reads every
 * `@file` (2.1.197, 2.1.330).
 */

/** An action of Claude Code. `line` counts from 1; null: it does not come from the text. */
export type SkillAction = { readonly line: number | null } & (
  | { readonly kind: 'command'; readonly command: string }
  | { readonly kind: 'file'; readonly path: string }
  | { readonly kind: 'resource'; readonly server: string; readonly uri: string }
  | { readonly kind: 'agent'; readonly agent: string | null }
  /** The action is unknown. `why` is a predicate with the subject "the skill". */
  | { readonly kind: 'unknown'; readonly why: string }
);

export interface SkillUse {
  readonly text: string;
  readonly args: string;
  /** Text that Claude Code writes above the skill's. */
  readonly above: string;
  /** Values that Claude Code inserts for names such as `${CLAUDE_SKILL_DIR}`. */
  readonly folders: Readonly<Record<string, string>>;
}

/** Maximum number of actions; the rest is not examined. */
const MOST_DEEDS = 50;
/** Marks a place where Claude Code inserts arguments; the text itself does not contain this character. */
const GAP = '\uE000';
const ARGUMENT = /\$(?:ARGUMENTS|\d+|\{ARGUMENTS|\{\d+)(?:\[\d+\])?/g;
/** With `arguments:` in the front matter, any name may be an argument. */
const NAMED_ARGUMENT = /\$(?:\w+|\{ARGUMENTS|\{\d+)(?:\[\d+\])?/g;
/** A longer front matter is treated as unreadable. */
const LONGEST_HEAD = 8 * 1024;
/** Text without special meaning to a shell and to Claude Code, wherever it occurs. */
const PLAIN_PATH = /^[\w./@+-]+$/;
/** The start of a key at the start of a line, or in a map on one line, at any depth. */
const KEY_START = String.raw`(?:^|[{,])[ \t]*`;
/** Keys that may stand for any other: anchors, tags, aliases, merges, explicit keys, multi-line keys, escapes. */
const ODD_KEY = new RegExp(
  String.raw`${KEY_START}(?::|[&!]\S*[ \t]+\S.*:|\*\S+[ \t]*:|\?[ \t]|<<[ \t]*:|"[^"\n]*\\[^"\n]*"[ \t]*:)`,
  'm',
);

/** Returns everything that Claude Code does with the text, in no particular order. */
export function skillActions({ text, args, above, folders }: SkillUse): readonly SkillAction[] {
  const head = frontMatter(text);
  const argument = hasKey(head, 'arguments') ? NAMED_ARGUMENT : ARGUMENT;
  const body = withFolders(text, folders).replaceAll(argument, GAP);
  const added = `${above}\n${args}`;
  const parts = [
    ...headDeeds(head),
    ...assembled(body, args),
    ...commandsIn(body, args),
    ...mentionsIn(body, args),
    // Claude Code appends arguments for which there is no placeholder.
    ...[...commandsIn(added, ''), ...mentionsIn(added, '')].map((deed): SkillAction => ({ ...deed, line: null })),
  ];
  if (
    parts.some(({ kind }) => kind === 'command') &&
    valuesOf(head, 'shell').some((value) => bareValue(value).toLowerCase() !== 'bash')
  )
    parts.push({ kind: 'unknown', line: 1, why: 'runs commands in another shell than bash' });
  if (parts.length <= MOST_DEEDS) return parts;
  const why = `runs or reads more than ${MOST_DEEDS} things`;
  return [...parts.slice(0, MOST_DEEDS), { kind: 'unknown', line: 1, why }];
}

/** True if the front matter may give the skill or agent this name, by which Claude Code finds it, too. */
export function mayBeNamed(text: string, name: string): boolean {
  const head = frontMatter(text);
  if (isOdd(head)) return true;
  const isIt = (value: string) => bareValue(value).toLowerCase() === name.toLowerCase();
  return valuesOf(head, 'name').some((value) => /^[|>&*!"']?$|^[|>&*!]|\\/.test(value) || isIt(value));
}

/** A line that no version of Claude Code rejects, and that does not hide the skill until certain files are in use, as `paths` does. */
const ORDINARY_LINE =
  /^(?:(?:name|description|when_to_use|allowed-tools|argument-hint|model|version|license):[ \t]+["']?[A-Za-z].*|[ \t]*|---)$/;
const NO_TEXT = /:[ \t]+(?:true|false|null|yes|no|on|off|y|n)[ \t]*$/i;

/**
 * True if Claude Code certainly loads a skill with this text: its front matter has only a few plain keys on lines of their own,
 * or there is none.
 */
export function isOrdinary(text: string): boolean {
  const lines = frontMatter(text).split(/\r?\n/);
  return lines.every((line) => ORDINARY_LINE.test(line) && !NO_TEXT.test(line));
}

/** A line of a definition that neither starts programs or servers nor changes who is asked: a plain key, or its continuation. */
const ORDINARY_AGENT_LINE =
  /^(?:(?:name|description|tools|disallowedTools|model|color|skills|effort|maxTurns):.*|[ \t].*|- .*|#.*|)$/;

/** True if an agent with this definition uses the runner's own tools, and every call of it is judged. */
export function isOrdinaryAgent(text: string): boolean {
  const head = frontMatter(text);
  // YAML has more line terminators than these.
  if (!/^[ \t]*\r?\n\w/.test(head) || /\r(?!\n)|[\x85\u2028\u2029]/.test(head) || isOdd(head)) return false;
  return head
    .split(/\r?\n/)
    .slice(1)
    .every((line) => ORDINARY_AGENT_LINE.test(line));
}

/** Returns the skills that the front matter of an agent names: `a, b`, `[a, b]`, or a list of lines. Null if it cannot be read. */
export function skillsNamed(text: string): readonly string[] | null {
  const head = frontMatter(text);
  if (isOdd(head)) return null;
  const names: string[] = [];
  for (const { 1: value = '', index, 0: whole } of head.matchAll(/(?:^|[{,])[ \t]*["']?skills["']?[ \t]*:(.*)$/gim)) {
    const written = value.replace(/[ \t]#.*$/, '').trim();
    const after = head.slice(index + whole.length);
    const below = written === '' ? (/^(?:\r?\n[ \t]*- .*)+/.exec(after)?.[0] ?? '') : '';
    const words = (written || below.replace(/^[ \t]*- /gm, ' ')).split(/[\s,[\]"']+/).filter((word) => word !== '');
    // A value that continues after the part read here may name any skill.
    if (!/^\s*$|^\r?\n[^\s#-]/.test(after.slice(below.length))) return null;
    if (!words.every((word) => /^[\w.:-]+$/.test(word)) || (words.length === 0 && written !== '[]')) return null;
    names.push(...words);
  }
  return names;
}

/** Returns the text from the first line of three hyphens to the next; to the end if there is no second one. */
function frontMatter(text: string): string {
  const start = /^\uFEFF?\s*---/.exec(text)?.[0].length;
  if (start === undefined) return '';
  const end = text.indexOf('\n---', start);
  return text.slice(start, end < 0 ? undefined : end);
}

function isOdd(head: string): boolean {
  return head.length > LONGEST_HEAD || ODD_KEY.test(head);
}

function hasKey(head: string, key: string): boolean {
  return isOdd(head) || valuesOf(head, key).length > 0;
}

function valuesOf(head: string, key: string): readonly string[] {
  const line = new RegExp(String.raw`${KEY_START}["']?${key}["']?[ \t]*:(.*)$`, 'gim');
  return [...head.matchAll(line)].map(([, value = '']) => value.replace(/[ \t]#.*$/, '').trim());
}

function bareValue(value: string): string {
  return value
    .replace(/[},].*$/, '')
    .trim()
    .replace(/^(["'])(.*)\1$/, '$2')
    .trim();
}

function headDeeds(head: string): SkillAction[] {
  const deeds: SkillAction[] = [];
  if (hasKey(head, 'hooks'))
    deeds.push({ kind: 'unknown', line: 1, why: 'brings hooks of its own, which run commands without a prompt' });
  if (head.length <= LONGEST_HEAD && valuesOf(head, 'context').some((value) => bareValue(value).toLowerCase() !== 'inline')) {
    const agents = valuesOf(head, 'agent').map(bareValue);
    for (const agent of agents.length === 0 ? [null] : agents) deeds.push({ kind: 'agent', line: 1, agent });
  }
  return deeds;
}

function withFolders(text: string, folders: Readonly<Record<string, string>>): string {
  let filled = text;
  for (const [name, folder] of Object.entries(folders))
    if (PLAIN_PATH.test(folder)) filled = filled.replaceAll(`\${${name}}`, () => folder);
  return filled;
}

/** Detects a command that only the arguments would complete, from an exclamation mark or a backtick of the text. */
function assembled(body: string, args: string): SkillAction[] {
  const ticks = args.includes('`') && /!`{0,2}\uE000|\uE000`{0,2}!|\uE000\uE000/.test(body);
  const marks = /(?:^|\s)!/.test(args) && /`\uE000|\uE000`/.test(body);
  const at = ticks || marks ? body.indexOf(GAP) : -1;
  return at < 0 ? [] : [{ kind: 'unknown', line: lineAt(body, at), why: 'may run its arguments as a command' }];
}

/** Finds both forms, wherever they occur and however they overlap: Claude Code looks for each separately. */
function commandsIn(body: string, args: string): SkillAction[] {
  const deeds: SkillAction[] = [];
  for (const [open, close, toEnd] of [
    ['!`', '`', args.includes('`')],
    ['```!', '```', true],
  ] as const)
    for (let at = body.indexOf(open); at >= 0 && deeds.length <= MOST_DEEDS; at = body.indexOf(open, at + 1)) {
      const start = at + open.length;
      const end = body.indexOf(close, start);
      if (end < 0 && !toEnd) break;
      const command = body.slice(start, end < 0 ? undefined : end).trim();
      const line = lineAt(body, at);
      if (!command.includes(GAP)) deeds.push({ kind: 'command', line, command });
      else deeds.push({ kind: 'unknown', line, why: 'runs a command with its arguments in it' });
    }
  return deeds;
}

/** Finds files and resources that Claude Code reads: `@path`, `@"path"`, `@server:uri`. */
function mentionsIn(body: string, args: string): SkillAction[] {
  const deeds: SkillAction[] = [];
  if (/(?:^|[\s"'])@/.test(args) && /\uE000\S*\w/.test(body))
    deeds.push({
      kind: 'unknown',
      line: lineAt(body, body.indexOf(GAP)),
      why: 'may read a file that its arguments name in part',
    });
  // At the start of a word, or after a character of a script that has no spaces.
  for (const { 1: quoted, 2: plain = '', index } of body.matchAll(/(?<![!-~])@(?:"([^"]+)"|([^\s"]\S*))/g)) {
    if (deeds.length > MOST_DEEDS) break;
    const line = lineAt(body, index);
    const word = quoted ?? plain;
    const spoken = spokenIn(word, args);
    if (spoken === null || /\$\{/.test(word)) {
      deeds.push({ kind: 'unknown', line, why: 'reads a file that its arguments or the client name' });
      continue;
    }
    for (const one of spoken) deeds.push(...mentionOf(quoted === undefined ? trimmed(one) : one, line));
  }
  return deeds;
}

/** Returns the word with the arguments inserted, in every way that Claude Code may do that; null if that is unknown. */
function spokenIn(word: string, args: string): readonly string[] | null {
  if (!word.includes(GAP)) return [word];
  if (args.trim() === '') return [word.replaceAll(GAP, '')];
  if (word.split(GAP).length > 2 || /["'\\$]/.test(args)) return null;
  return [args, ...args.trim().split(/\s+/)].slice(0, MOST_DEEDS).map((one) => word.replace(GAP, () => one));
}

/** Claude Code reads a mention up to its last letter, digit or underscore. */
function trimmed(word: string): string {
  const [first = ''] = word.split(/\s/, 1);
  let end = first.length;
  while (end > 0 && !/\w/.test(first.charAt(end - 1))) end -= 1;
  return first.slice(0, end);
}

function mentionOf(word: string, line: number): SkillAction[] {
  if (word === '') return [];
  const [, server, uri] = /^([\w-]+):([\w.+-]+:.*)$/s.exec(word) ?? [];
  if (server !== undefined && uri !== undefined) return [{ kind: 'resource', line, server, uri }];
  // `#L10-20` selects lines.
  const [file = ''] = word.split('#', 1);
  return [...new Set([word, file])].filter((path) => path !== '').map((path): SkillAction => ({ kind: 'file', line, path }));
}

function lineAt(text: string, index: number): number {
  let line = 1;
  for (let at = text.indexOf('\n'); at >= 0 && at < index; at = text.indexOf('\n', at + 1)) line += 1;
  return line;
}
