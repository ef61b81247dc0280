/** Programs in a terminal of their own, at which a test types. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { stripVTControlCharacters } from 'node:util';

/** The program of util-linux that runs a command in a terminal of its own. */
const MAKER = 'script';

export interface Terminal {
  readonly child: ChildProcess;
  type(keys: string): void;
  /** All that was drawn so far, escape sequences and all. */
  raw(): string;
  /** The words of it. */
  text(): string;
  readonly ended: Promise<number | null>;
}

/** Whether there are such terminals here. */
export function hasTerminals(): boolean {
  const { error, stdout } = spawnSync(MAKER, ['-qec', 'test -t 0 && echo yes', '/dev/null'], { encoding: 'utf8', input: '' });
  return process.platform === 'linux' && error === undefined && stdout.includes('yes');
}

/** Runs a line of shell there. */
export function inTerminal(line: string, cwd: string, env: Readonly<Record<string, string>>): Terminal {
  const child = spawn(MAKER, ['-qefc', `stty rows 40 cols 120; ${line}`, '/dev/null'], {
    cwd,
    env: { TERM: 'xterm-256color', SHELL: '/bin/sh', LC_ALL: 'C.UTF-8', ...env },
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  let drawn = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    drawn += text;
  });
  const ended = new Promise<number | null>((done, fail) => {
    child.once('error', fail);
    child.once('close', done);
  });
  return {
    ...{ child, ended },
    type: (keys) => child.stdin.write(keys),
    raw: () => drawn,
    text: () => stripVTControlCharacters(drawn).replaceAll('\r', ''),
  };
}
