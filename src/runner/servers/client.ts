/** Where a client keeps its MCP servers, and in which form. */
import type { HookFile } from '../hook/runner.js';

export interface ServerClient {
  /** As a person writes it after `policy mcp install`. */
  readonly id: string;
  readonly title: string;
  readonly files: readonly ServerFile[];
  /** Absent: `command` is the program, `args` are its arguments. `list`: `command` has both. */
  readonly command?: 'list';
  /** The map of variables that a server gets. Absent: `env`. */
  readonly variables?: string;
  /** A list of further names of variables that the server gets from the client. */
  readonly passedOn?: string;
  /** The values of `type` for a server that is a program; the first one is written. Absent: `stdio`. */
  readonly types?: readonly string[];
  /** An entry without such a `type` is none. */
  readonly needsType?: true;
  /** Ways to name a server by its address over Streamable HTTP, with the `type` that it needs; null: any, or none. */
  readonly addresses: readonly { readonly key: string; readonly types: readonly (string | null)[] }[];
  /** Maps of headers. Absent: `headers`. `named`: the value is the name of a variable. */
  readonly headers?: { readonly values: string; readonly named?: string };
  /** Members with which the client signs in itself. */
  readonly signsIn: readonly string[];
  /** It never signs in to a server with this member set to false. */
  readonly signsInUnless?: string;
  /** What a person has to know after a change, as a sentence. */
  readonly says?: string;
}

export interface ServerFile extends HookFile {
  readonly scope: 'user' | 'project';
  /** Paths of maps of servers; PROJECT stands for the folder of the project. */
  readonly keys: readonly (readonly string[])[];
}

/** Stands in a path of ServerFile.keys. */
export const PROJECT = '{project}';
