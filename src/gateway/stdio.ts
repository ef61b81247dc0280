/** `policy mcp gateway -- COMMAND`: a client on standard input and output, a server as a child process, and the policy between them. */
import { Lines } from './lines.js';
import { type ServerProcess, type ServerStart, startServer } from './server-process.js';
import { Session, type SessionOptions, type Step } from './session.js';

export interface StdioOptions extends SessionOptions, Pick<ServerStart, 'command' | 'words' | 'cwd' | 'environment' | 'named'> {
  /** Gets a sentence about whatever cannot be told in the protocol: a message that was not passed on, or how the server ended. */
  readonly warn: (why: string) => void;
}

/** Exit codes: the client left, or the server ended first. */
const ENDED = { byClient: 0, byServer: 1 } as const;

/** Serves until the client leaves or the server ends; resolves to the exit code. No process of the server is left. */
export function serveStdio(options: StdioOptions): Promise<number> {
  return new Promise((resolve) => {
    let isOver = false;
    let server: ServerProcess | null = null;
    const session = new Session(options);
    const take = (step: Step) => {
      if (step.to === 'server') server?.send(step.text);
      else if (step.to === 'client') process.stdout.write(`${step.text}\n`);
      else options.warn(`not passed on: ${step.why}`);
    };
    const finish = (code: number, why: string) => {
      if (isOver) return;
      isOver = true;
      session.close(why).forEach(take);
      process.stdin.destroy();
      void server?.end().then(() => resolve(code));
    };
    server = startServer({
      ...options,
      received: (text) => take(session.fromServer(text)),
      ended: (why) => {
        if (!isOver) options.warn(why);
        finish(ENDED.byServer, why);
      },
    });
    const left = () => finish(ENDED.byClient, 'the client has left');
    const lines = new Lines(
      (text) => take(session.fromClient(text)),
      () => finish(ENDED.byServer, 'the client sent a line that is too long'),
    );
    process.stdin.on('data', (chunk: Buffer) => lines.take(chunk));
    process.stdin.once('end', left);
    process.stdin.once('error', left);
    process.stdout.once('error', left);
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.once(signal, left);
  });
}
