/** `policy mcp serve`: governed tools on standard input and output, for agents without hooks. */
import { VERSION } from '../../generated/build.js';
import { type GatewayProcess, standing } from '../gateway.js';
import { type JudgeOptions, judgeOf, showingOf } from '../judge.js';
import { isRecord, readMessage } from '../protocol/message.js';
import { Lines } from '../session/lines.js';
import { type Judge, Session, type SessionOptions, type Step } from '../session/session.js';
import type { ServeOptions } from './options.js';
import { withRealPaths } from './place.js';
import { ToolServer } from './server.js';
import { alikeCalls, SERVER, TOOLS } from './tools.js';

/** Exit codes: the client left, or a bug ended the server. */
const ENDED = { byClient: 0, byBug: 1 } as const;
/** Calls that run at a time; more wait until some have ended. */
const MOST_RUNNING = 16;

/** Serves until the client leaves, and the calls that it has made have ended. Resolves to the exit code. */
export function runServe(options: ServeOptions, own: GatewayProcess): Promise<number> {
  const { warn, ...where } = standing(options, own, 'serve');
  const { project } = where.places;
  // Calls are made at the top of the project, wherever the client was started.
  const stands = () => ({ project, folder: project });
  const here = { ...where, stands, cwd: project, places: { ...where.places, folder: project } };
  const tools = governedTools({ ...here, agent: options.agent, compile: own.compile, warn }, options.denyAs);
  return serve(tools, warn);
}

/** The tool server, and the session by which alone it is reached. */
export interface GovernedTools {
  readonly session: Session;
  readonly server: ToolServer;
}

export function governedTools(judging: Omit<JudgeOptions, 'server' | 'alike'>, denyAs: SessionOptions['denyAs']): GovernedTools {
  const options: JudgeOptions = { ...judging, server: SERVER, alike: alikeCalls };
  const { environment, places } = options;
  const { project } = places;
  const judge = byRealPaths(judgeOf(options), project);
  return {
    session: new Session({ judge, server: SERVER, denyAs, tools: TOOLS }),
    server: new ToolServer({ version: VERSION, project, environment, showing: showingOf(options), now: Date.now }),
  };
}

/** Lets each call be judged by where its paths lead, and be made there. */
function byRealPaths(judge: Judge, project: string): Judge {
  return {
    ...judge,
    judge: (given, meta) => {
      const call = withRealPaths(given, project);
      const verdict = judge.judge(call, meta);
      const isThere = TOOLS.some(({ name }) => name === call.tool);
      const denial =
        isThere || verdict.effect === 'deny' ? {} : ({ effect: 'deny', text: `there is no tool ${call.tool}` } as const);
      return { ...verdict, ...denial, call };
    },
    isDenied: (given) => judge.isDenied(withRealPaths(given, project)),
  };
}

function serve({ session, server }: GovernedTools, warn: (why: string) => void): Promise<number> {
  return new Promise((resolve) => {
    let running = 0;
    let hasLeft = false;
    const end = () => {
      if (!hasLeft || running > 0) return;
      session.close('the client left');
      resolve(ENDED.byClient);
    };
    const take = (step: Step) => {
      if (step.to === 'client') process.stdout.write(`${step.text}\n`);
      else if (step.to === 'nobody') warn(`not passed on: ${step.why}`);
      else answer(step);
    };
    const answer = ({ text, verdict }: Step & { readonly to: 'server' }) => {
      const message = readMessage(text, true);
      if (message.kind === 'notification' && message.method === 'notifications/cancelled' && isRecord(message.params))
        return server.cancel(message.params.requestId as string | number);
      if (message.kind !== 'request') return undefined;
      running += 1;
      if (running >= MOST_RUNNING) process.stdin.pause();
      return void server.answer(message, verdict ?? null).then((line) => {
        running -= 1;
        if (running < MOST_RUNNING) process.stdin.resume();
        take(session.fromServer(line));
        end();
      });
    };
    const leave = () => {
      hasLeft = true;
      end();
    };
    const stop = () => {
      server.stop();
      process.stdin.destroy();
      leave();
    };
    const lines = new Lines((text) => take(session.fromClient(text)), stop);
    // A bug must not leave a command behind that nobody waits for.
    process.once('uncaughtException', (error) => {
      warn(`it failed (internal/uncaught: ${error.message})`);
      server.stop();
      session.close('the server failed');
      setTimeout(() => process.exit(ENDED.byBug), 1_500);
    });
    process.stdin.on('data', (chunk: Buffer) => lines.take(chunk));
    process.stdin.once('end', leave);
    process.stdin.once('error', leave);
    process.stdout.once('error', stop);
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, stop);
  });
}
