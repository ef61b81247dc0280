/** Mutated sessions in memory: what a strict reader would not pass on never reaches the other side, nothing throws, and memory stays flat. */
import { isDeepStrictEqual } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { Session, type Step } from '../../../src/gateway/session/session.js';
import { edited, edits, SMUGGLED } from '../../gateway/smuggling.js';
import type { Row } from './stage.js';

const RUNS = 100_000;
/** Sessions that are drawn at a time; in every other lot, one gateway serves them all, one after the other. */
const LOT = 1_000;
const SECONDS = 600;
/** `SEED=…` draws the same ones again. */
const seed = Number(process.env.SEED ?? Date.now() % 1e9);

const json = (value: object) => JSON.stringify({ jsonrpc: '2.0', ...value });
const request = (id: number | string, method: string, params: object = {}) => json({ id, method, params });
const call = (id: number, name: string, more: object = {}) =>
  request(id, 'tools/call', { name, arguments: { path: 'a', n: id }, ...more });
const MODERN = { _meta: { 'io.modelcontextprotocol/clientCapabilities': { elicitation: {} } } };
const ELICITATION = { method: 'elicitation/create', params: { message: 'm', requestedSchema: { type: 'object' } } };

/** Texts of both sides; @ASK@, @STATE@ and @ID@ stand for what the gateway has asked last, and for the client's last request. */
const CLIENT = [
  request(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: { elicitation: {} }, clientInfo: {} }),
  ...[request(1, 'tools/list'), request(2, 'ping'), request(3, 'resources/read', { uri: 'file:///a' })],
  ...[4, 5].flatMap((id) => ['read_file', 'write_file', 'move_file'].map((name) => call(id, name))),
  ...[6, 7].map((id) => call(id, 'write_file', MODERN)),
  ...['accept', 'decline'].map((action) => json({ id: '@ASK@', result: { action } })),
  call(6, 'write_file', { ...MODERN, requestState: '@STATE@', inputResponses: { policy: { action: 'accept' } } }),
  ...['s1', 's2'].map((id) => json({ id, result: { action: 'accept' } })),
  json({ method: 'notifications/cancelled', params: { requestId: 4 } }),
];
const SERVER = [
  json({ id: '@ID@', result: { content: [{ type: 'text', text: 'x' }] } }),
  json({ id: '@ID@', error: { code: 1, message: 'x' } }),
  json({ id: '@ID@', result: { tools: ['read_file', 'move_file'].map((name) => ({ name, inputSchema: { type: 'object' } })) } }),
  json({ id: '@ID@', result: { resultType: 'input_required', inputRequests: { x: ELICITATION } } }),
  ...[json({ id: 's1', ...ELICITATION }), request('s2', 'sampling/createMessage', { messages: [], maxTokens: 1 })],
  ...[request('s2', 'roots/list'), call(9, 'move_file'), json({ method: 'notifications/tools/list_changed' })],
];
const ODD = SMUGGLED.map(({ text }) => text).filter((text) => text.length < 400);
const changes = fc.oneof(fc.constant([]), edits);
const said = (isClient: boolean, texts: readonly string[], weight: number) => ({
  weight,
  arbitrary: fc.record({ isClient: fc.constant(isClient), text: fc.constantFrom(...texts), changes }),
});
const event = fc.oneof(said(true, CLIENT, 4), said(true, ODD, 1), said(false, SERVER, 3));
const session = fc.array(event, { minLength: 3, maxLength: 14 });

type Members = Readonly<Record<string, unknown>>;
const membersOf = (value: unknown): Members => (typeof value === 'object' && value !== null ? (value as Members) : {});
const effectOf = (tool: string) =>
  /^(read_|resources:|roots:|elicitation:)/.test(tool) ? 'allow' : tool.startsWith('write_') ? 'ask' : 'deny';
const PASSING =
  'initialize ping tools/list tools/call resources/read notifications/cancelled notifications/initialized notifications/progress';
/** What the client may be asked. */
const ASKED = 'elicitation/create roots/list';

/** A gateway with a strict reader beside it, which remembers what was judged, asked and sent. */
class Watched {
  /** What was judged for the message that is looked at. */
  #judged: { tool: string; input: Members }[] = [];
  readonly #asks = new Map<unknown, Members>();
  readonly #fromServer = new Set<unknown>();
  /** Requests that the server has not answered, with their methods. */
  readonly #open = new Map<unknown, unknown>();
  /** Messages that the gateway sent on. */
  static sent = 0;
  readonly last: Record<string, string> = { ASK: '', STATE: '', ID: '' };
  readonly #session = new Session({
    server: 'fs',
    denyAs: 'result',
    judge: {
      visible: (tools) => new Set(tools.filter((tool) => tool !== 'move_file')),
      isDenied: () => false,
      judge: (one) => {
        this.#judged.push(one);
        return { effect: effectOf(one.tool), text: '', end: () => {} };
      },
    },
  });

  /** Hands a text to the gateway; returns what is wrong with what it sent. */
  take(isClient: boolean, text: string): string | null {
    this.#judged = [];
    const step = isClient ? this.#session.fromClient(text) : this.#session.fromServer(text);
    if (step.to === 'nobody') return null;
    Watched.sent += isClient === (step.to === 'server') ? 1 : 0;
    const wrong = step.to === 'server' ? this.#toServer(step, isClient, text) : this.#toClient(step, isClient);
    return wrong && `${wrong}: ${isClient ? 'client' : 'server'} ${JSON.stringify(text)} → ${step.to} ${step.text}`;
  }

  #message({ text }: Step & { text: string }): Members | null {
    const message = JSON.parse(text);
    const isPlain = JSON.stringify(message) === text && !/[\r\n]/.test(text) && message.jsonrpc === '2.0';
    return isPlain && !Array.isArray(message) ? message : null;
  }

  #toServer(step: Step & { text: string }, isClient: boolean, text: string): string | null {
    const message = this.#message(step);
    if (message === null) return 'it is no plain message';
    const { id, method } = message;
    if (!isClient) return message.error === undefined ? 'the server gets an answer that nobody gave' : null;
    if (method === undefined) return this.#fromServer.delete(id) ? null : 'an answer to no question';
    if (!PASSING.split(' ').includes(String(method))) return 'a method that does not pass';
    if (String(method).startsWith('notifications/')) return this.#cancelled(message);
    if (this.#open.has(id)) return 'an id that waits';
    this.#open.set(id, method);
    this.last.ID = JSON.stringify(id);
    if (method !== 'tools/call' && method !== 'resources/read') return null;
    const { name, arguments: input = {}, uri } = membersOf(message.params);
    const [judged] = this.#judged;
    if (judged?.tool === (name ?? 'resources:read') && effectOf(judged.tool) === 'allow')
      return uri !== undefined || isDeepStrictEqual(input, judged.input) ? null : 'other arguments than those judged';
    return this.#isAgreed(JSON.parse(text), { name, input }) ? null : 'a call that was not allowed';
  }

  #cancelled({ params, method }: Members): string | null {
    if (method !== 'notifications/cancelled') return null;
    return this.#open.delete(membersOf(params).requestId) ? null : 'a cancellation of nothing';
  }

  /** Whether a text of the client is the answer with which the person agreed to a call. */
  #isAgreed(said: Members, made: Members): boolean {
    const { requestState, inputResponses } = membersOf(said.params);
    const answer = said.method === undefined ? said.result : membersOf(inputResponses).policy;
    const about = this.#asks.get(said.method === undefined ? said.id : requestState);
    this.#asks.delete(said.method === undefined ? said.id : requestState);
    return membersOf(answer).action === 'accept' && about !== undefined && isDeepStrictEqual(about, made);
  }

  #toClient(step: Step & { text: string }, isClient: boolean): string | null {
    const message = this.#message(step);
    if (message === null) return 'it is no plain message';
    const { id, method, result } = message;
    const { requestState, tools } = membersOf(result);
    const [judged] = this.#judged;
    if (isClient && (method !== undefined || requestState !== undefined)) {
      // The gateway asks the person itself.
      if (judged === undefined || effectOf(judged.tool) !== 'ask') return 'a question about nothing';
      this.last[method === undefined ? 'STATE' : 'ASK'] = String(requestState ?? id);
      this.#asks.set(requestState ?? id, { name: judged.tool, input: judged.input });
      return null;
    }
    if (isClient) return null;
    if (method !== undefined && id !== undefined) {
      this.#fromServer.add(id);
      return ASKED.split(' ').includes(String(method)) || method === 'ping' ? null : 'a question that is denied';
    }
    if (method !== undefined) return null;
    const asked = this.#open.get(id);
    if (!this.#open.delete(id)) return 'an answer to no request';
    const isShown = asked === 'tools/list' && JSON.stringify(tools ?? []).includes('"name":"move_file"');
    return isShown ? 'a tool that is denied' : null;
  }
}

function heap(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  return process.memoryUsage().heapUsed;
}

/** What was done, and what is wrong. */
interface Count {
  sessions: number;
  messages: number;
  readonly wrong: string[];
}

function runLot(lot: number, count: Count): void {
  let watched = new Watched();
  for (const events of fc.sample(session, { seed: seed + lot, numRuns: LOT })) {
    if (lot % 2 === 0) watched = new Watched();
    count.sessions += 1;
    for (const { isClient, text, changes } of events) {
      const filled = text
        .replace('"@ID@"', watched.last.ID || '1')
        .replace(/@(ASK|STATE)@/, (_, name) => watched.last[name] ?? '');
      const given = edited(filled, changes);
      count.messages += 1;
      try {
        const found = watched.take(isClient, given);
        if (found !== null) count.wrong.push(`seed ${seed}, lot ${lot}: ${found}`);
      } catch (error) {
        count.wrong.push(`seed ${seed}, lot ${lot}: ${given} throws ${error}`);
      }
    }
  }
}

export async function* sessions(): AsyncGenerator<Row> {
  const begun = Date.now();
  const sizes: number[] = [];
  const count: Count = { sessions: 0, messages: 0, wrong: [] };
  for (let lot = 0; count.sessions < RUNS && Date.now() - begun < SECONDS * 1000 && count.wrong.length < 10; lot += 1) {
    runLot(lot, count);
    if (count.sessions === RUNS / 5 || count.sessions === RUNS) sizes.push(heap());
  }
  const { wrong } = count;
  const [early = 0, late = 0] = sizes;
  if (wrong.length === 0 && count.sessions < RUNS) wrong.push(`only ${count.sessions} sessions in ${SECONDS} s`);
  if (late > early * 1.1) wrong.push('memory grows');
  const size = [early, late].map((bytes) => (bytes / 1e6).toFixed(1));
  const seen = `${count.messages} messages, ${Watched.sent} of them sent on; heap ${size[0]} MB after a fifth, ${size[1]} MB at the end`;
  yield { name: `${count.sessions} mutated sessions, seed ${seed}`, seen, wrong };
}
