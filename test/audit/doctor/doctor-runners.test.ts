// `policy doctor` about what is particular to a runner: what it trusts, and what switches its hooks off.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { doctorReport } from '../../../src/report/doctor.js';
import { insideAgent } from '../../cli/spawned.js';
import { problemsOf, trustInCodex, world } from './doctor-world.js';

const test = suite('doctor of a runner');
const check = insideAgent ? test.skip : test;

for (const [runner, client] of [
  ['claude-code', 'claude'],
  ['gemini-cli', 'gemini'],
  ['copilot-cli', 'copilot'],
  ['qwen-code', 'qwen'],
] as const)
  check(`${runner}: a hook that takes too long denies, and the doctor does not say that it lets calls pass`, async () => {
    const here = world(client);
    here.install(runner, '--deadline', '0.1');
    // So many rules that no machine reads them in a tenth of a second.
    const rules = Array.from({ length: 40_000 }, (_, at) => `  - Bash(a${at} *)\n`);
    here.write('.config/policy/policy.yaml', `version: 1\ndeny:\n${rules.join('')}`);
    const canary = problemsOf(await here.examineStarted()).filter((one) => one.startsWith('canary: '));
    assert.is(canary.length, 1);
    assert.match(
      canary[0] ?? '',
      /^canary: The installed line denies calls, because the hook did not answer in time twice in a row \(/,
    );
  });

check('Codex: installed is not trusted; trusted by its hash it is; a changed line is not', async () => {
  const here = world('codex');
  here.install('codex');
  const untrusted = problemsOf(await here.examine());
  assert.ok(
    untrusted.some((one) =>
      /^trust: OPEN: Codex does not run the hook in .*hooks\.json: this version of it is not trusted \(pre_tool_use:0:0/.test(
        one,
      ),
    ),
    untrusted.join('\n'),
  );
  assert.match(doctorReport(await here.examine()), /^OPEN: Codex does not run the hook in /);
  trustInCodex(here);
  assert.equal(problemsOf(await here.examine()), []);
  here.change('.codex/hooks.json', '"timeout": 30', '"timeout": 31');
  assert.match(problemsOf(await here.examine()).join('\n'), /trust: .*pre_tool_use:0:0/);
});

check(
  'Codex: another line beside one that was trusted is said first, and is no problem; once it is trusted, one goes',
  async () => {
    const here = world('codex');
    here.install('codex');
    trustInCodex(here);
    here.install('codex', '--deadline', '20');
    const waiting = await here.examine();
    assert.equal(problemsOf(waiting), []);
    assert.match(doctorReport(waiting), /^Codex runs the old hook in .*, which you trusted; the new one .*\(pre_tool_use:1:0/);
    trustInCodex(here);
    const both = await here.examine();
    assert.equal(problemsOf(both), []);
    assert.match(doctorReport(both), /note +Codex runs both .*\n +fix: policy install codex --user\n/);
    here.install('codex', '--deadline', '20');
    assert.not.match(doctorReport(await here.examine()), /former/);
  },
);

check('Codex: hooks switched off, and an agent with hooks of its own', async () => {
  const here = world('codex');
  here.install('codex');
  trustInCodex(here);
  here.write('.codex/agents/loose.toml', 'name = "loose"\n[features]\nhooks = false\n');
  assert.match(problemsOf(await here.examine()).join('\n'), /^agents: The agent in .*loose\.toml has its own hooks or none/);
  here.change('.codex/config.toml', 'model = "m"\n', 'model = "m"\n[features]\nhooks = false\n');
  assert.match(
    problemsOf(await here.examine()).join('\n'),
    /switches: codex runs no hook: features\.hooks is set in .*config\.toml/,
  );
});

for (const [name, off] of [
  ['hooks', true],
  ['codex_hooks', true],
  ['multi_agent', false],
] as const)
  check(`Codex: features.${name} = false in a profile ${off ? 'switches hooks off' : 'is none of our business'}`, async () => {
    const here = world('codex');
    here.install('codex');
    trustInCodex(here);
    here.change('.codex/config.toml', 'model = "m"\n', `model = "m"\n[profiles.fast.features]\n${name} = false\n`);
    const problems = problemsOf(await here.examine()).join('\n');
    assert.is(problems.includes(`codex runs no hook: profiles.fast.features.${name} is set in `), off, problems);
  });

check('Gemini CLI and Copilot CLI: hooks of a folder that nobody trusted do not run', async () => {
  const here = world('gemini');
  here.install('gemini-cli', '--project');
  assert.match(
    problemsOf(await here.examine()).join('\n'),
    /^trust: Gemini CLI runs hooks of .*project only in a trusted folder/m,
  );
  here.write('.gemini/trustedFolders.json', JSON.stringify({ [here.home]: 'TRUST_FOLDER' }));
  assert.equal(problemsOf(await here.examine()), []);
  here.write('.gemini/settings.json', '{ "hooksConfig": { "disabled": ["policy"] } }');
  assert.match(problemsOf(await here.examine()).join('\n'), /switches: gemini-cli runs no hook: hooksConfig\.disabled/);
});

for (const id of ['claude-code', 'codex', 'gemini-cli', 'copilot-cli', 'opencode', 'qwen-code', 'cursor', 'agent-code'])
  check(`${id}: the canary is blocked by the line that was installed`, async () => {
    const here = world('none');
    here.install(id, ...(id === 'agent-code' ? ['--project'] : []));
    const report = await here.examineStarted();
    const canaries = report.results.filter(({ check: one }) => one === 'canary');
    assert.is(canaries.length, 1);
    assert.is(canaries[0]?.level, 'ok', JSON.stringify(report.results, null, 1));
    assert.match(canaries[0]?.message ?? '', /was blocked/);
    assert.equal(
      problemsOf(report).filter((text) => text.startsWith('line:')),
      [],
    );
  });

for (const [runner, folder] of [
  ['qwen-code', '.qwen'],
  ['gemini-cli', '.gemini'],
] as const)
  check(`${runner}: hooks that the project switches off, in every spelling`, async () => {
    const here = world('none');
    here.install(runner, '--user');
    const off = [
      '{ "hooksConfig": { "enabled": false } }',
      '{ "hooks": { "enabled": false } }',
      '{ "tools": { "enableHooks": false } }',
      ...(runner === 'qwen-code' ? ['{ "disableAllHooks": true }'] : ['{ "hooks": { "disabled": ["policy"] } }']),
    ];
    for (const text of off) {
      here.write(`project/${folder}/settings.json`, text);
      assert.match(problemsOf(await here.examine()).join('\n'), new RegExp(`switches: ${runner} runs no hook: `), text);
    }
    for (const text of [
      '{ "hooksConfig": { "enabled": true } }',
      '{ "tools": { "enableHooks": true } }',
      '{ "disableAllHooks": false }',
    ]) {
      here.write(`project/${folder}/settings.json`, text);
      assert.equal(
        problemsOf(await here.examine()).filter((one) => one.startsWith('switches')),
        [],
        text,
      );
    }
  });

check('agent-code: a hook that is for one tool leaves the others out', async () => {
  const here = world('none');
  here.install('agent-code', '--project');
  here.change('project/.agent/settings.toml', 'event = "pre_tool_use"\n', 'event = "pre_tool_use"\ntool_name = "Bash"\n');
  assert.match(problemsOf(await here.examine()).join('\n'), /its tool_name "Bash" leaves tools out/);
});

test('an equal remedy is printed once, below everything that it repairs', () => {
  const of = (message: string, fix: string | null) =>
    ({ check: 'line', level: 'problem', runner: 'claude-code', message, fix }) as const;
  const results = [of('a', 'do this'), of('b', 'do that'), of('c', 'do this'), of('d', null), of('e', null)];
  const [, , ...lines] = doctorReport({ version: 1, project: '/', runners: [], results, problems: 5 }).split('\n');
  assert.equal(
    lines.slice(0, 7).map((line) => line.trim().replace(/ +/, ' ')),
    ['PROBLEM c', 'fix: do this', 'PROBLEM b', 'fix: do that', 'PROBLEM d', 'PROBLEM e', ''],
  );
});

test.run();
