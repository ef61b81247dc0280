/** A client on standard input and output, a server, and the policy between them. */
import { Lines } from './session/lines.js';
import { Session, type SessionOptions, type Step } from './session/session.js';
import type { Connect } from './session/upstream.js';

export interface StdioOptions extends SessionOptions {
  readonly connect: Connect;
  /** Gets a sentence about whatever cannot be told in the protocol: a message that was not passed on, or how the server ended. */
  readonly warn: (why: string) => void;
}

/** Exit codes: the client left, or the server ended first. */
const ENDED = { byClient: 0, byServer: 1 } as const;

/**
 * Serves until the client leaves or the server ends; resolves to the exit code. What the server still answers when the client has said
 * its last word is passed on. No process of the server is left.
 */
export function serveStdio(options: StdioOptions): Promise<number> {
  return new Promise((resolve) => {
    let isLeaving = false;
    let left: Promise<void> | null = null;
    const session = new Session(options);
    const take = (step: Step) => {
      // Nothing piles up here: a slow server holds up the client, and Node.js waits while a pipe to a slow client is full.
      if (step.to === 'server') {
        if (!server.send(step.message, step.text)) process.stdin.pause();
      } else if (step.to === 'client') process.stdout.write(`${step.text}\n`);
      else options.warn(`not passed on: ${step.why}`);
    };
    const server = options.connect({
      received: (text, about) => take(session.fromServer(text, about)),
      schemaOf: (tool) => session.schemaOf(tool),
      drained: () => process.stdin.resume(),
      ended: (why, started) => {
        session.close(why).forEach(take);
        const isFailure = !isLeaving || !started;
        if (isFailure) options.warn(why);
        const code = isFailure ? ENDED.byServer : ENDED.byClient;
        process.stdin.destroy();
        void (left ?? server.end()).then(() => resolve(code));
      },
    });
    const leave = () => {
      isLeaving = true;
      left ??= server.end();
    };
    /** Who asks twice does not want to wait. */
    const signalled = () => {
      if (isLeaving) server.kill();
      leave();
    };
    const lines = new Lines((text) => take(session.fromClient(text)), leave);
    // A bug must not leave a server behind that nobody judges.
    process.once('uncaughtException', (error) => {
      options.warn(`it failed (internal/uncaught: ${error.message})`);
      server.kill();
      session.close('policy mcp gateway failed');
      process.exit(ENDED.byServer);
    });
    process.stdin.on('data', (chunk: Buffer) => lines.take(chunk));
    process.stdin.once('end', leave);
    process.stdin.once('error', leave);
    process.stdout.once('error', leave);
    for (const signal of ['SIGTERM', 'SIGINT', 'SIGHUP'] as const) process.on(signal, signalled);
  });
}
