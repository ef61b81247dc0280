/** Hooks of Claude Code that npm has: asked once for each line, with the payload that the client gives them. */
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Peer } from '../peer.js';
import { answersOf, outputOf } from '../programs.js';
import type { Stage } from '../stage.js';

const VIBESAFU = '0.1.27';
const CLAUDE_QOL = '0.3.0';

function payload(event: string, command: string, { project, base }: Stage): string {
  return JSON.stringify({
    ...{ session_id: 'compare', transcript_path: join(base, 'transcript.jsonl'), cwd: project },
    ...{ permission_mode: 'default', hook_event_name: event, tool_name: 'Bash', tool_input: { command } },
  });
}

/**
 * Loads the hook's program anew for each payload, as if it were started; a process for each would take many minutes. Before it denies,
 * it waits seven seconds for a person; here nobody comes, so that its clock runs ahead.
 */
const LOADER = `import { readFileSync } from 'node:fs';
  import { Readable } from 'node:stream';
  const payloads = JSON.parse(readFileSync(0, 'utf8'));
  const wait = globalThis.setTimeout;
  globalThis.setTimeout = (run, _time, ...more) => wait(run, 0, ...more);
  const say = console.log;
  process.argv.push('check');
  const answers = [];
  for (const [at, payload] of payloads.entries()) {
    Object.defineProperty(process, 'stdin', { value: Readable.from([Buffer.from(payload)]), configurable: true });
    const answer = new Promise((done) => (console.log = done));
    await import(MODULE + '?' + at);
    answers.push(JSON.parse(await answer).hookSpecificOutput.decision.behavior);
  }
  say(JSON.stringify(answers));`;

export const vibesafu: Peer = {
  ...{ name: 'vibesafu', version: VIBESAFU, packages: [`vibesafu@${VIBESAFU}`] },
  configuration: 'its defaults, without a key for the model that may review what its patterns leave open',
  judge: async (lines, stage, installed) => {
    const file = join(installed, 'node_modules/vibesafu/dist/index.js');
    const program = LOADER.replace('MODULE', JSON.stringify(pathToFileURL(file)));
    const payloads = lines.map((line) => payload('PermissionRequest', line, stage));
    const answers = await answersOf(program, payloads, { cwd: stage.project, environment: stage.environment });
    return answers.map((answer) => (answer === 'allow' ? 'run' : 'stop'));
  },
};

/** Runs the hook's script anew for each payload, as if it were started. */
const RUNNER = `import contextlib, io, json, runpy, sys
answers = []
for payload in json.load(sys.stdin):
    sys.stdin = io.StringIO(payload)
    with contextlib.redirect_stdout(io.StringIO()) as said:
        runpy.run_path(sys.argv[1], run_name="__main__")
    answers.append(json.loads(said.getvalue())["hookSpecificOutput"]["permissionDecision"])
print(json.dumps(answers))`;

export const claudeQol: Peer = {
  ...{ name: '@torka/claude-qol', version: CLAUDE_QOL, packages: [`@torka/claude-qol@${CLAUDE_QOL}`] },
  configuration: 'its auto-approve hook with the rules that it ships',
  judge: async (lines, stage, installed) => {
    const hook = join(installed, 'node_modules/@torka/claude-qol/hooks/auto_approve_safe.py');
    const input = JSON.stringify(lines.map((line) => payload('PreToolUse', line, stage)));
    const text = await outputOf('python3', ['-c', RUNNER, hook], { cwd: stage.project, environment: stage.environment, input });
    return (JSON.parse(text) as string[]).map((answer) => (answer === 'allow' ? 'run' : 'stop'));
  },
};
