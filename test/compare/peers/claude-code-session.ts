/** Runs in the sandbox: `node claude-code-session.js PROGRAM`, lines as JSON on standard input, verdicts as JSON on standard output. */
import { chmodSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startMockModel } from '../../e2e/mock-model.js';
import type { Verdict } from '../peer.js';
import { outputOf } from '../programs.js';

/** What the shell says instead of running a line; in two pieces in its text, so that no line of it is taken for its output. */
const STARTED = 'SHELL-WAS-STARTED';
/** The client lets it pass under every configuration: it tells that the shell is ours. */
const HARMLESS = 'pwd';
const QUIET = ['DISABLE_TELEMETRY', 'DISABLE_AUTOUPDATER', 'DISABLE_ERROR_REPORTING', 'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC'];

interface Block {
  readonly type: string;
  readonly content?: unknown;
}

interface Request {
  readonly messages?: readonly { readonly content: string | readonly Block[] }[];
}

const [, , program = ''] = process.argv;
const lines = JSON.parse(readFileSync(0, 'utf8')) as readonly string[];
process.stdout.write(JSON.stringify(await verdictsOf([HARMLESS, ...lines])));

async function verdictsOf(asked: readonly string[]): Promise<readonly Verdict[]> {
  const shell = join(process.env.TMPDIR ?? '', 'bash');
  writeFileSync(shell, `#!/bin/sh\necho "${STARTED.slice(0, 5)}""${STARTED.slice(5)}"\n`);
  chmodSync(shell, 0o755);
  const model = await startMockModel({
    main: asked.map((command) => [{ tool: 'Bash', input: { command, description: 'd' } }]),
  });
  const environment = {
    ...(process.env as Record<string, string>),
    ...Object.fromEntries(QUIET.map((name) => [name, '1'])),
    ...{ ANTHROPIC_BASE_URL: model.url, ANTHROPIC_API_KEY: 'sk-ant-none', CLAUDE_CODE_SHELL: shell, SHELL: shell },
  };
  await outputOf(program, ['-p', 'SCENARIO:main'], { cwd: process.cwd(), environment });
  const results = resultsIn(model.requests);
  await model.close();
  if (results.length !== asked.length) throw new Error(`${results.length} results of ${asked.length} calls`);
  const [first, ...verdicts] = results.map((text): Verdict => (text.includes(STARTED) ? 'run' : 'stop'));
  if (first !== 'run') throw new Error(`the client did not use the shell that runs nothing: ${results[0]}`);
  return verdicts;
}

/** The results of all calls, in order, from the longest conversation that the model was sent. */
function resultsIn(requests: readonly string[]): string[] {
  const conversations = requests.map((text) =>
    ((JSON.parse(text) as Request).messages ?? [])
      .flatMap(({ content }) => (typeof content === 'string' ? [] : content))
      .filter(({ type }) => type === 'tool_result')
      .map(({ content }) => JSON.stringify(content)),
  );
  return conversations.reduce((longest, one) => (one.length > longest.length ? one : longest), []);
}
