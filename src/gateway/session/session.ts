/**
 * One client and one server of the Model Context Protocol with the policy between them, whatever carries their messages. What passes is
 * listed (protocol/methods.ts); a call passes when it was judged and logged. Each side gets only messages that this program has written.
 */
import { hexOf } from '../../log/record/bytes.js';
import { canonicalJson } from '../../log/record/canonical-json.js';
import { randomBytes } from '../../log/record/random.js';
import {
  CODES,
  errorTo,
  type Id,
  isRecord,
  type Members,
  type Message,
  messageText,
  type Request,
  readMessage,
  revisionOf,
  type Unread,
} from '../protocol/message.js';
import {
  CLIENT_NOTIFICATIONS,
  CLIENT_REQUESTS,
  type Judged,
  type MethodRule,
  REPEATED,
  SERVER_NOTIFICATIONS,
  SERVER_REQUESTS,
  wrongMembers,
} from '../protocol/methods.js';
import { ToolSchemas } from './tool-schemas.js';

/** The policy's answer to a call. `text` is the line for the agent; `end` logs how the call ended. */
export interface Verdict {
  readonly effect: 'allow' | 'ask' | 'deny';
  readonly text: string;
  readonly end: (result: 'success' | 'error' | 'denied', message: string | null) => void;
  /** The call as it was judged, where that is not its message: a path without links. */
  readonly call?: Judged;
  /** The policy's own decision, where `effect` may say what a person has answered to the runner, or what is only observed. */
  readonly decided?: 'allow' | 'ask' | 'deny';
}

/** What decides: see judge.ts. */
export interface Judge {
  /**
   * Decides and logs a call. Never throws: a call that cannot be judged is denied.
   * @param meta what the client's message says about itself, such as an id of the call
   */
  readonly judge: (call: Judged, meta: Members) => Verdict;
  /** Whether the policy denies a call as it is now: it may have changed while a person was asked. Logs nothing, never throws. */
  readonly isDenied: (call: Judged) => boolean;
  /** Returns those of the tools of which any call could be allowed: others are not listed. Never throws. */
  readonly visible: (tools: readonly string[]) => ReadonlySet<string>;
}

/** The form of a denial: a result with `isError` and the reason, an error of the protocol, or the answer of a server without that tool. */
export const DENIAL_FORMS = ['result', 'error', 'hidden'] as const;

/** See pins/check.ts. */
export interface ToolPins {
  readonly take: (tools: readonly unknown[]) => void;
  readonly changeOf: (tool: string) => string | null;
}

export interface SessionOptions {
  readonly judge: Judge;
  /** The server's name in rules. */
  readonly server: string;
  readonly denyAs: (typeof DENIAL_FORMS)[number];
  /** Tools whose arguments are checked before the server was asked for its list. */
  readonly tools?: readonly unknown[];
  /** Begins to compare the tools of a session with those that a person pinned; absent: nothing is compared. */
  readonly pins?: () => ToolPins;
}

/** What becomes of one message. */
export type Step =
  /** `about`: the client's request that it belongs to; null: none, or nobody knows. `text` is the message as one line. */
  | { readonly to: 'client'; readonly message: Message; readonly text: string; readonly about: Id | null }
  | { readonly to: 'server'; readonly message: Message; readonly text: string; readonly verdict?: Verdict | null }
  /** Nothing was sent, and the sender of the message cannot be told why. */
  | { readonly to: 'nobody'; readonly why: string };

/** A request of one side that the other has not answered yet. */
interface Waiting {
  readonly request: Request;
  readonly rule: MethodRule;
  readonly verdict: Verdict | null;
  /** See Judged. */
  readonly redefined?: string | undefined;
}

/** Most requests that wait at a time, in each direction, and most tasks that are remembered. */
const MOST_WAITING = 10_000;
/** Most tools of one page; more are not listed. */
const MOST_TOOLS = 10_000;
const TOOL_NAME = /^[A-Za-z0-9_./-]{1,128}$/;
const CAPABILITIES = 'io.modelcontextprotocol/clientCapabilities';

export class Session {
  readonly #options: SessionOptions;
  /** Requests of the client that the server has, and those that a person is asked about; by id. */
  readonly #fromClient = new Map<Id, Waiting>();
  readonly #fromServer = new Map<Id, Waiting>();
  /** Questions of this program to the person, by their ids. */
  readonly #asked = new Map<Id, Waiting>();
  /** The same from 2026-07-28, by the `requestState` with which the client repeats the call. */
  readonly #toRepeat = new Map<string, Waiting>();
  readonly #tasks = new Set<string>();
  readonly #schemas = new ToolSchemas();
  readonly #pins: ToolPins | null;
  /** Begins the ids of this program's own requests; no server can know it. */
  readonly #own = `policy-${hexOf(randomBytes(16))}-`;
  #asks = 0;
  #canElicit = false;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#pins = options.pins?.() ?? null;
    this.#schemas.take(options.tools ?? []);
  }

  /** The input schema that the server listed for a tool. */
  schemaOf(tool: string): object | undefined {
    return this.#schemas.schemaOf(tool);
  }

  /** Takes one message of the client, as its text or as it was read. */
  fromClient(given: string | Message | Unread): Step {
    const message = typeof given === 'string' ? readMessage(given, true) : given;
    switch (message.kind) {
      case 'unread':
        return toClient(refusalOf(message), message.id);
      case 'request':
        return this.#requested(message);
      case 'notification':
        return this.#notified(message.method, message.params);
      default:
        return this.#answered(message);
    }
  }

  /**
   * Takes one message of the server.
   * @param about the client's request that it came with, where the transport tells
   */
  fromServer(text: string, about: Id | null = null): Step {
    const message = readMessage(text, false);
    switch (message.kind) {
      case 'unread':
        if (message.id !== null && this.#atServer(message.id) !== undefined) return this.#unreadable(message.id, message.why);
        return nobody(`the server sent something that is not a message: ${message.why}`);
      case 'request':
        return this.#requestedByServer(message, about);
      case 'notification':
        if (!SERVER_NOTIFICATIONS.has(message.method)) return nobody(`the server sent ${message.method}`);
        if (message.method === 'notifications/cancelled') this.#takenBack(message.params?.requestId as Id);
        return toClient(message, about);
      default:
        return this.#answeredByServer(message);
    }
  }

  /** Ends the session: whatever the client still waits for gets an error, and each call that was logged its end. */
  close(why: string): readonly Step[] {
    const waiting = [...this.#fromClient];
    const asked = new Set(this.#asked.values());
    for (const { verdict } of this.#toRepeat.values()) verdict?.end('denied', UNANSWERED);
    for (const { verdict } of this.#fromServer.values()) verdict?.end('error', why);
    for (const one of [this.#fromClient, this.#asked, this.#toRepeat, this.#fromServer]) one.clear();
    return waiting.map(([id, one]) => {
      if (asked.has(one)) one.verdict?.end('denied', UNANSWERED);
      else one.verdict?.end('error', why);
      return toClient(errorTo(id, CODES.closed, why), id);
    });
  }

  #requested(request: Request): Step {
    const { id, method, params } = request;
    const refuse = (code: number, why: string) => toClient(errorTo(id, code, `policy refused ${method}: ${why}`), id);
    const rule = CLIENT_REQUESTS.get(method);
    if (rule === undefined) return refuse(CODES.method, 'it is not a protocol method that policy knows');
    if (this.#fromClient.has(id)) return refuse(CODES.request, 'its id belongs to another request');
    if (this.#fromClient.size >= MOST_WAITING) return refuse(CODES.closed, 'too many requests are waiting for an answer');
    const wrong = wrongMembers(params, rule);
    if (wrong !== null) return refuse(CODES.params, wrong);
    if (method === 'initialize') this.#canElicit = elicits(params?.capabilities);
    if (rule.how === 'task' && !this.#tasks.has(String(params?.taskId))) {
      // 2026-07-28 has this method no longer.
      const code = method === 'tasks/result' && revisionOf(request) !== null ? CODES.method : CODES.params;
      return refuse(code, 'no call in this session made that task');
    }
    if (rule.how !== 'call') return this.#pass({ request, rule, verdict: null });
    if (method === 'tools/call' && !(typeof params?.name === 'string' && TOOL_NAME.test(params.name)))
      return refuse(CODES.params, 'its name is not a tool name');
    if (method === 'tools/call' && params?.arguments !== undefined && !isRecord(params.arguments))
      return refuse(CODES.params, 'its arguments are not an object');
    const mistake = method === 'tools/call' ? this.#schemas.mistake(String(params?.name), params?.arguments ?? {}) : null;
    if (mistake !== null) return refuse(CODES.params, mistake);
    return this.#judge(request, rule);
  }

  #judge(request: Request, rule: MethodRule): Step {
    const params = request.params ?? {};
    const { requestState } = params;
    if (typeof requestState === 'string' && requestState.startsWith(this.#own)) return this.#repeated(request, requestState);
    const call = this.#callOf(request, rule);
    if (call === null) return this.#pass({ request, rule, verdict: null });
    const meta = isRecord(params._meta) ? params._meta : {};
    const verdict = this.#options.judge.judge(call, meta);
    const waiting = { request, rule, verdict, redefined: call.redefined };
    if (verdict.effect === 'allow' || (verdict.effect === 'ask' && rule.isAnswered)) return this.#pass(waiting);
    if (verdict.effect === 'ask' && elicits(meta[CAPABILITIES])) return this.#askToRepeat(waiting);
    if (verdict.effect === 'ask' && this.#canElicit) return this.#ask(waiting);
    return this.#deny(waiting, verdict.effect === 'ask' ? `${verdict.text}; this client cannot ask the person` : verdict.text);
  }

  /** Returns what is judged, null if nothing is. A tool is what the server says of it in this session. */
  #callOf({ method, params }: Request, rule: MethodRule): Judged | null {
    const call = rule.judged?.(params ?? {}) ?? null;
    const redefined = call === null || method !== 'tools/call' ? null : (this.#pins?.changeOf(call.tool) ?? null);
    return call === null || redefined === null ? call : { ...call, redefined };
  }

  #pass(waiting: Waiting): Step {
    const { request, verdict } = waiting;
    this.#fromClient.set(request.id, waiting);
    return toServer(request, verdict);
  }

  #deny({ request, verdict }: Waiting, text: string): Step {
    verdict?.end('denied', text);
    return toClient(denialOf(request, text, this.#options.denyAs), request.id);
  }

  /** Asks the person through the client (from 2025-06-18). */
  #ask(waiting: Waiting): Step {
    const id = this.#ownId();
    this.#asked.set(id, waiting);
    this.#fromClient.set(waiting.request.id, waiting);
    return toClient({ kind: 'request', id, ...questionAbout(waiting) }, waiting.request.id);
  }

  /** Asks the person by a result that is no end (from 2026-07-28): the client repeats the call with the answer. */
  #askToRepeat(waiting: Waiting): Step {
    const [oldest] = this.#toRepeat.size >= MOST_WAITING ? this.#toRepeat : [];
    if (oldest !== undefined) {
      this.#toRepeat.delete(oldest[0]);
      oldest[1].verdict?.end('denied', UNANSWERED);
    }
    const requestState = this.#ownId();
    this.#toRepeat.set(requestState, waiting);
    const { method, params } = questionAbout(waiting);
    const inputRequests = { [QUESTION]: { method, params: { mode: 'form', ...params } } };
    const result = { resultType: 'input_required', inputRequests, requestState };
    return toClient({ kind: 'result', id: waiting.request.id, result }, waiting.request.id);
  }

  /** Passes a repeated call if the person agreed, and if it is the call that the question was about. */
  #repeated(request: Request, requestState: string): Step {
    const { inputResponses, requestState: _, ...params } = request.params ?? {};
    const waiting = this.#toRepeat.get(requestState);
    this.#toRepeat.delete(requestState);
    const asked = waiting?.request.params;
    const isSame = canonicalJson(callIn(params)) === canonicalJson(callIn(asked ?? {}));
    if (waiting === undefined || waiting.request.method !== request.method || !isSame)
      return toClient(errorTo(request.id, CODES.params, `policy refused ${request.method}: nobody was asked`), request.id);
    const answer = isRecord(inputResponses) ? inputResponses[QUESTION] : undefined;
    // What the client said to a question of the server before this one is the server's.
    const before = Object.fromEntries(Object.entries(asked ?? {}).filter(([name]) => REPEATED.includes(name)));
    const again = { ...waiting, request: { ...request, params: { ...params, ...before } } };
    if (isRecord(answer) && answer.action === 'accept') return this.#agreed(again);
    return this.#deny(again, `${waiting.verdict?.text ?? ''}; the person did not agree`);
  }

  /** Passes a call that the person agreed to, unless the policy denies it by now, or the tool is another one by now. */
  #agreed(waiting: Waiting): Step {
    const call = this.#callOf(waiting.request, waiting.rule);
    if (call?.redefined !== undefined && call.redefined !== waiting.redefined)
      return this.#deny(waiting, `policy denies this call: ${call.redefined}, and the person was not asked about it`);
    const isDenied = call !== null && this.#options.judge.isDenied(call);
    return isDenied ? this.#deny(waiting, 'policy now denies this call: its rules have changed') : this.#pass(waiting);
  }

  #ownId(): string {
    this.#asks += 1;
    return `${this.#own}${this.#asks}`;
  }

  #notified(method: string, params: Members | undefined): Step {
    if (!CLIENT_NOTIFICATIONS.has(method)) return nobody(`the client sent ${method}`);
    if (method === 'notifications/cancelled') {
      const id = params?.requestId as Id;
      const question = [...this.#asked].find(([, { request }]) => request.id === id);
      if (question !== undefined) {
        this.#asked.delete(question[0]);
        this.#fromClient.delete(id);
        question[1].verdict?.end('denied', 'cancelled');
        return nobody('the client cancelled a call while the person was being asked');
      }
      const cancelled = this.#fromClient.get(id);
      if (cancelled === undefined) return nobody('the client cancelled a request that it did not make');
      // The server need not answer any more, and nobody waits.
      this.#fromClient.delete(id);
      cancelled.verdict?.end('error', 'cancelled');
    }
    return toServer({ kind: 'notification', method, params });
  }

  /** Takes the client's response: to a question of this program, or to a request of the server. */
  #answered(message: Message & { kind: 'result' | 'error' }): Step {
    const { id } = message;
    const question = id === null ? undefined : this.#asked.get(id);
    if (id !== null && question !== undefined) {
      this.#asked.delete(id);
      this.#fromClient.delete(question.request.id);
      if (message.kind === 'result' && message.result.action === 'accept') return this.#agreed(question);
      return this.#deny(question, `${question.verdict?.text ?? ''}; the person did not agree`);
    }
    const waiting = id === null ? undefined : this.#fromServer.get(id);
    if (id === null || waiting === undefined) return nobody('the client answered a request that nobody made');
    this.#fromServer.delete(id);
    waiting.verdict?.end(...endOf(message));
    return toServer(message);
  }

  #requestedByServer(request: Request, about: Id | null): Step {
    const { id, method, params } = request;
    const refuse = (code: number, why: string) => toServer(errorTo(id, code, `policy refused ${method}: ${why}`));
    const rule = SERVER_REQUESTS.get(method);
    if (rule === undefined) return refuse(CODES.method, 'it is not a server request that policy knows');
    if (this.#fromServer.has(id)) return refuse(CODES.request, 'its id belongs to another request');
    if (this.#fromServer.size >= MOST_WAITING) return refuse(CODES.closed, 'too many requests are waiting for an answer');
    const wrong = wrongMembers(params, rule);
    if (wrong !== null) return refuse(CODES.params, wrong);
    const call = rule.judged?.(params ?? {}) ?? null;
    const verdict = call === null ? null : this.#options.judge.judge(call, {});
    if (verdict !== null && verdict.effect !== 'allow' && !(verdict.effect === 'ask' && rule.isAnswered)) {
      verdict.end('denied', verdict.text);
      return refuse(CODES.denied, verdict.text);
    }
    this.#fromServer.set(id, { request, rule, verdict });
    return toClient(method === 'elicitation/create' ? this.#labelled(request) : request, about);
  }

  /** The server needs no answer to its request any more. */
  #takenBack(id: Id): void {
    this.#fromServer.get(id)?.verdict?.end('error', 'cancelled');
    this.#fromServer.delete(id);
  }

  /** A person has to see who asks: the server could otherwise speak in the name of this program or of the client. */
  #labelled(request: Request): Request {
    const text = typeof request.params?.message === 'string' ? request.params.message : '';
    return { ...request, params: { ...request.params, message: `[MCP server ${this.#options.server}] ${text}` } };
  }

  /** The request of the client with this id that the server has, and can answer: not one that a person is asked about. */
  #atServer(id: Id): Waiting | undefined {
    const waiting = this.#fromClient.get(id);
    return waiting !== undefined && [...this.#asked.values()].includes(waiting) ? undefined : waiting;
  }

  #answeredByServer(given: Message & { kind: 'result' | 'error' }): Step {
    const { id } = given;
    const waiting = id === null ? undefined : this.#atServer(id);
    if (id === null || waiting === undefined) return nobody('the server answered a request that nobody made');
    const message = this.#asking(given);
    if (message === null) return this.#unreadable(id, 'it asks something that the policy does not allow');
    this.#fromClient.delete(id);
    waiting.verdict?.end(...endOf(message));
    if (message.kind === 'error') return toClient(message, id);
    const { result } = message;
    if (isRecord(result.task) && typeof result.task.taskId === 'string' && this.#tasks.size < MOST_WAITING)
      this.#tasks.add(result.task.taskId);
    return toClient({ kind: 'result', id, result: this.#filtered(waiting.request.method, result) }, id);
  }

  /** Tells the client that the server's answer cannot be passed on. */
  #unreadable(id: Id, why: string): Step {
    this.#fromClient.get(id)?.verdict?.end('error', why);
    this.#fromClient.delete(id);
    return toClient(errorTo(id, CODES.closed, `policy cannot pass on the server's answer: ${why}`), id);
  }

  /**
   * Returns the server's questions in a result or an error, judged and with its name, as its requests are; null if one must not pass.
   * They end with the answer that they are in: what the client says to them belongs to another call.
   * @param questions each with its method and params
   */
  #questions(questions: readonly (readonly [key: string, question: unknown])[]): Members | null {
    const verdicts: Verdict[] = [];
    const passed = this.#passed(questions, verdicts);
    for (const { end } of verdicts) end(passed === null ? 'denied' : 'success', passed === null ? 'it was not passed on' : null);
    return passed;
  }

  #passed(questions: readonly (readonly [key: string, question: unknown])[], verdicts: Verdict[]): Members | null {
    const passed = new Map<string, unknown>();
    for (const [key, question] of questions) {
      if (!isRecord(question) || typeof question.method !== 'string' || !isRecord(question.params ?? {})) return null;
      const { method, params = {}, ...more } = question;
      const request: Request = { kind: 'request', id: key, method, params: params as Members };
      const rule = SERVER_REQUESTS.get(method);
      if (key === QUESTION || Object.keys(more).length > 0 || rule === undefined || wrongMembers(request.params, rule))
        return null;
      const call = rule.judged?.(request.params ?? {}) ?? null;
      const verdict = call === null ? null : this.#options.judge.judge(call, {});
      if (verdict !== null) verdicts.push(verdict);
      if (verdict?.effect === 'deny' || (verdict?.effect === 'ask' && !rule.isAnswered)) return null;
      passed.set(key, { method, params: (method === 'elicitation/create' ? this.#labelled(request) : request).params });
    }
    return Object.fromEntries(passed);
  }

  /** Returns an answer of the server with its questions as they may pass; null if one must not. */
  #asking(message: Message & { kind: 'result' | 'error' }): (Message & { kind: 'result' | 'error' }) | null {
    if (message.kind === 'result') {
      const { inputRequests } = message.result;
      if (inputRequests === undefined || inputRequests === null) return message;
      const passed = isRecord(inputRequests) ? this.#questions(Object.entries(inputRequests)) : null;
      return passed && { ...message, result: { ...message.result, inputRequests: passed } };
    }
    const { data } = message.error;
    if (!isRecord(data) || data.elicitations === undefined) return message;
    const given = Array.isArray(data.elicitations) ? data.elicitations : [null];
    const passed = this.#questions(given.map((params, at) => [`${at}`, { method: 'elicitation/create', params }]));
    if (passed === null) return null;
    const elicitations = Object.values(passed).map((one) => (one as Members).params);
    return { ...message, error: { ...message.error, data: { ...data, elicitations } } };
  }

  /** Returns the result of a list, without the tools that no call of this agent could use, and without the tasks of others. */
  #filtered(method: string, result: Members): Members {
    if (method === 'tools/list') {
      const tools = (Array.isArray(result.tools) ? result.tools : []).slice(0, MOST_TOOLS);
      this.#pins?.take(tools);
      const named = tools.filter((tool) => isRecord(tool) && typeof tool.name === 'string' && TOOL_NAME.test(tool.name));
      const names = this.#options.judge.visible(named.map(({ name }) => name));
      const visible = named.filter(({ name }) => names.has(name));
      this.#schemas.take(visible);
      return privately({ ...result, tools: visible });
    }
    if (method !== 'tasks/list') return result;
    const tasks = Array.isArray(result.tasks) ? result.tasks : [];
    return privately({ ...result, tasks: tasks.filter((task) => isRecord(task) && this.#tasks.has(String(task.taskId))) });
  }
}

/** The answer to a text that is no message. */
export function refusalOf({ id, code, why }: Unread): Message {
  return errorTo(id, code, `policy refused the message: ${why}`);
}

function toClient(message: Message, about: Id | null): Step {
  return { to: 'client', message, text: messageText(message), about };
}

function toServer(message: Message, verdict: Verdict | null = null): Step {
  return { to: 'server', message, text: messageText(message), verdict };
}

function nobody(why: string): Step {
  return { to: 'nobody', why };
}

/** What a request says of its call: everything but what belongs to its own message, and what the client said to the server before. */
function callIn({ _meta: _, inputResponses: __, requestState: ___, ...call }: Members): Members {
  return call;
}

const UNANSWERED = 'the person did not answer';

/** The name of this program's question among those of one result. */
const QUESTION = 'policy';

function questionAbout({ verdict }: Waiting) {
  const params = { message: verdict?.text ?? '', requestedSchema: { type: 'object', properties: {} } };
  return { method: 'elicitation/create', params };
}

/** A list that was made for one agent must not be given to another by a cache (2026-07-28). */
function privately(result: Members): Members {
  return 'cacheScope' in result ? { ...result, cacheScope: 'private' } : result;
}

/** Whether a client's capabilities let a server ask the person. */
function elicits(capabilities: unknown): boolean {
  return (
    isRecord(capabilities) &&
    isRecord(capabilities.elicitation) &&
    !('url' in capabilities.elicitation && !('form' in capabilities.elicitation))
  );
}

/** How a call ended, by its answer. */
function endOf(answer: Message & { kind: 'result' | 'error' }): Parameters<Verdict['end']> {
  if (answer.kind === 'error') return ['error', String(answer.error.message)];
  return answer.result.isError === true ? ['error', firstText(answer.result)] : ['success', null];
}

function firstText({ content }: Members): string | null {
  const [first]: unknown[] = Array.isArray(content) ? content : [];
  return isRecord(first) && typeof first.text === 'string' ? first.text : null;
}

function denialOf({ id, method, params }: Request, text: string, form: SessionOptions['denyAs']): Message {
  if (method !== 'tools/call') return errorTo(id, CODES.denied, text);
  if (form === 'hidden') return errorTo(id, CODES.params, `Unknown tool: ${params?.name}`);
  if (form === 'error') return errorTo(id, CODES.denied, text);
  // A result says what it is from 2026-07-28, when each request names its revision.
  const result = {
    ...(revisionOf({ params }) !== null && { resultType: 'complete' }),
    content: [{ type: 'text', text }],
    isError: true,
  };
  return { kind: 'result', id, result };
}
