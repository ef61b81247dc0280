/** A real client in a terminal, started by `policy run` without a goal: a person types the prompt, and answers what the client asks. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { RunnerId } from '../../../src/call/tool-call.js';
import { inTerminal, type Terminal } from '../../cli/pty.js';
import { type Client, prompt } from '../client.js';
import { inWorld, leftBehind, MODELS, PRESET, type World } from './world.js';

export const AT_TERMINAL = 'at a terminal, a typed prompt leads to calls that are judged, and the terminal is as before';

/** What a client has drawn that may be silent for a while before. */
const DRAWN: Readonly<Partial<Record<RunnerId, RegExp>>> = {
  'gemini-cli': /Type your message/,
  'qwen-code': /Type your message/,
  opencode: /Ask\s*anything/,
};
const DOWN = '\u001b[B';
/** What the client wants to know before it starts to work, and the keys that say yes. */
const FIRST: readonly (readonly [asks: RegExp, keys: string])[] = [
  [/Trust\s*all\s*and\s*continue/, DOWN],
  [/Do you trust|Confirm folder trust/, ''],
];
const QUESTION = /Do\s*you\s*want\s*to\s*(?:proceed|run)|Allow\s*execution/g;
const EXIT: Readonly<Partial<Record<RunnerId, string>>> = { codex: '/quit', 'gemini-cli': '/quit', 'qwen-code': '/quit' };
/** Seconds until the client has to draw, and until the calls have to be made. */
const PATIENCE = 60;

/** What is wrong; null: it holds. */
export async function tryTerminal(client: Client, program: string): Promise<string | null> {
  const scenarios = { main: [[client.shell('echo ran > made')], [client.shell('touch denied')]] };
  return await inWorld(client, program, scenarios, async (world) => {
    if (client.runner === 'claude-code') world.write('.claude.json', JSON.stringify(KNOWN(world.project)));
    const model = MODELS[client.runner] === undefined ? '' : `--model ${MODELS[client.runner]}`;
    const run = `${process.execPath} ${resolve('bin/policy.js')} run --runner ${client.runner} --preset ${PRESET[client.runner] ?? 'safe'} ${model}`;
    const line = `stty -a > ${world.base}/before; ${run}; echo $? > ${world.base}/code; stty -a > ${world.base}/after`;
    const terminal = inTerminal(line, world.project, world.environment);
    try {
      return (await worked(client, world, terminal)) ?? wrongAfter(world, terminal);
    } finally {
      terminal.child.kill('SIGKILL');
    }
  });
}

/** Claude Code asks at its first start how it is to look, and whether key and folder are trusted. */
const KNOWN = (project: string) => ({
  hasCompletedOnboarding: true,
  theme: 'dark',
  customApiKeyResponses: { approved: ['sk-ant-none'], rejected: [] },
  projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
});

async function worked(client: Client, world: World, terminal: Terminal): Promise<string | null> {
  const drawn = DRAWN[client.runner] ?? /./;
  for (let second = 0; !drawn.test(terminal.text()) && second < PATIENCE; second += 1) await pause(1_000);
  await quiet(terminal, 5_000);
  for (const [asks, keys] of FIRST)
    if (asks.test(terminal.text())) {
      if (keys !== '') terminal.type(keys);
      await press(terminal);
      await quiet(terminal, 3_000);
    }
  terminal.type(prompt('main'));
  await press(terminal);
  let answered = 0;
  for (let second = 0; !isDenied(world); second += 1) {
    if (second > PATIENCE) return `the calls were not made:\n${terminal.text().slice(-2_000)}`;
    const asked = terminal.text().match(QUESTION)?.length ?? 0;
    if (asked > answered) await press(terminal);
    answered = asked;
    await pause(1_000);
  }
  await quiet(terminal, 3_000);
  terminal.type(EXIT[client.runner] ?? '/exit');
  await press(terminal);
  const isOver = await Promise.race([terminal.ended.then(() => true), pause(30_000).then(() => false)]);
  return isOver ? null : `it does not end:\n${terminal.text().slice(-2_000)}`;
}

function wrongAfter({ base, home, project }: World, terminal: Terminal): string | null {
  const [before, code, after] = ['before', 'code', 'after'].map((name) => readFileSync(join(base, name), 'utf8'));
  const left = leftBehind(home);
  if (code !== '0\n') return `exit code ${code}${terminal.text().slice(-1_000)}`;
  if (!existsSync(join(project, 'made'))) return 'the allowed call did not run';
  if (existsSync(join(project, 'denied'))) return 'the denied call ran';
  if (!/\u25a0 completed after .*calls: 1 allowed, 0 asked, 1 denied/.test(terminal.text()))
    return `it ends with ${terminal.text().slice(-500)}`;
  if (before !== after) return `the terminal was\n${before}and is\n${after}`;
  if (left.length > 0) return `processes go on: ${left.join('; ')}`;
  return readdirSync(join(home, '.local/state/policy/launched')).length === 0 ? null : 'its turn is not given back';
}

/** Whether the second call was denied. */
function isDenied({ home }: World): boolean {
  const folder = join(home, '.local/state/policy/log');
  return readdirSync(folder)
    .filter((name) => name.endsWith('.jsonl'))
    .some((name) => /"decision":"deny".*"run":|"run":.*"decision":"deny"/.test(readFileSync(join(folder, name), 'utf8')));
}

async function press(terminal: Terminal): Promise<void> {
  // What is typed at once is a paste to some clients.
  await pause(700);
  terminal.type('\r');
}

/** Waits until nothing was drawn for a while. */
async function quiet(terminal: Terminal, milliseconds: number): Promise<void> {
  for (let waited = 0, drawn = -1; waited < PATIENCE * 1_000 && drawn !== terminal.raw().length; waited += milliseconds) {
    drawn = terminal.raw().length;
    await pause(milliseconds);
  }
}

function pause(milliseconds: number): Promise<void> {
  return new Promise((done) => {
    setTimeout(done, milliseconds);
  });
}
