/** `policy check --batch`: reads tool calls as JSON lines and writes one decision per line, in order. */

import { findRemedyDry, remedyLayer } from '../../author/remedy.js';
import { remedyLines } from '../../decide/remedy/remedy.js';
import type { Decision } from '../../decide/ruling/decision.js';
import { atMoment, hookSaid } from '../../enforce/enforce.js';
import { maskDecision, maskRemedy } from '../../log/record/mask-decision.js';
import { Moment } from '../../project/surroundings.js';
import type { OpenedWorkspace } from '../../project/workspace.js';
import { decisionAsJson } from '../../report/json.js';
import { callAsRun } from '../../runner/runners.js';
import { open, openAt, problemLine, tellNotes } from '../place/open.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { linesOf } from '../terminal/lines.js';
import { withProgress } from '../terminal/progress.js';
import { print } from '../terminal/terminal.js';
import { type Arguments, textFlag } from '../words/arguments.js';
import { type CallLine, type CallTemplate, callFromLine } from './call-line.js';
import { judgedCall } from './own-tools.js';

/** Maximum number of projects kept open at once; most lines are about the same one. */
const MOST_WORKSPACES = 16;

/**
 * Answers every line of standard input. A line that cannot be judged is denied in its place, so line n of the output is always
 * about line n of the input.
 * @returns 0; throws UsageError when standard input cannot be read or the policy of the command line has mistakes
 */
export async function checkBatch(args: Arguments, template: CallTemplate): Promise<ExitCode> {
  for (const name of ['tool', 'input', 'input-json'])
    if (textFlag(args, name) !== undefined)
      throw new UsageError(`--batch reads its calls from standard input; leave out ${name}`);
  if (process.stdin.isTTY) throw new UsageError('--batch reads JSON lines from standard input, which is a terminal');
  tellNotes(open(args, true).notes);
  const state: BatchState = { workspaces: new Map(), answers: new Map(), moment: new Moment() };
  const output = new Output(() => forget(state));
  await withProgress('policy check --batch', async (tick) => {
    let count = 0;
    try {
      for await (const line of readable(linesOf(noticingEnds(process.stdin, () => output.flush())))) {
        const answer = 'problem' in line ? badLine(line.problem) : answered(line.text, args, template, state);
        await output.add(`${answer}\n`);
        count += 1;
        // Answers printed on a terminal show the progress themselves.
        if (process.stdout.isTTY !== true) tick(`${count} calls decided`);
      }
    } finally {
      await output.flush();
    }
  });
  return EXIT.allow;
}

/** Lines that arrive together are judged as of the same moment, and share its facts. Workspaces stay open longer. */
interface BatchState {
  readonly workspaces: Map<string, OpenedWorkspace>;
  /** Answers by the text of their lines. */
  readonly answers: Map<string, string>;
  readonly moment: Moment;
}

function forget({ answers, moment }: BatchState): void {
  answers.clear();
  moment.pass();
}

/** Maximum length of a moment in milliseconds. Finished answers are written at its end, or once the answer in progress is found. */
const MOMENT_MS = 50;

/** Collects answers and writes them at the end of their moment. */
class Output {
  #text = '';
  #since = performance.now();
  readonly #passed: () => void;

  /** @param passed called when a moment ends */
  constructor(passed: () => void) {
    this.#passed = passed;
  }

  async add(text: string): Promise<void> {
    this.#text += text;
    if (performance.now() - this.#since > MOMENT_MS) await this.flush();
  }

  async flush(): Promise<void> {
    const text = this.#text;
    this.#text = '';
    if (text !== '') await print(text);
    this.#passed();
    this.#since = performance.now();
  }
}

/** Yields the chunks of a stream; calls `end` after each chunk has been processed, before waiting for the next. */
async function* noticingEnds<Chunk>(source: AsyncIterable<Chunk>, end: () => Promise<void>): AsyncGenerator<Chunk> {
  for await (const chunk of source) {
    yield chunk;
    await end();
  }
}

function badLine(why: string): string {
  return decisionAsJson(denied('input/bad-line', why));
}

/** Returns the answer to a line; reuses the answer to an identical line of the same moment. */
function answered(text: string, args: Arguments, template: CallTemplate, state: BatchState): string {
  const known = state.answers.get(text);
  if (known !== undefined) return known;
  const call = callFromLine(text);
  const answer = typeof call === 'string' ? badLine(call) : judged(args, template, call, state);
  state.answers.set(text, answer);
  return answer;
}

/** Decides one line in the project that its directory belongs to; returns JSON. */
function judged(args: Arguments, template: CallTemplate, { cwd, ...line }: CallLine, { workspaces, moment }: BatchState): string {
  const opened = workspaces.get(cwd ?? '') ?? openAt(args, true, cwd);
  if (workspaces.size >= MOST_WORKSPACES) workspaces.clear();
  workspaces.set(cwd ?? '', opened);
  if (!opened.ok) return decisionAsJson(denied('input/no-policy', opened.problems.map(problemLine).join('; '), line));
  const workspace = atMoment(opened.workspace, moment);
  const whole = callAsRun({ ...template, ...line, cwd: workspace.cwd });
  const { decision, about } = judgedCall(workspace, whole);
  const remedy = maskRemedy(findRemedyDry(workspace, about.call, about.decision));
  const lines = remedy === null ? [] : remedyLines(remedy, remedyLayer(workspace));
  return decisionAsJson(
    maskDecision(decision, whole.input),
    remedy,
    lines,
    hookSaid(decision, workspace.policy, whole.runner ?? null),
  );
}

/** Turns a read error of standard input into a message that a person can act on. */
async function* readable<Item>(items: AsyncIterable<Item>): AsyncGenerator<Item> {
  try {
    yield* items;
  } catch (error) {
    throw new UsageError(`standard input could not be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

/** Returns the denial of a line that could not be judged by a policy. */
function denied(code: string, why: string, line?: Omit<CallLine, 'cwd'>): Decision {
  const reasons = [{ code, message: why }];
  return {
    version: 1,
    decision: 'deny',
    stage: 'policy',
    rule: null,
    matched: [],
    reasons,
    stages: [{ stage: 'policy', decision: 'deny', rule: null, reasons }],
    commands: [],
    suggestion: null,
    message: why,
    call: { tool: line?.tool ?? '', canonical: line?.tool ?? '', agent: line?.agent ?? null, runner: line?.runner ?? null },
  };
}
