/** The tool server behind a session: answers its messages, and runs the calls that the policy has allowed. */
import type { showingOf } from '../judge.js';
import { errorTo, type Id, type Members, messageText, type Request } from '../protocol/message.js';
import type { Judged } from '../protocol/methods.js';
import type { Verdict } from '../session/session.js';
import { patchChanges } from './patch.js';
import { changeFiles, entryOf, insideProject, placeIn, ToolFailure } from './place.js';
import { readFile } from './read.js';
import { codebaseSearch, grep, type SearchPlace } from './search.js';
import { runShell, type ShellResult } from './shell.js';
import { inFiles, TOOLS } from './tools.js';

/** Revisions with a session, the newest first, and those without. */
const WITH_SESSION = ['2025-11-25', '2025-06-18', '2025-03-26'] as const;
const STATELESS = ['2026-07-28'] as const;
const VERSION = 'io.modelcontextprotocol/protocolVersion';
const SERVER_INFO = 'io.modelcontextprotocol/serverInfo';
/** Error codes of the protocol. */
const NO_METHOD = -32601;
const UNSUPPORTED = -32022;
/** Milliseconds of a command line, if its call names none. */
const DEADLINE = 120_000;

export interface ToolServerOptions {
  /** Of this program. */
  readonly version: string;
  /** Real path; calls are made there. */
  readonly project: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  /** Runs a search, with what the policy lets it show. */
  readonly showing: ReturnType<typeof showingOf>;
  readonly now: () => number;
}

export class ToolServer {
  readonly #options: ToolServerOptions;
  readonly #running = new Map<Id, AbortController>();

  constructor(options: ToolServerOptions) {
    this.#options = options;
  }

  /** Returns the answer to a request, as one line. A cancelled call has one, too. */
  async answer(request: Request, verdict: Verdict | null): Promise<string> {
    const { id, method, params = {} } = request;
    const version = metaOf(params)[VERSION];
    if (version !== undefined && !STATELESS.some((one) => one === version)) {
      const data = { supported: STATELESS, requested: version };
      const { error } = errorTo(id, UNSUPPORTED, 'Unsupported protocol version') as { error: Members } & object;
      return messageText({ kind: 'error', id, error: { ...error, data } });
    }
    const result = method === 'tools/call' ? await this.#called(id, verdict) : this.#told(method, params);
    if (result === null) return messageText(errorTo(id, NO_METHOD, `this server has no ${method}`));
    return messageText({ kind: 'result', id, result: version === undefined ? result : { resultType: 'complete', ...result } });
  }

  cancel(id: Id): void {
    this.#running.get(id)?.abort();
  }

  /** Ends whatever runs. */
  stop(): void {
    for (const one of this.#running.values()) one.abort();
  }

  #told(method: string, params: Members): Members | null {
    const serverInfo = { name: 'policy', version: this.#options.version };
    const capabilities = { tools: {} };
    // The policy may change at any time, and with it what is listed.
    const uncached = metaOf(params)[VERSION] === undefined ? {} : { ttlMs: 0, cacheScope: 'private' };
    switch (method) {
      case 'initialize': {
        const protocolVersion = WITH_SESSION.find((one) => one === params.protocolVersion) ?? WITH_SESSION[0];
        return { protocolVersion, capabilities, serverInfo };
      }
      case 'server/discover':
        return { ...uncached, supportedVersions: STATELESS, capabilities, _meta: { [SERVER_INFO]: serverInfo } };
      case 'ping':
        return {};
      case 'tools/list':
        return { ...uncached, tools: TOOLS };
      default:
        return null;
    }
  }

  async #called(id: Id, verdict: Verdict | null): Promise<Members> {
    if (verdict?.call === undefined) throw new Error('a call came without a decision');
    const running = new AbortController();
    this.#running.set(id, running);
    try {
      const { text, isError } = await this.#run(verdict.call, verdict.decided !== 'allow', running.signal);
      return { content: [{ type: 'text', text }], isError };
    } catch (error) {
      const text = error instanceof ToolFailure ? error.message : `it failed: ${error instanceof Error ? error.message : error}`;
      return { content: [{ type: 'text', text }], isError: true };
    } finally {
      this.#running.delete(id);
    }
  }

  /** Runs a call; its arguments fit the schema of its tool. `isAgreed`: no rule allows it, but a person does. */
  async #run(call: Judged, isAgreed: boolean, signal: AbortSignal): Promise<ShellResult> {
    const { project, environment, showing, now } = this.#options;
    const { tool, input } = call;
    const path = () => placeIn(textOf(input.path ?? '.'), project);
    const searched = (search: (place: SearchPlace) => string) =>
      done(showing(isAgreed, (mayShow) => search({ project, now, mayShow: (files) => mayShow(...inFiles(call, files)) })));
    const done = (text: string): ShellResult => ({ text, isError: false });
    switch (tool) {
      case 'codex_read_file':
        return done(readFile(path(), numberOf(input.offset), numberOf(input.limit)));
      case 'codex_grep':
        return searched((place) => grep(textOf(input.pattern), path(), place));
      case 'codex_codebase_search': {
        const given = Array.isArray(input.target_directories) ? input.target_directories.map(textOf) : [];
        const roots = (given.length === 0 ? ['.'] : given).map((one) => placeIn(one, project));
        return searched((place) => codebaseSearch(textOf(input.query), roots, place));
      }
      case 'codex_apply_patch': {
        const changes = patchChanges(textOf(input.patch), project);
        changeFiles(changes, project);
        return done(`Changed ${changes.length} ${changes.length === 1 ? 'file' : 'files'}.`);
      }
      case 'codex_write_file': {
        const file = insideProject(textOf(input.path), project);
        changeFiles([{ path: file, before: entryOf(file), after: textOf(input.content) }], project);
        return done('Written.');
      }
      case 'codex_delete_file':
        changeFiles([{ path: insideProject(textOf(input.path), project), before: '', after: null }], project);
        return done('Deleted.');
      case 'codex_shell': {
        const deadline = (numberOf(input.timeout) ?? DEADLINE / 1000) * 1000;
        return await runShell({ command: textOf(input.command), cwd: project, environment, deadline, signal });
      }
      default:
        throw new ToolFailure(`there is no tool ${tool}`);
    }
  }
}

function metaOf(params: Members): Members {
  return (params._meta ?? {}) as Members;
}

function textOf(value: unknown): string {
  if (typeof value !== 'string') throw new ToolFailure('an argument is not text');
  return value;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' ? value : undefined;
}
