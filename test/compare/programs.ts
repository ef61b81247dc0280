/** Starts programs for the peers: bounded in time and output. */
import { spawn } from 'node:child_process';

/** Seconds that one program may take. */
const PATIENCE = 600;
const MOST_OUTPUT = 1 << 26;

export interface Started {
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly input?: string;
}

/** The standard output of a program; throws its last words when it does not end with 0. */
export function outputOf(program: string, args: readonly string[], { cwd, environment, input = '' }: Started): Promise<string> {
  return new Promise((done, reject) => {
    const child = spawn(program, args, { cwd, env: environment, stdio: 'pipe', timeout: PATIENCE * 1000, killSignal: 'SIGKILL' });
    let output = '';
    let errors = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      if (output.length > MOST_OUTPUT) child.kill('SIGKILL');
    });
    child.stderr.on('data', (chunk: Buffer) => (errors = `${errors}${chunk.toString()}`.slice(-2000)));
    // It may end before it has read everything.
    child.stdin.on('error', () => {});
    child.on('error', reject);
    child.on('close', (status) => {
      if (status === 0) done(output);
      else reject(new Error(`${program} ended with ${status}: ${errors.trim().split('\n').at(-1) ?? ''}`));
    });
    child.stdin.end(input);
  });
}

/** What a Node program, an ES module, answers to the lines: it gets them as JSON, and its last line of output is JSON. */
export async function answersOf(
  program: string,
  lines: readonly string[],
  { cwd, environment }: Started,
): Promise<readonly unknown[]> {
  const args = ['--input-type=module', '-e', program];
  const output = await outputOf(process.execPath, args, { cwd, environment, input: JSON.stringify(lines) });
  const answers: unknown = JSON.parse(output.trimEnd().split('\n').at(-1) ?? '');
  if (!Array.isArray(answers) || answers.length !== lines.length) throw new Error('it did not answer to every line');
  return answers;
}
