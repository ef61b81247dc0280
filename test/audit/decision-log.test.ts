// What an audit says of the decision log: a session goes through the installed hook, and a call is left out here and there.
import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { AuditReport } from '../../src/audit/model/report.js';
import type { DecisionLog } from '../../src/audit/model/types.js';
import { appendRecord } from '../../src/log/append.js';
import { eventRecordOf } from '../../src/log/record/record.js';
import { newRecordId } from '../../src/log/record/record-id.js';
import { auditAsHtml, auditAsMarkdown } from '../../src/report/audit/document.js';
import { scratch } from '../cli/spawned.js';
import { type Audited, auditedProject, claims, POLICY } from './audited.js';

const test = suite('audit of the decision log');
const SESSION = 'ef5856b7-be67-43aa-a8b1-82e0b7525dca';
const RULES = 'allow: ["Bash(make site)", "Bash(make unused)"]\ndeny: ["Bash(make release)"]\n';

/** A payload as Claude Code 2.1.329 sent it, of another call. */
function payload(name: string, project: Audited, toolUseId: string, command: string): string {
  const recorded = JSON.parse(readFileSync(`test/fixtures/payloads/claude-code/${name}.json`, 'utf8'));
  const changes = {
    session_id: SESSION,
    cwd: project.project,
    tool_use_id: toolUseId,
    tool_input: { command, description: 'd' },
  };
  return JSON.stringify({ ...recorded, ...changes });
}

/** Tells the installed hook of a call before it runs, after it ran, or both. */
function told(project: Audited, toolUseId: string, command: string, events: readonly ('before' | 'after')[]): void {
  for (const event of events) {
    const input = payload(event === 'before' ? 'main.PreToolUse.Bash' : 'main.PostToolUse.Bash', project, toolUseId, command);
    const env = { PATH: process.env.PATH ?? '', HOME: project.home };
    const { stderr, signal } = spawnSync('sh', ['-c', project.command], { cwd: project.project, env, input, encoding: 'utf8' });
    assert.is(signal, null, stderr);
  }
}

/** Two lines of a transcript as Claude Code writes them: a call, and its result. */
function lines(cwd: string, id: string, changes: { readonly at?: string; readonly error?: string } = {}): string {
  const timestamp = changes.at ?? new Date().toISOString();
  const head = {
    parentUuid: null,
    isSidechain: false,
    userType: 'external',
    cwd,
    sessionId: SESSION,
    version: '2.1.329',
    timestamp,
  };
  const use = { type: 'tool_use', id, name: 'Read', input: { file_path: '"type":"tool_result","tool_use_id":"toolu_in_text"' } };
  const result = { tool_use_id: id, type: 'tool_result', content: changes.error ?? 'x', is_error: changes.error !== undefined };
  return [
    { ...head, type: 'assistant', message: { role: 'assistant', type: 'message', content: [use] }, uuid: `a-${id}` },
    { ...head, type: 'user', message: { role: 'user', content: [result] }, toolUseResult: {}, uuid: `u-${id}` },
  ]
    .map((line) => `${JSON.stringify(line)}\n`)
    .join('');
}

function logOf({ decisionLog }: AuditReport): DecisionLog {
  return present(decisionLog);
}

function present<T>(value: T | null): T {
  if (value === null) throw new Error('the report says nothing of it');
  return value;
}

const QUICK = { probes: false, checklists: ['risk-mitigation', 'agent-security'] } as const;

test('a session: answers, rules, what asks in vain, and calls that no hook judged', async () => {
  const project = auditedProject();
  project.configure(`${POLICY}${RULES}`);
  const nothing = await project.audit(QUICK);
  assert.is(nothing.decisionLog, null, 'the sealed record is of another project');
  assert.equal(claims(nothing, 'AS-4', 'not-applicable'), ['coverage']);

  told(project, 'toolu_1', 'git status', ['before', 'after']);
  told(project, 'toolu_2', 'make docs', ['before', 'after']);
  told(project, 'toolu_3', 'make release', ['before']);
  told(project, 'toolu_4', 'make site', ['before', 'after']);
  const whole = await project.audit(QUICK);
  const log = logOf(whole);
  assert.equal(log.decisions, { allow: 2, ask: 1, deny: 1 });
  assert.equal(log.results, { success: 3, error: 0, denied: 0 });
  assert.equal(log.tools, [{ name: 'Bash', allow: 2, ask: 1, deny: 1 }]);
  assert.equal(log.agents, [{ name: 'main agent', model: null, allow: 2, ask: 1, deny: 1 }]);
  assert.equal(
    log.denied.map(({ text, count }) => [text, count]),
    [['Bash(make release)', 1]],
  );
  assert.equal(
    log.asked.map(({ count }) => count),
    [1],
  );
  assert.equal(
    log.candidates.map(({ calls, line }) => [calls, line.includes('make docs')]),
    [[1, true]],
  );
  assert.equal([log.rules.allow, log.rules.unused, log.rules.examples[0]?.text], [2, 1, 'Bash(make unused)']);
  assert.equal(log.coverage, { calls: 3, unjudged: 0, examples: [] });
  assert.ok(claims(whole, 'AS-4', 'met').includes('coverage'));
  assert.is(whole.findings.filter(({ claim }) => claim === 'coverage').length, 0);

  told(project, 'toolu_5', 'make secretly', ['after']);
  const holed = await project.audit(QUICK);
  const { calls, unjudged, examples } = present(logOf(holed).coverage);
  assert.equal([calls, unjudged, examples[0]?.toolUseId, examples[0]?.tool], [4, 1, 'toolu_5', 'Bash']);
  assert.equal(
    holed.findings.filter(({ claim }) => claim === 'coverage').map(({ control, severity }) => [control, severity]),
    [['AS-4', 'error']],
  );
  for (const text of [auditAsMarkdown(holed), auditAsHtml(holed)]) {
    assert.match(text, /1 of 4 \(25\.0 %\)/);
    assert.match(text, /toolu_5/);
    assert.match(text, /Bash\(make unused\)/);
  }
});

test('candidates to allow are no wider than what was approved', async () => {
  const project = auditedProject();
  project.configure(`${POLICY}allow: ["Bash(git status)"]\n`);
  for (const [at, command] of [
    'pkill -f vite',
    'npm run docs',
    'npm run docs',
    'npm run docs -- x',
    'echo x > notes.txt',
    'kill 4711',
  ].entries())
    told(project, `toolu_${at}`, command, ['before', 'after']);
  const { candidates } = logOf(await project.audit(QUICK));
  assert.equal(
    [...candidates]
      .sort((left, right) => right.calls - left.calls || (left.line < right.line ? -1 : 1))
      .map(({ calls, line }) => [calls, line]),
    [
      [2, "policy allow 'Bash(npm run docs)'"],
      [1, "policy allow 'Bash(kill 4711)'"],
      [1, "policy allow 'Bash(npm run docs -- x)'"],
      [1, "policy allow 'Bash(pkill -f vite)'"],
    ],
  );
});

test('a call that the hook could not judge is denied, and counted', async () => {
  const project = auditedProject();
  project.configure(POLICY);
  told(project, 'toolu_1', 'git status', ['before', 'after']);
  const fine = await project.audit(QUICK);
  assert.equal(logOf(fine).failures, { count: 0, last: null });
  assert.ok(claims(fine, 'RM-2', 'met').includes('worked'));
  project.configure('version: 1\nallow: [\n');
  told(project, 'toolu_2', 'git status', ['before']);
  const env = { PATH: process.env.PATH ?? '', HOME: project.home };
  const torn = spawnSync('sh', ['-c', project.command], { cwd: project.project, env, input: '{"torn', encoding: 'utf8' });
  assert.is(torn.status, 2);
  project.configure(POLICY);
  const failed = await project.audit(QUICK);
  const { count, last } = logOf(failed).failures;
  assert.ok(count >= 1);
  assert.match(
    last?.message ?? '',
    /^A call was denied: the (?:policy cannot be used: .*policy\.yaml:\d|payload on standard input is not valid JSON)/,
  );
  assert.ok(claims(failed, 'RM-2', 'unmet').includes('worked'));
  assert.equal(
    failed.findings.filter(({ claim }) => claim === 'worked').map(({ severity }) => severity),
    ['info'],
  );
  assert.match(auditAsMarkdown(failed), /because the hook could not judge/);
});

test('transcripts without a record in the log prove nothing', async () => {
  const project = auditedProject();
  const folder = scratch({ [`${SESSION}.jsonl`]: lines(project.project, 'toolu_1') });
  assert.ok(claims(await project.audit(QUICK), 'AS-4', 'not-applicable').includes('coverage'));
  assert.ok(claims(await project.audit({ ...QUICK, transcripts: folder }), 'AS-4', 'unproven').includes('coverage'));
});

test('transcripts: what ran in the project since the log began, and has no decision', async () => {
  const project = auditedProject();
  told(project, 'toolu_1', 'git status', ['before', 'after']);
  const folder = scratch({});
  mkdirSync(join(folder, SESSION, 'subagents'), { recursive: true });
  writeFileSync(
    join(folder, `${SESSION}.jsonl`),
    [
      lines(project.project, 'toolu_1'),
      lines(project.project, 'toolu_before', { at: '2020-01-01T00:00:00.000Z' }),
      lines(project.project, 'toolu_none', { error: '<tool_use_error>Error: No such tool available: Write.</tool_use_error>' }),
      lines(`${project.project}-other`, 'toolu_elsewhere'),
      '{"torn":',
    ].join(''),
  );
  symlinkSync('/etc/passwd', join(folder, 'linked.jsonl'));
  const judged = await project.audit({ ...QUICK, transcripts: folder });
  assert.equal(logOf(judged).transcripts, { files: 1, whole: true, calls: 1, unjudged: 0, examples: [] });
  assert.ok(claims(judged, 'AS-4', 'met').includes('coverage'));

  // One line longer than is read: the call that nobody judged could stand in it.
  writeFileSync(join(folder, 'long.jsonl'), 'x'.repeat(16_777_217));
  const partly = await project.audit({ ...QUICK, transcripts: folder });
  assert.is(logOf(partly).transcripts?.whole, false);
  assert.equal(claims(partly, 'AS-4', 'met').includes('coverage'), false);
  assert.ok(claims(partly, 'AS-4', 'unproven').includes('coverage'));
  rmSync(join(folder, 'long.jsonl'));

  writeFileSync(join(folder, SESSION, 'subagents', 'agent-1.jsonl'), lines(join(project.project, 'src'), 'toolu_<b>'));
  const holed = await project.audit({ ...QUICK, transcripts: folder });
  const { files, calls, unjudged, examples } = present(logOf(holed).transcripts);
  assert.equal([files, calls, unjudged], [2, 2, 1]);
  assert.equal(
    examples.map(({ source, toolUseId, tool, session }) => [source, toolUseId, tool, session]),
    [[join(SESSION, 'subagents', 'agent-1.jsonl'), 'toolu_<b>', 'Read', SESSION]],
  );
  assert.equal(claims(holed, 'AS-4', 'unmet'), ['coverage']);
  assert.not.match(auditAsHtml(holed), /<b>/);
  assert.not.match(auditAsMarkdown(holed).replaceAll(/`[^`]*`/g, ''), /<b>/);
});

test('a subagent that started beside another one contradicts RM-1', async () => {
  const project = auditedProject();
  const time = Date.now();
  const origin = { id: newRecordId(time), time, session: SESSION, model: null, project: project.project, version: '0' };
  const overlap = { event: 'run.overlap', severity: 'warning', message: 'two at once' } as const;
  appendRecord(join(project.home, '.local', 'state', 'policy'), eventRecordOf(overlap, origin, { runner: 'claude-code' }));
  const report = await project.audit(QUICK);
  assert.equal(logOf(report).subagents, { starts: 0, overlaps: 1 });
  assert.equal(claims(report, 'RM-1', 'unmet'), ['overlaps']);
});

test.run();
