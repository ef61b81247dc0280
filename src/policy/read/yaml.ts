/** YAML 1.2 (core schema, one document) with places, from js-yaml's event stream. */
import { constructFromEvents, EVENT_ID, type Event, getScalarValue, parseEvents, SCALAR_STYLE, YAMLException } from 'js-yaml';
import {
  duplicateKey,
  forbiddenKey,
  type LocatedNode,
  MAX_DEPTH,
  MAX_NODES,
  type Reading,
  type ReadingProblem,
  tooDeep,
  tooMany,
} from './result.js';

const MAX_ALIASES = 20;

type ScalarEvent = Extract<Event, { type: typeof EVENT_ID.SCALAR }>;
/** A collection whose children are still being read. */
interface Frame {
  readonly node: {
    start: number;
    textStart: number;
    textEnd: number;
    members: Members | null;
    items: SizedNode[] | null;
    size: number;
  };
  key: { readonly name: string; readonly start: number } | null;
}
type Members = Map<string, { keyStart: number; node: SizedNode }>;
/** `size` counts the values below, with aliases each time they are used: as many as a validator would have to visit. */
interface SizedNode extends LocatedNode {
  readonly size: number;
  readonly members: Members | null;
  readonly items: SizedNode[] | null;
}

/** Reads one YAML document; merge keys (`<<`) are ordinary, and therefore unknown, keys. */
export function readYaml(source: string): Reading {
  try {
    const events = parseEvents(source, { maxDepth: MAX_DEPTH });
    const located = locate(source, events);
    if ('code' in located) return located;
    const [data] = constructFromEvents(events, { source, maxAliases: MAX_ALIASES });
    return disagreement(located.root, data) ?? { data, root: located.root };
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error;
    return problemOf(error, source);
  }
}

/** The problem for an error of js-yaml. */
function problemOf(error: YAMLException, source: string): ReadingProblem {
  const { reason } = error;
  const offset = error.mark?.position ?? 0;
  if (reason.includes('maxDepth')) return tooDeep(offset);
  if (reason.includes('maxAliases'))
    return { code: 'file/too-large', message: `More than ${MAX_ALIASES} aliases are not read; write the values out.`, offset };
  const star = reason.includes('alias') ? ' (a rule that starts with * has to be quoted)' : '';
  const why = holdsColon(source, offset)
    ? 'this value holds a colon and a space, so it needs quotes'
    : reason.replaceAll('\n', ' ');
  return { code: 'file/syntax', message: `This is not valid YAML: ${why}${star}.`, offset };
}

/** Whether the parser stopped at the second `: ` of a line, which it calls a bad indentation. */
function holdsColon(source: string, offset: number): boolean {
  const before = source.slice(source.lastIndexOf('\n', offset - 1) + 1, offset);
  return /^[ \t-]*[^\s"'#:]+:[ \t]+[^\s"'|>[{]/.test(before) && /^:(?:[ \t]|\r?$)/m.test(source.slice(offset, offset + 3));
}

/** Builds the tree of places from the events, or finds the first thing that a policy may not contain. */
function locate(source: string, events: readonly Event[]): { root: SizedNode | null } | ReadingProblem {
  const frames: Frame[] = [];
  const anchors = new Map<string, SizedNode>();
  const open = new Set<SizedNode>();
  let root: SizedNode | null = null;
  let documents = 0;
  let last = 0;

  /** Puts a finished value into its collection. */
  const place = (node: SizedNode): ReadingProblem | null => {
    const frame = frames.at(-1);
    if (frame === undefined) {
      root = node;
      return null;
    }
    frame.node.size += node.size;
    if (frame.node.size > MAX_NODES) return tooMany(node.start);
    if (frame.node.items !== null) frame.node.items.push(node);
    else if (frame.key !== null) {
      frame.node.members?.set(frame.key.name, { keyStart: frame.key.start, node });
      frame.key = null;
    }
    return null;
  };

  for (const event of events) {
    let problem: ReadingProblem | null = null;
    const frame = frames.at(-1);
    const wantsKey = frame !== undefined && frame.node.members !== null && frame.key === null;
    if (event.type === EVENT_ID.DOCUMENT) {
      if (++documents > 1) return { code: 'file/syntax', message: SECOND_DOCUMENT, offset: secondDocument(source, last) };
    } else if (event.type === EVENT_ID.POP) {
      const closed = frames.pop();
      if (closed !== undefined) {
        open.delete(closed.node);
        problem = place(closed.node);
      }
    } else if (event.type === EVENT_ID.ALIAS) {
      last = event.anchorEnd;
      const target = anchors.get(source.slice(event.anchorStart, event.anchorEnd));
      if (wantsKey || (target !== undefined && open.has(target)))
        problem = { code: 'file/syntax', message: wantsKey ? KEY_NOT_TEXT : ALIAS_CYCLE, offset: event.anchorStart - 1 };
      // An unknown alias is left to js-yaml, which reports it with its place.
      else problem = place({ ...(target ?? scalarAt(source, last, null)), start: event.anchorStart - 1 });
    } else if (event.type === EVENT_ID.SCALAR) {
      if (event.valueEnd >= 0) last = event.valueEnd;
      const node = scalarAt(source, frame?.key?.start ?? last, event);
      if (wantsKey) problem = takeKey(frame, getScalarValue(source, event), node.start);
      else {
        if (event.anchorStart >= 0) anchors.set(source.slice(event.anchorStart, event.anchorEnd), node);
        problem = place(node);
      }
    } else {
      if (wantsKey) return { code: 'file/syntax', message: KEY_NOT_TEXT, offset: event.start };
      const isMap = event.type === EVENT_ID.MAPPING;
      const node = {
        start: event.start,
        textStart: -1,
        textEnd: -1,
        members: isMap ? new Map() : null,
        items: isMap ? null : [],
        size: 1,
      };
      if (event.anchorStart >= 0) anchors.set(source.slice(event.anchorStart, event.anchorEnd), node);
      open.add(node);
      frames.push({ node, key: null });
    }
    if (problem !== null) return problem;
  }
  return { root };
}

const SECOND_DOCUMENT = 'A second document starts here; a policy file holds exactly one.';
const KEY_NOT_TEXT = 'A key has to be plain text.';
const ALIAS_CYCLE = 'This alias stands inside the value that it repeats.';

/** Remembers a mapping's key, or returns the reason why it cannot be one. */
function takeKey(frame: Frame, name: string, start: number): ReadingProblem | null {
  if (frame.node.members?.has(name)) return duplicateKey(name, start);
  if (name === '__proto__') return forbiddenKey(start);
  frame.key = { name, start };
  return null;
}

/** The place of a scalar; an empty one has the place of its key (`fallback`). */
function scalarAt(source: string, fallback: number, event: ScalarEvent | null): SizedNode {
  const none = { members: null, items: null, size: 1 };
  if (event === null || event.valueStart < 0) return { start: fallback, textStart: -1, textEnd: -1, ...none };
  const { valueStart, valueEnd, style } = event;
  if (style === SCALAR_STYLE.PLAIN) return { start: valueStart, textStart: valueStart, textEnd: valueEnd, ...none };
  if (style === SCALAR_STYLE.SINGLE_QUOTED || style === SCALAR_STYLE.DOUBLE_QUOTED)
    return { start: valueStart - 1, textStart: valueStart, textEnd: valueEnd, ...none };
  let start = valueStart;
  while (start < valueEnd && source.charCodeAt(start) === 32) start++;
  return { start, textStart: -1, textEnd: -1, ...none };
}

/** The offset of the line `---` (or after `...`) of the second document. */
function secondDocument(source: string, from: number): number {
  const line = /^(?:---|\.\.\.)/m.exec(source.slice(from));
  return line === null ? source.length : from + line.index;
}

/**
 * js-yaml converts keys to strings after resolving them (`0x10: a` becomes the key `16`); then our places would not match. The
 * first such key is a problem that quotes solve.
 */
function disagreement(root: SizedNode | null, data: unknown): ReadingProblem | null {
  const pending: { node: SizedNode; value: unknown }[] = root === null ? [] : [{ node: root, value: data }];
  for (let next = pending.pop(); next !== undefined; next = pending.pop()) {
    const { node, value } = next;
    if (typeof value !== 'object' || value === null) continue;
    const children: Record<string, unknown> = { ...value };
    for (const [index, item] of (node.items ?? []).entries()) pending.push({ node: item, value: children[index] });
    for (const [name, member] of node.members ?? []) {
      if (!Object.hasOwn(children, name))
        return {
          code: 'file/syntax',
          message: `The key ${JSON.stringify(name.slice(0, 80))} is read as a number or an empty value; put it in quotes.`,
          offset: member.keyStart,
        };
      pending.push({ node: member.node, value: children[name] });
    }
  }
  return null;
}
