/** The shipped presets: what they hold, what they mean to a runner, and which one a list of tools amounts to. */
import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalTools } from '../../src/call/catalogue.js';
import { data } from '../../src/generated/data.js';
import { validatePreset } from '../../src/generated/validators/preset.js';
import { PRESETS } from '../../src/policy/policy.js';
import { expandPreset, inferPreset, isPresetName, presetNamed, requiresTrust } from '../../src/policy/presets.js';
import { locate } from '../../src/rule/path/location.js';
import { toolsCovered } from '../../src/rule/pattern/tool-coverage.js';
import { compileRules, patternMistakes } from '../../src/rule/rule-set.js';
import {
  codexArguments,
  codexRunnerConfig,
  mapPreset,
  PROFILE_SOURCES,
  type ProfileFields,
  resolvePreset,
} from '../../src/runner/codex/profile.js';

/** In the order of the original document. */
const SEVENTEEN = [
  'git status*',
  'git diff*',
  'git add*',
  'git restore --staged*',
  'git commit*',
  'git log*',
  'git show*',
  'git branch*',
  'git push*',
  'git merge*',
  'git rev-parse*',
  'git fetch*',
  'gh pr create*',
  'gh pr list*',
  'gh pr view*',
  'gh pr status*',
  'gh auth status*',
];

const FILES = { readOnly: 'read-only', inspect: 'inspect', safe: 'safe', develop: 'develop', all: 'all' };

for (const name of PRESETS) {
  test(`${name}: its file meets the schema and says its own name`, () => {
    const file = data(`presets/${FILES[name]}`);
    assert.ok(validatePreset(file), JSON.stringify(validatePreset.errors));
    assert.is(presetNamed(name).name, name);
  });

  test(`${name}: every rule compiles and names a tool that exists`, () => {
    const tools = canonicalTools().map((tool) => tool.name);
    for (const rule of presetNamed(name).rules) {
      assert.equal(patternMistakes(rule, toolsCovered), []);
      assert.ok(tools.some(toolsCovered(rule.tool, 'allow')), rule.text);
      assert.is(rule.layer, 'preset');
    }
  });

  test(`${name}: every entry of the file says why it is there`, () => {
    const lines = readFileSync(`rules/presets/${FILES[name]}.yaml`, 'utf8').split('\n');
    for (const line of lines.filter((one) => one.startsWith('  - '))) assert.match(line, / # \S/);
  });
}

test('readOnly: exactly looking at the project and keeping notes', () => {
  assert.equal(expandPreset('readOnly'), [
    'Read(**)',
    'Glob(**)',
    'Grep(**)',
    'LS(**)',
    'NotebookRead(**)',
    'TodoRead',
    'TodoWrite',
  ]);
});

for (const name of ['readOnly', 'inspect'] as const) {
  test(`${name}: no write, shell, network or subagent tool, and everything unnamed is denied (R082, R083, C12)`, () => {
    const preset = presetNamed(name);
    assert.is(preset.otherwise, 'deny');
    assert.equal(preset.refuse, ['git', 'gh']);
    for (const tool of canonicalTools()) {
      if (tool.access === 'read' || tool.access === 'none') continue;
      assert.not.ok(
        preset.rules.some((rule) => toolsCovered(rule.tool, rule.effect)(tool.name)),
        tool.name,
      );
    }
  });
}

test('proven shell reads pass under inspect and safe, never under readOnly', () => {
  assert.equal(
    PRESETS.map((name) => presetNamed(name).provenReads),
    [false, true, true, true, true],
  );
});

test('safe: expands to the 17 shell entries first, in their order, as bare patterns (R093-R110)', () => {
  assert.equal(expandPreset('safe').slice(0, 17), SEVENTEEN);
  assert.not.ok(
    expandPreset('safe')
      .slice(17)
      .some((text) => text.startsWith('git') || text.startsWith('Bash')),
  );
});

test('safe: the further shell entries only show something', () => {
  const further = expandPreset('safe')
    .slice(17)
    .filter((text) => /^(?:gh|docker|npm) /.test(text));
  const READS =
    /^(?:gh (?:pr (?:checks|diff)|(?:run|issue|workflow|release|label|repo) list|(?:run|issue|workflow|release|repo) view|run watch|issue status|search)|docker (?:ps|images|logs|version|info)|npm (?:view|outdated))\*$/;
  assert.ok(further.length > 10);
  for (const text of further) assert.match(text, READS);
});

test('safe: refuses what the grammars of git and gh refuse, and leaves the rest to tier and default', () => {
  const { refuse, otherwise } = presetNamed('safe');
  assert.equal(refuse, ['git', 'gh']);
  assert.is(otherwise, null);
});

test('safe: allows all that readOnly and inspect allow', () => {
  const texts = presetNamed('safe').rules.map((rule) => rule.text);
  for (const name of ['readOnly', 'inspect'] as const) {
    for (const rule of presetNamed(name).rules) assert.ok(texts.includes(rule.text), rule.text);
  }
});

test('safe: does not name subagents, the web, or other shells', () => {
  const covers = presetNamed('safe').rules.map((rule) => toolsCovered(rule.tool, rule.effect));
  for (const tool of ['Agent', 'WebFetch', 'WebSearch', 'PowerShell', 'Skill', 'Workflow', 'mcp__linear__list']) {
    assert.not.ok(
      covers.some((covered) => covered(tool)),
      tool,
    );
  }
});

const PATHS: readonly [path: string, covered: boolean, why: string][] = [
  ['/repo', true, 'the project itself'],
  ['/repo/src/deep/a.ts', true, 'a file of the project'],
  ['/repo/.hidden', true, 'a dot file of the project'],
  ['/repo-evil/a', false, 'a neighbour whose name starts alike'],
  ['/repo/../etc/passwd', false, 'a way out'],
  ['/etc/passwd', false, 'outside'],
  ['/home/u/notes', false, 'the home'],
];

for (const [path, covered, why] of PATHS) {
  test(`project only: Read(**), Grep(**) and Edit(**) ${covered ? 'cover' : 'do not cover'} ${path} (${why})`, () => {
    const rules = compileRules(presetNamed('safe').rules, toolsCovered);
    const place = locate(path, { project: '/repo', home: '/home/u', platform: 'linux' });
    for (const tool of ['Read', 'Grep', 'Glob', 'LS', 'Edit', 'Write', 'MultiEdit', 'NotebookEdit']) {
      assert.is(rules.coversPath(tool, place).length > 0, covered, tool);
    }
  });
}

test('all: one total rule, and only for trusted repositories (R077, R089)', () => {
  assert.equal(expandPreset('all'), ['*']);
  assert.equal(PRESETS.filter(requiresTrust), ['all']);
});

test('a rule of a preset names its file and its number in the list', () => {
  const { source } = presetNamed('safe').rules[3] ?? {};
  assert.equal(source, { file: 'presets/safe.yaml', line: 4, column: 1 });
});

test('the names of presets, and nothing else, are preset names', () => {
  assert.ok(PRESETS.every(isPresetName));
  for (const word of ['readonly', 'coordinator', 'safe ', '', '__proto__', 'constructor'])
    assert.not.ok(isPresetName(word), word);
});

const INFERENCES: readonly [tools: readonly string[], preset: string, why: string][] = [
  [['Bash'], 'all', 'unrestricted shell (R088)'],
  [['Bash(*)'], 'all', 'unrestricted shell'],
  [['*'], 'all', 'every tool'],
  [['Read', 'bash'], 'all', 'tool names have no case'],
  [['Bash(git status*)'], 'safe', 'the original took this for all'],
  [['Bash(git:status*)'], 'safe', 'a rule that cannot be read is still a shell rule'],
  [['Bash(gh pr create*)', 'Edit(**)'], 'safe', 'the original took the safe preset for all'],
  [['Edit(**)'], 'safe', 'an editor'],
  [['Write'], 'safe', 'an editor'],
  [['MultiEdit'], 'safe', 'an editor'],
  [['NotebookEdit'], 'safe', 'an editor'],
  [['apply_patch'], 'safe', 'an editor'],
  [['Read(**)', 'TodoWrite'], 'readOnly', 'TodoWrite is not a write tool; the original thought so'],
  [
    ['Read(**)', 'WebFetch', 'WebSearch', 'TodoRead', 'TodoWrite', 'NotebookRead', 'Task', 'Batch'],
    'readOnly',
    'the original readOnly list',
  ],
  [[], 'readOnly', 'nothing'],
  [['EditorConfig', 'BashFul'], 'readOnly', 'no inference from parts of names'],
];

for (const [tools, preset, why] of INFERENCES) {
  test(`infer: [${tools.join(', ')}] is ${preset} (${why})`, () => {
    assert.is(inferPreset(tools), preset);
  });
}

test('infer: the expansion of each preset with a shell is that preset again', () => {
  for (const name of ['safe', 'all', 'readOnly'] as const) {
    assert.is(inferPreset(presetNamed(name).rules.map((rule) => rule.text)), name);
  }
});

for (const row of vectors('preset-map')) {
  test(`vector preset-map: ${row.preset}`, () => {
    if (!isPresetName(row.preset)) throw new Error(row.preset);
    const { sandbox, approvalPolicy, fullAuto } = mapPreset(row.preset);
    assert.equal({ sandbox, approvalPolicy, fullAuto }, row.expect);
  });
}

test('map: inspect is as sandboxed as readOnly', () => {
  assert.is(mapPreset('inspect').sandbox, 'read-only');
});

test('map: only the presets that run without a sandbox warn (R084, R090)', () => {
  const codes = PRESETS.map((name) => mapPreset(name).warnings.map((warning) => warning.code));
  assert.equal(codes, [[], [], ...Array(3).fill(['preset/unsandboxed'])]);
});

test('map: sandboxed gives workspace-write without a warning (C13)', () => {
  for (const name of ['safe', 'all'] as const) {
    const profile = mapPreset(name, { sandboxed: true });
    assert.is(profile.sandbox, 'workspace-write');
    assert.equal(profile.warnings, []);
  }
  assert.is(mapPreset('readOnly', { sandboxed: true }).sandbox, 'read-only');
});

test('arguments: readOnly is exactly the documented command line (R081)', () => {
  assert.is(
    `codex ${codexArguments(mapPreset('readOnly')).join(' ')}`,
    'codex exec --json --sandbox read-only -c approval_policy=never',
  );
});

test('arguments: never a flag that switches the checks off (R127)', () => {
  for (const name of PRESETS) {
    const args = codexArguments(mapPreset(name));
    assert.is(args[1], '--json');
    for (const arg of args) assert.not.match(arg, /dangerously|yolo|full-auto|--approval-policy/);
  }
});

test('runner config: the fields of the document, fullAuto false, no environment (R113, R114)', () => {
  const config = codexRunnerConfig(mapPreset('safe'), { cwd: '/repo', prompt: 'go', model: 'm', resumeSessionId: 's' });
  assert.equal(config, {
    type: 'codex',
    cwd: '/repo',
    prompt: 'go',
    model: 'm',
    sandbox: 'danger-full-access',
    approvalPolicy: 'never',
    fullAuto: false,
    resumeSessionId: 's',
  });
  assert.not.ok('resumeSessionId' in codexRunnerConfig(mapPreset('safe'), { cwd: '/repo', prompt: 'go' }));
});

/** Each source in turn is the strongest one that says something. */
for (const [index, strongest] of PROFILE_SOURCES.entries()) {
  test(`precedence: ${strongest} wins when nothing stronger speaks`, () => {
    const sources: Partial<Record<(typeof PROFILE_SOURCES)[number], ProfileFields>> = {};
    for (const source of PROFILE_SOURCES.slice(index))
      sources[source] = { sandbox: source === strongest ? 'workspace-write' : 'read-only' };
    assert.equal(resolvePreset(sources), { sandbox: { value: 'workspace-write', source: strongest } });
  });
}

test('precedence: field by field, a stronger source only fills what it names (R092)', () => {
  const resolved = resolvePreset({
    explicit: { sandbox: 'workspace-write' },
    derived: { sandbox: 'danger-full-access', approvalPolicy: 'never' },
    repoDefaults: { approvalPolicy: 'on-request', model: 'repo' },
    globalDefaults: { model: 'global' },
  });
  assert.equal(resolved, {
    sandbox: { value: 'workspace-write', source: 'explicit' },
    approvalPolicy: { value: 'never', source: 'derived' },
    model: { value: 'repo', source: 'repoDefaults' },
  });
});

test('precedence: what nobody fills is absent', () => {
  assert.equal(resolvePreset({}), {});
});

test.run();

interface PresetVector {
  readonly kind: string;
  readonly preset: string;
  readonly expect: unknown;
}

function vectors(kind: string): PresetVector[] {
  const lines = readFileSync('test/fixtures/vectors/seed-vectors.jsonl', 'utf8').split('\n');
  const rows: PresetVector[] = lines.filter((line) => line !== '').map((line) => JSON.parse(line));
  return rows.filter((row) => row.kind === kind);
}
