/** What the tests have to know of a real client: what npm calls it, how it is started without a person, what its model calls the tools. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RunnerId } from '../../src/call/tool-call.js';
import type { HookScope } from '../../src/runner/hook/runner.js';
import { runnerNamed } from '../../src/runner/runners.js';
import type { ModelCall } from './mock-model.js';

/** The two places that every client has. */
export type Scope = Exclude<HookScope, 'managed'>;

/** Where a scenario plays. */
export interface Stage {
  readonly home: string;
  readonly project: string;
  /** Where the model answers. */
  readonly model: string;
  /** Writes a file below the home. */
  write(file: string, text: string): void;
  /** Changes the text of a file below the home. */
  edit(file: string, change: (text: string) => string): void;
}

/**
 * How much the client does without a question of its own: `bypass` leaves every question out, `edits` those about files, `auto` lets a
 * model answer them, `never` refuses what it would ask about, `plan` only reads.
 */
export type Mode = 'bypass' | 'edits' | 'plan' | 'auto' | 'never' | 'asks';

/** How the server is started. */
export interface McpServer {
  readonly command: string;
  readonly args: readonly string[];
}

export interface Start {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export interface Client {
  readonly runner: RunnerId;
  readonly version: string;
  /** A package and its version for `npm install`. */
  readonly package: string;
  /** The program below the folder that it was installed into. */
  readonly program: string;
  /** What a person types to start it. */
  readonly command: string;
  /** Puts in place what a person has who uses it, but for the hook: settings of their own, an agent `reviewer`. */
  readonly prepare: (stage: Stage) => Start;
  /** What a person does once the hook is installed, so that the client runs it. `file`: the settings that the hook stands in. */
  readonly agree: (stage: Stage, file: string, scope: Scope) => void;
  /** How the gate stands where no person agreed. `refuses`: the client does not start to work. */
  readonly unagreed: Readonly<Record<Scope, 'closed' | 'open' | 'refuses'>>;
  readonly shell: (command: string) => ModelCall;
  /** Makes a file in the project with the client's own tool, not with the shell. */
  readonly write: (name: string, text: string) => ModelCall;
  /** Replaces a text in a file of the project; absent where the client wants to have read the file before. */
  readonly edit?: (name: string, from: string, to: string) => ModelCall;
  /** Moves and deletes files with a tool of its own. */
  readonly changes?: Readonly<Record<'move' | 'remove', (name: string) => ModelCall>>;
  /** What starts the client in a mode, in the place of `Start.args`; a mode that it does not have is absent. */
  readonly modes: Readonly<Partial<Record<Mode, Start>>>;
  /** What starts it with the sandbox of its settings, in the place of `Start.args`; absent where `policy install --sandbox` has none. */
  readonly sandboxed?: Start;
  /** Puts a stdio MCP server named `probe` into the client's settings. */
  readonly addServer: (stage: Stage, server: McpServer) => void;
  /** Calls a tool of that server. */
  readonly mcp: (tool: string, input: Readonly<Record<string, string>>) => ModelCall;
  /** Uses a skill; absent where the client has no such tool. */
  readonly skill?: (name: string, args?: string) => ModelCall;
  /** Sets an agent to work on a scenario, in the foreground where the client lets the model choose. */
  readonly agent: (scenario: string) => ModelCall;
  /** The same with an agent whose definition takes it out of all questions. */
  readonly unaskedAgent?: (scenario: string) => ModelCall;
  /** The name of that agent. */
  readonly agentName: string;
  /** Below the home: where it writes what was said in a session; null where that is no text. */
  readonly transcripts: string | null;
}

/** The versions that a runner's file names: those are tried. */
export function versionsOf(runner: RunnerId): readonly string[] {
  return runnerNamed(runner)?.evidence.version.split(', ') ?? [];
}

/** What a client is called: here, at npm, and by its program. */
export function named(runner: RunnerId, npm: string, command: string) {
  const [version = ''] = versionsOf(runner);
  return { runner, version, package: `${npm}@${version}`, program: `node_modules/.bin/${command}`, command };
}

/** Stands for the project's folder in a scenario. */
export const PROJECT = '@PROJECT@';

/** The words that name a scenario to the model. */
export const prompt = (name: string) => `SCENARIO:${name}`;

/** The program in its folder; null when it is not installed. */
export function programOf(client: Client, clients: string): string | null {
  const program = join(clients, folderOf(client), client.program);
  return existsSync(program) ? program : null;
}

/** The folder that a client is installed into. */
export function folderOf({ runner, version }: Client): string {
  return `${runner}-${version}`;
}
