// The transcripts of the real clients (`npm run e2e` with POLICY_E2E_TRANSCRIPTS), each read into the calls that were made.
import { cpSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { callsOf, type RecordedCall, sessionsAt, sessionsOf } from '../../src/replay/sessions.js';
import { scratch } from '../cli/spawned.js';

const RECORDED = resolve('test/fixtures/sessions');

/** A home with the sessions where the clients keep them. */
function homeOf(): string {
  const home = scratch({ '.gemini/tmp/project/.project_root': '/home/me/project\n' });
  for (const name of readdirSync(RECORDED)) cpSync(join(RECORDED, name), join(home, `.${name}`), { recursive: true });
  return home;
}

const short = ({ runner, tool, input, agent, outcome }: RecordedCall) =>
  `${runner} ${agent ?? '-'} ${tool} ${String(input.command ?? input.agent_type ?? '')}: ${outcome}`;

const found = sessionsOf(homeOf(), {}, 0).map((file) => callsOf(file) ?? []);
const all = found.flat();

test('every client keeps its sessions where they are looked for', () => {
  assert.equal([...new Set(all.map(({ runner }) => runner))], ['claude-code', 'codex', 'gemini-cli', 'copilot-cli', 'qwen-code']);
  assert.is(found.length, 10);
  assert.is(found.filter((calls) => calls.length === 0).length, 0);
});

test('each call has its folder, session and time', () => {
  for (const call of all) {
    assert.is(call.cwd, '/home/me/project', short(call));
    assert.match(call.session ?? '', /^[\w.-]{8,}/, short(call));
    assert.match(call.time ?? '', /^2026-11-29T19:/, short(call));
  }
});

const MAIN = [
  ['mkdir made', 'ran'],
  ['touch plain', 'refused'],
  ['ls && touch compound', 'refused'],
  ['env touch wrapper', 'refused'],
  ["bash -c 'touch script'", 'refused'],
  ['echo $(touch substitution)', 'refused'],
  ['mkfifo question', 'refused'],
];
const SHELLS = {
  'claude-code': 'Bash',
  codex: 'Bash',
  'gemini-cli': 'run_shell_command',
  'copilot-cli': 'bash',
  'qwen-code': 'run_shell_command',
};

for (const [runner, tool] of Object.entries(SHELLS)) {
  test(`${runner}: the commands of a session, and whether they ran`, () => {
    const calls = found.find(
      ([first]) => first?.runner === runner && first.agent === null && first.input.command === 'mkdir made',
    );
    assert.equal(
      calls?.map((call) => [call.tool, call.input.command, call.outcome]),
      MAIN.map(([command, outcome]) => [tool, command, outcome]),
    );
  });

  test(`${runner}: the commands of a subagent`, () => {
    const ofChild = all.filter((call) => call.runner === runner && call.agent !== null);
    const agent = runner === 'gemini-cli' ? 'unnamed subagent' : 'reviewer';
    const child = Array.from({ length: 4 }, () => `${runner} ${agent} ${tool} mkdir -p made: ran`);
    assert.equal(ofChild.map(short).slice(0, 4), child);
    assert.ok(ofChild.slice(4).every(({ input }) => input.command === 'touch plain'));
  });
}

test('a named file is recognised by its lines; what no client writes is not read, and neither is a symlink', () => {
  for (const [index, file] of sessionsOf(homeOf(), {}, 0).entries()) {
    const isHead = !/subagents/.test(file.path) && !/\/chats\/[^/]+\//.test(file.path);
    const calls = callsOf({ path: file.path, runner: null });
    if (isHead) assert.equal(calls?.map(short), found[index]?.map(short), file.path);
  }
  const folder = scratch({ 'notes.jsonl': '{"a":1}\n[1]\n{broken\n', 'deep/a.jsonl': '\n' });
  symlinkSync('/etc/passwd', join(folder, 'link.jsonl'));
  assert.equal(
    sessionsAt(folder)?.map(({ path }) => path.slice(folder.length + 1)),
    ['deep/a.jsonl', 'notes.jsonl'],
  );
  assert.is(callsOf({ path: join(folder, 'notes.jsonl'), runner: null }), null);
  assert.is(callsOf({ path: join(folder, 'link.jsonl'), runner: null }), null);
  assert.is(sessionsAt(join(folder, 'absent')), null);
});

test('lines of the wrong types are passed over', () => {
  const odd = [
    ...['null', '7', '"x"', '[]', '{"message":{"content":[{"type":"tool_use","name":7,"input":[]}]}}'],
    ...['{"message":{"content":"text"}}', '{"message":null}', '{"__proto__":{"type":"tool_use"}}'],
  ];
  const good =
    '{"parentUuid":null,"isSidechain":false,"sessionId":"abcdefgh","cwd":"/p","message":{"content":[{"type":"tool_use","id":"1","name":"Bash","input":{"command":"ls"}}]}}';
  const folder = scratch({});
  const path = join(folder, 'a.jsonl');
  writeFileSync(path, [good, ...odd, good, '{"cut'].join('\n'));
  assert.equal(callsOf({ path, runner: 'claude-code' })?.map(short), ['claude-code - Bash ls: null']);
  for (const runner of ['codex', 'gemini-cli', 'copilot-cli', 'qwen-code'] as const) assert.equal(callsOf({ path, runner }), []);
});

test.run();
