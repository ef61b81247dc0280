// The tools of `policy mcp serve` in this process: a scratch project, a policy of the user, and a client that sends calls.
import { mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { RunnerId } from '../../src/call/tool-call.js';
import { compileAndStore } from '../../src/enforce/snapshot/store.js';
import { readMessage } from '../../src/gateway/protocol/message.js';
import { governedTools } from '../../src/gateway/serve/serve.js';
import type { Step } from '../../src/gateway/session/session.js';
import { CLEAN_REPOSITORY, scratch } from '../cli/spawned.js';

export interface Told {
  readonly text: string;
  readonly isError: boolean;
  /** The code of an error of the protocol; null: none. */
  readonly code: number | null;
}

export interface Served {
  readonly project: string;
  /** Calls a tool; `before` is done between its judgement and its run. */
  readonly call: (tool: string, input: object, before?: () => void) => Promise<Told>;
  readonly request: (method: string, params?: object) => Promise<Record<string, unknown>>;
  readonly listed: () => Promise<readonly string[]>;
  readonly records: () => readonly Record<string, unknown>[];
  readonly cancelLast: () => void;
  readonly read: (file: string) => string;
}

export interface World {
  readonly policy?: string;
  /** Files of the project; `-> target` makes a link. */
  readonly files?: Readonly<Record<string, string>>;
  readonly agent?: string;
  readonly runner?: RunnerId;
  /** The answer of the person to each question; absent: the client cannot ask. */
  readonly person?: 'accept' | 'decline';
  readonly environment?: Readonly<Record<string, string>>;
}

/** Makes a project, and starts its tools. */
export function served({
  policy = 'version: 1\npreset: safe\n',
  files = {},
  agent,
  runner = 'codex',
  person,
  environment,
}: World): Served {
  const folder = realpathSync(scratch({ 'home/.config/policy/policy.yaml': policy }));
  const project = join(folder, 'work');
  for (const [name, text] of Object.entries({ ...CLEAN_REPOSITORY, ...files })) put(join(project, name), text);
  const stateDirectory = join(folder, 'home/.local/state/policy');
  const places = {
    ...{ project, folder: project, home: join(folder, 'home'), platform: process.platform, runner, run: null },
    ...{ userDirectory: join(folder, 'home/.config/policy'), managedDirectory: join(folder, 'managed'), stateDirectory },
  };
  const own = {
    environment: { PATH: process.env.PATH ?? '', HOME: places.home, ...environment },
    cwd: project,
    parent: process.ppid,
  };
  const judging = { ...own, places, agent: agent ?? null, isUnheard: () => false, compile: compileAndStore, warn: () => {} };
  const { session, server } = governedTools(judging, 'result');
  let last = 0;
  const settle = async (step: Step, before: () => void): Promise<Record<string, unknown>> => {
    if (step.to === 'nobody') throw new Error(step.why);
    const message = JSON.parse(step.text);
    if (step.to === 'client') {
      if (message.method !== 'elicitation/create') return message;
      const answer = { jsonrpc: '2.0', id: message.id, result: { action: person ?? 'cancel', content: {} } };
      return await settle(session.fromClient(JSON.stringify(answer)), before);
    }
    const request = readMessage(step.text, true);
    if (request.kind !== 'request') throw new Error(step.text);
    before();
    return await settle(session.fromServer(await server.answer(request, step.verdict ?? null)), before);
  };
  const request = async (method: string, params: object = {}, before = () => {}) => {
    last += 1;
    return await settle(session.fromClient(JSON.stringify({ jsonrpc: '2.0', id: last, method, params })), before);
  };
  const capabilities = person === undefined ? {} : { elicitation: {} };
  session.fromClient(
    JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params: { protocolVersion: '2025-11-25', capabilities } }),
  );
  const log = join(stateDirectory, 'log');
  return {
    project,
    request,
    call: async (name, input, before) => {
      const { result, error } = (await request('tools/call', { name, arguments: input }, before)) as {
        result?: { content: { text: string }[]; isError?: boolean };
        error?: { code: number; message: string };
      };
      return {
        text: result?.content[0]?.text ?? error?.message ?? '',
        isError: result?.isError === true,
        code: error?.code ?? null,
      };
    },
    listed: async () => {
      const { result } = (await request('tools/list')) as { result: { tools: { name: string }[] } };
      return result.tools.map(({ name }) => name);
    },
    records: () =>
      readdirSync(log)
        .flatMap((name) => (name.endsWith('.jsonl') ? readFileSync(join(log, name), 'utf8').trimEnd().split('\n') : []))
        .map((line) => JSON.parse(line)),
    cancelLast: () => server.cancel(last),
    read: (file) => readFileSync(join(project, file), 'utf8'),
  };
}

function put(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  if (text.startsWith('-> ')) symlinkSync(text.slice(3), path);
  else writeFileSync(path, text);
}
