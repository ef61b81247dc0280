/** An MCP server, whatever carries its messages: a child process (server-process.ts) or an address (http/remote-server.ts). */
import type { Id, Message } from '../protocol/message.js';

/** Where a server is. */
export type UpstreamPlace = CommandUpstream | AddressUpstream;

/** A server that the gateway starts. */
interface CommandUpstream {
  readonly kind: 'command';
  readonly command: string;
  readonly words: readonly string[];
  /** Names of further variables that the server gets. */
  readonly named: readonly string[];
}

/** A server that is there. */
interface AddressUpstream {
  readonly kind: 'address';
  /** The variable is for an address with a credential: arguments are visible to every process. */
  readonly url: URL | { readonly variable: string };
  /** Headers of every request, each with the variable that has its value. */
  readonly headers: readonly (readonly [header: string, variable: string])[];
}

export interface Upstream {
  /** Returns false if the server reads more slowly than it is written to; `drained` tells when it has caught up. */
  readonly send: (message: Message, text: string) => boolean;
  /** Ends the server at once. */
  readonly kill: () => void;
  /** Ends the server. Resolves when it is gone. */
  readonly end: () => Promise<void>;
}

export interface UpstreamEvents {
  /**
   * Gets each message of the server.
   * @param about the request that it came with; null: the transport does not tell
   * @param status the HTTP status of the answer; null: none, or a message in a stream
   */
  readonly received: (text: string, about: Id | null, status: number | null) => void;
  readonly drained: () => void;
  /** Called once when the server has ended, with a sentence about how. `started`: it ran at all. */
  readonly ended: (why: string, started: boolean) => void;
  /** The input schema that the server has listed for a tool. */
  readonly schemaOf: (tool: string) => object | undefined;
}

/** Starts or connects to a server. It never throws: a server that cannot be started has ended. */
export type Connect = (events: UpstreamEvents) => Upstream;
