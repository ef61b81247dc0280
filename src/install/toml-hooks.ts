/** Hooks in TOML settings (agent-code): our own block at the end of the file, between two comments. */
import { parse, TomlError } from 'smol-toml';
import type { IsOurs } from './json-hooks.js';

/** The reason why a text cannot be edited. */
export class TomlTextError extends Error {
  override readonly name = 'TomlTextError';
}

const BEGIN = '# policy hook: begin (`policy uninstall` removes it)';
const END = '# policy hook: end';
const MOST_DEPTH = 100;

/** Returns the text with the block of `wanted`, and none of our older ones. Throws TomlTextError. */
export function withTomlHooks(source: string, wanted: string, isOurs: IsOurs, blockOf: (command: string) => string): string {
  if (split(source, isOurs).ours === split(wanted, isOurs).ours) return source;
  const lineBreak = breakOf(source);
  const block = inLines([BEGIN, ...wanted.trimEnd().split('\n'), END], lineBreak);
  const rest = withoutTomlHooks(source, isOurs, blockOf);
  const gap = rest === '' ? '' : rest.endsWith('\n') ? lineBreak : lineBreak + lineBreak;
  const text = rest + gap + block;
  if (!holdsBoth(text, rest, wanted, isOurs))
    throw new TomlTextError('its hooks have a form to which nothing can be added; write each as a table [[hooks]]');
  return text;
}

/** Whether a text contains the content of `rest`, and the hooks of `wanted`. `rest` alone is valid. */
function holdsBoth(text: string, rest: string, wanted: string, isOurs: IsOurs): boolean {
  const known = split(rest, isOurs).others;
  try {
    const { others, ours } = split(text, isOurs);
    return others === known && ours === split(wanted, isOurs).ours;
  } catch (error) {
    // Hooks as an inline list or as a table cannot be extended in TOML.
    if (error instanceof TomlTextError) return false;
    throw error;
  }
}

/**
 * Returns the text without any hook of ours. Throws TomlTextError if one of them is not in the form that we write.
 * @param blockOf returns the settings that contain a command line, as printed for copying
 */
export function withoutTomlHooks(source: string, isOurs: IsOurs, blockOf: (command: string) => string): string {
  const lineBreak = breakOf(source);
  let text = withoutBlocks(source, BEGIN, END);
  for (const command of ourTomlCommands(text, isOurs)) {
    const block = inLines(blockOf(command).trimEnd().split('\n'), lineBreak).slice(0, -lineBreak.length);
    const from = text.indexOf(block);
    if (from < 0) throw new TomlTextError('our hook was changed by hand; remove it by hand');
    text = cut(text, from, from + block.length, lineBreak);
  }
  if (split(text, isOurs).others !== split(source, isOurs).others)
    throw new TomlTextError('its hooks are written in a way that cannot be edited safely');
  return text;
}

/** Returns the text without the blocks between such comments. Throws TomlTextError if the end of one is missing. */
export function withoutBlocks(source: string, begin: string, end: string): string {
  const lineBreak = breakOf(source);
  let text = source;
  for (let from = text.indexOf(begin); from >= 0; from = text.indexOf(begin)) {
    const to = text.indexOf(end, from);
    if (to < 0) throw new TomlTextError(`the line "${end}" is missing; remove the block above it by hand`);
    text = cut(text, from, to + end.length, lineBreak);
  }
  return text;
}

/** Returns all our command lines in a text. Throws TomlTextError for invalid TOML. */
export function ourTomlCommands(source: string, isOurs: IsOurs): readonly string[] {
  const found: string[] = [];
  visit(readToml(source), (text) => {
    if (isOurs(text)) found.push(text);
  });
  return found;
}

/** A hook in TOML settings; `event` and `tool` are null if it names none. */
export interface TomlHook {
  readonly event: string | null;
  readonly tool: string | null;
  readonly command: string;
}

/** Returns every `[[hooks]]` that runs a command line. Throws TomlTextError for invalid TOML. */
export function tomlHooks(source: string): readonly TomlHook[] {
  const hooks = memberOf(readToml(source), 'hooks');
  if (!Array.isArray(hooks)) return [];
  return hooks.flatMap((hook: unknown) => {
    const command = memberOf(memberOf(hook, 'action'), 'command');
    if (typeof command !== 'string') return [];
    const [event, tool] = [memberOf(hook, 'event'), memberOf(hook, 'tool_name')];
    return [{ event: typeof event === 'string' ? event : null, tool: typeof tool === 'string' ? tool : null, command }];
  });
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;
}

/** Returns the text without a block, the line break after it and the empty line before it. */
function cut(text: string, from: number, end: number, lineBreak: string): string {
  const after = text.startsWith(lineBreak, end) ? end + lineBreak.length : end;
  const before = text.slice(0, from);
  return (before.endsWith(lineBreak + lineBreak) ? before.slice(0, -lineBreak.length) : before) + text.slice(after);
}

export function breakOf(source: string): string {
  return source.includes('\r\n') ? '\r\n' : '\n';
}

export function inLines(lines: readonly string[], lineBreak: string): string {
  return lines.map((line) => line + lineBreak).join('');
}

export function readToml(source: string): unknown {
  try {
    return parse(source, { maxDepth: MOST_DEPTH });
  } catch (error) {
    if (error instanceof TomlError)
      throw new TomlTextError(`line ${error.line}: this is not valid TOML (${error.message.split('\n')[0] ?? ''})`);
    throw error;
  }
}

function visit(value: unknown, tell: (text: string) => void): void {
  if (typeof value === 'string') tell(value);
  else if (typeof value === 'object' && value !== null) for (const inner of Object.values(value)) visit(inner, tell);
}

/** Separates our hooks from the rest of a text, both in a comparable form. */
function split(source: string, isOurs: IsOurs): { readonly others: string; readonly ours: string } {
  const ours: unknown[] = [];
  const others = withoutOurHooks(readToml(source), isOurs, ours);
  return { others: JSON.stringify(others) ?? '', ours: JSON.stringify(ours) };
}

/** A list that is empty without our hooks is removed with them. */
function withoutOurHooks(value: unknown, isOurs: IsOurs, ours: unknown[]): unknown {
  if (Array.isArray(value)) {
    const kept = value.filter((item: unknown) => {
      const own = holdsOurs(item, isOurs);
      if (own) ours.push(item);
      return !own;
    });
    return kept.length === 0 && value.length > 0 ? undefined : kept.map((item: unknown) => withoutOurHooks(item, isOurs, ours));
  }
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  return Object.entries(value)
    .map(([name, inner]) => [name, withoutOurHooks(inner, isOurs, ours)])
    .filter(([, inner]) => inner !== undefined);
}

function holdsOurs(value: unknown, isOurs: IsOurs): boolean {
  let found = false;
  visit(value, (text) => {
    found ||= isOurs(text);
  });
  return found;
}
