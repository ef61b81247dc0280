/** `policy mcp pin` and `policy mcp diff`: the definitions of a server's tools as a person has seen them, and what became of them. */
import { unifiedDiff } from '../../disk/diff.js';
import { changeSaid } from '../../gateway/pins/check.js';
import type { ListedTools } from '../../gateway/pins/list-tools.js';
import { type Definition, definitionOf, NEWEST, type Pin, type PinVersion, writePin } from '../../gateway/pins/pin.js';
import { escapeText } from '../../report/printing/escape.js';
import { guarded } from '../place/guarded.js';
import { refuseInsideRunner } from '../place/where.js';
import { confirmed } from '../terminal/confirm.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { print, printTable, said, textOptions } from '../terminal/terminal.js';
import { type Arguments, switchFlag } from '../words/arguments.js';
import { targetOf, toolsOf } from './target.js';

/** Throws UsageError if the server cannot be asked, and inside a runner; then nothing was changed. */
export async function pin(args: Arguments): Promise<ExitCode> {
  const isDry = switchFlag(args, 'dry-run');
  if (!isDry) refuseInsideRunner('policy mcp pin');
  const target = targetOf(args, 'pin');
  const { server, upstream, pin: found } = target;
  const listed = await toolsOf(target);
  const tools = definitionsOf(listed, NEWEST);
  const before = found === 'damaged' ? null : found;
  const changes = changesOf(before, listed);
  await said(`${server} has ${count(tools.size)}${listed.title === null ? '' : ` (${listed.title})`}`);
  const room = textOptions().width - Math.max(0, ...changes.map(({ name }) => escapeText(name).length)) - 8;
  await printTable(changes.map(({ mark, name, what, after }) => [`  ${mark} ${name}`, what ?? firstLine(after, room)]));
  if (before?.version === NEWEST && changes.length === 0)
    return await said(`Nothing has changed since it was pinned on ${before.day}`);
  if (isDry) return await said('Nothing was pinned (--dry-run).');
  const question = before === null ? 'Pin them as they are now?' : `Pin these changes since ${before.day}?`;
  if (!switchFlag(args, 'yes') && !(await confirmed(question))) return await said('Nothing was pinned.', EXIT.error);
  const day = new Date().toISOString().slice(0, 10);
  guarded(() => writePin(target.stateDirectory, target.project, server, { version: NEWEST, day, upstream, tools }));
  return await said(
    `Pinned. Behind the gateway, calls to a changed tool ask from now on${before === null ? '; running clients must restart the server' : ''}`,
  );
}

/** Exit code 1 if something has changed. Throws UsageError if the server is not pinned, or cannot be asked. */
export async function diff(args: Arguments): Promise<ExitCode> {
  const target = targetOf(args, 'diff');
  const { server, pin: before } = target;
  if (before === 'damaged') throw new UsageError(`The pin of ${server} cannot be read; pin it again with its command or address`);
  if (before === null)
    throw new UsageError(`${server} is not pinned for ${target.project}: policy mcp pin --server ${server} -- COMMAND`);
  const changes = changesOf(before, await toolsOf(target));
  if (changes.length === 0) return await said(`Nothing has changed since ${server} was pinned on ${before.day}`);
  for (const { name, what, before: old, after } of changes) {
    await said(`${name}: ${what ?? 'it is new'}`);
    const lines = after === null ? [] : unifiedDiff(linesOf(old), linesOf(after), { before: '', after: '' }).slice(2);
    for (const line of lines.filter((one) => !one.startsWith('\\'))) await print(`  ${escapeText(line)}\n`);
  }
  return EXIT.deny;
}

/** Throws UsageError for two tools of one name, of which nobody knows which one is called. */
function definitionsOf({ tools }: ListedTools, version: PinVersion): Pin['tools'] {
  const definitions = tools.map((tool) => definitionOf(tool, version)).filter((one) => one !== null);
  const twice = definitions.find(({ name }, at) => definitions.findIndex((one) => one.name === name) !== at);
  if (twice !== undefined)
    throw new UsageError(`The server lists two tools named ${JSON.stringify(twice.name)}; it cannot be pinned`);
  return new Map(definitions.map((one) => [one.name, one]));
}

interface Change {
  readonly mark: '+' | '-' | '~';
  readonly name: string;
  /** What has changed, as a clause; null for a new tool. */
  readonly what: string | null;
  readonly before: Definition | null;
  readonly after: Definition | null;
}

function changesOf(before: Pin | null, listed: ListedTools): readonly Change[] {
  const tools = definitionsOf(listed, before?.version ?? NEWEST);
  const gone = [...(before?.tools.values() ?? [])].filter(({ name }) => !tools.has(name));
  const now = [...tools.values()].flatMap((after): Change[] => {
    const old = before?.tools.get(after.name);
    if (old === undefined) return [{ mark: '+', name: after.name, what: null, before: null, after }];
    return old.digest === after.digest ? [] : [{ mark: '~', name: after.name, what: changeSaid(old, after), before: old, after }];
  });
  return [...now, ...gone.map((old): Change => ({ mark: '-', name: old.name, what: 'it is gone', before: old, after: null }))];
}

function count(tools: number): string {
  return tools === 1 ? '1 tool' : `${tools} tools`;
}

/** @param room characters of the line that may be shown */
function firstLine(definition: Definition | null, room: number): string {
  const { description } = partsOf(definition);
  const [line = ''] = escapeText(typeof description === 'string' ? description.trim().slice(0, 1_000) : '').split('\\n');
  return line.length > Math.max(room, 20) ? `${line.slice(0, Math.max(room, 20) - 1)}…` : line;
}

function partsOf(definition: Definition | null): Readonly<Record<string, unknown>> {
  return definition?.text == null ? {} : JSON.parse(definition.text);
}

/** Returns a definition as a person reads it: each line of a text on a line of its own, below the name of its part. */
function linesOf(definition: Definition | null): string {
  if (definition !== null && definition.text === null) return 'too long to store in the pin\n';
  const parts = Object.entries(partsOf(definition)).map(([part, value]) => {
    const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2);
    return `${part}:\n${text
      .split('\n')
      .map((line) => `  ${line}\n`)
      .join('')}`;
  });
  return parts.join('');
}
