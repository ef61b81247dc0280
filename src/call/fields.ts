/** Reads untrusted JSON field by field, and the call in a payload: only own properties of the expected type are used. */
import type { RunnerId, Shell, ToolCall } from './tool-call.js';

export type Fields = Readonly<Record<string, unknown>>;

/** Whether a value is a JSON object: not null, and not a list. */
export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** Returns a field of the object itself, never one that it inherits. */
export function own(fields: Fields, name: string): unknown {
  return Object.hasOwn(fields, name) ? fields[name] : undefined;
}

/** Returns a non-empty string field; null if it is absent or anything else. */
export function text(fields: Fields, name: string): string | null {
  const value = own(fields, name);
  return typeof value === 'string' && value !== '' ? value : null;
}

/** The names of the fields in which a runner's payload contains the parts of a call. */
export interface CallFields {
  readonly tool: string;
  readonly input: string;
  /** Fields with the subagent's id and name; null if the runner has no such field. */
  readonly agentId: string | null;
  readonly agentType: string | null;
}

/**
 * Returns the call that a payload describes, or a description of what is wrong with the payload.
 * @param headless true for a runner whose hook cannot make it ask the person
 */
export function callOf(
  payload: Fields,
  names: CallFields,
  { runner, shell, headless }: { readonly runner: RunnerId; readonly shell: Shell; readonly headless: boolean },
): ToolCall | string {
  const tool = text(payload, names.tool);
  const input = own(payload, names.input);
  const cwd = text(payload, 'cwd');
  if (tool === null) return `names no ${names.tool}`;
  if (!isFields(input)) return `has no ${names.input} that is an object`;
  if (cwd === null || !isAbsolute(cwd)) return 'has no cwd that is an absolute path';
  const agent = agentOf(payload, names);
  return { tool, input, runner, ...(agent !== null && { agent }), cwd, headless, shell };
}

/** True for an absolute path that can be passed to the operating system: no system accepts a NUL in a path. */
export function isAbsolute(path: string): boolean {
  return (path.startsWith('/') || /^[A-Za-z]:[\\/]/.test(path)) && !path.includes('\0');
}

/** Returns the calling subagent; a subagent without a type is still a subagent, with a name that no definition has. */
function agentOf(payload: Fields, { agentId, agentType }: CallFields): string | null {
  const id = agentId === null ? undefined : own(payload, agentId);
  const type = agentType === null ? undefined : own(payload, agentType);
  if (typeof type === 'string' && type !== '') return type;
  return id === undefined && type === undefined ? null : `unnamed subagent ${typeof id === 'string' ? id : ''}`.trim();
}
