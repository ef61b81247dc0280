// Run contexts, requests and processes for the tests of the record of running agents.
import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createInterface, type Interface } from 'node:readline';
import type { Admission, RunContext, RunRequest } from '../../src/run/admission.js';
import { timestampOf } from '../../src/run/moment.js';
import { identityOf, processTable } from '../../src/run/process-identity.js';

export const PROJECT = '/home/user/project';

/** A run context of this process; the runner is the process that started it. */
export function runContextFor(file: string, more: Partial<RunContext> = {}): RunContext {
  const table = processTable(process.platform);
  return {
    file,
    now: () => timestampOf(Date.now(), performance.timeOrigin + performance.now()),
    table,
    hook: identityOf(process.pid, table),
    holder: identityOf(process.ppid, table),
    pause: (milliseconds) => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, milliseconds);
    },
    ...more,
  };
}

export function request(more: Partial<RunRequest>): RunRequest {
  return {
    agent: 'reviewer',
    runner: 'claude-code',
    session: 's',
    project: PROJECT,
    by: null,
    call: null,
    asked: false,
    ...more,
  };
}

const folders: string[] = [];
process.on('exit', () => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

/** A folder that is removed when the tests end. */
export function scratch(): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'policy-run-')));
  folders.push(folder);
  return folder;
}

/** A process of test/run/starter.ts. */
export class Starter {
  readonly child: ChildProcess;
  private readonly lines: AsyncIterator<string>;
  private readonly reader: Interface;

  constructor(command: readonly string[] = [process.execPath, resolve('build/test/run/starter.js')]) {
    const [program = '', ...args] = command;
    this.child = spawn(program, args, { stdio: ['pipe', 'pipe', 'inherit'] });
    if (this.child.stdout === null) throw new Error('no output');
    this.reader = createInterface({ input: this.child.stdout });
    this.lines = this.reader[Symbol.asyncIterator]();
  }

  async ask(order: Readonly<Record<string, unknown>>): Promise<Admission> {
    this.child.stdin?.write(`${JSON.stringify(order)}\n`);
    const { value } = await this.lines.next();
    return JSON.parse(String(value)) as Admission;
  }

  /** Ends it and waits until it is gone. */
  async end(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    const gone = new Promise((resolve) => {
      this.child.once('close', resolve);
    });
    this.child.kill(signal);
    await gone;
  }
}
