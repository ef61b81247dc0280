/** Rules in a store answer every question as rules in memory do; and no damage to the store makes an answer shorter. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { canonicalTools } from '../../src/call/catalogue.js';
import { keysOfRuleTool, keysOfTool } from '../../src/call/open-names.js';
import { indexRules, type RuleSet } from '../../src/rule/index/rule-index.js';
import { locate } from '../../src/rule/path/location.js';
import type { Effect, PermissionRule } from '../../src/rule/pattern/permission-rule.js';
import { knownToolsCovered, toolsCovered } from '../../src/rule/pattern/tool-coverage.js';
import { compileAll } from '../../src/rule/rule-set.js';
import { storedRuleSet } from '../../src/rule/store/rules.js';
import { storeRules } from '../../src/rule/store/store.js';

const NAMES = canonicalTools().map(({ name }) => name);

/** The rules written to a store and read back, as JSON. */
function stored(rules: readonly PermissionRule[]): { set: RuleSet; values: Map<string, string>; read: string[] } {
  const values = new Map<string, string>();
  const tools = { known: knownToolsCovered, names: NAMES, keysOf: keysOfRuleTool };
  storeRules('r', compileAll(rules, toolsCovered), tools, (key, value) => {
    assert.not.ok(values.has(key), `${JSON.stringify(key)} is written once`);
    values.set(key, JSON.stringify(value));
  });
  const read: string[] = [];
  const store = {
    get: (key: string): unknown => {
      read.push(key);
      const text = values.get(key);
      return text === undefined ? undefined : JSON.parse(text);
    },
    damaged: (key: string): never => {
      throw new Error(`damaged: ${key}`);
    },
  };
  return { set: storedRuleSet(store, 'r', { covers: toolsCovered, keysOf: keysOfTool }).rules, values, read };
}

const inMemory = (rules: readonly PermissionRule[]) => indexRules(compileAll(rules, toolsCovered), toolsCovered);

const rule = (effect: Effect, tool: string, pattern: string | null, at = 1): PermissionRule => ({
  effect,
  tool,
  pattern,
  text: pattern === null ? tool : `${tool}(${pattern})`,
  layer: 'project',
  source: { file: 'policy.yaml', line: at, column: 1 },
});

const toolText = fc.constantFrom(
  'Bash',
  'Read',
  'Edit',
  'Write',
  'WebFetch',
  'Agent',
  'FileRead',
  'PowerShell',
  'Monitor',
  '*',
  'B*',
  'mcp__srv',
  'mcp__srv__*',
  'mcp__srv__run',
  'mcp__SRV__Run',
  'mcp__s-r__*',
  'mcp__s_r',
  'mcp__*',
  'mcp__srv__r*',
  'mcp_srv_run',
  'codex_shell',
  'mcp__codex__codex_shell',
  'Deploy',
  'deploy',
  'De*',
  'De_*',
  '_*',
);
const pattern = fc.oneof(
  { weight: 1, arbitrary: fc.constant(null) },
  {
    weight: 6,
    arbitrary: fc
      .array(fc.constantFrom('git', 'push', 'pus*', 'p?sh', '*', 'a', '"a b"', '--f', './x/*', 'a*b', 'Ä', 'src', '.e*'), {
        minLength: 1,
        maxLength: 4,
      })
      .chain((parts) =>
        fc
          .tuple(
            fc.constantFrom(' ', '/'),
            fc.constantFrom('', ':*', '*', ' *', '/**'),
            fc.constantFrom('', '/', '//', '~/', '**/'),
          )
          .map(([between, end, start]) => start + parts.join(between) + end),
      ),
  },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      'domain:example.com',
      'domain:*.example.com',
      'domain:*',
      'domain:ex*le.com',
      'https://example.com/a*',
      '*example*',
      'http://a.example.com:8080/',
      'reviewer',
      're*',
      'demo:*',
      'run_in_background:true',
      'model:op*',
      'channel: C09*',
      'path: src/**, url: https://*.example.com/*',
      'command: git push *, note: "a, b"',
      'host: *, flag: true',
      'path: ../x',
      '../x',
      'SRC/Ä.ts',
      'src/a.ts',
      'a\u0000b',
    ),
  },
);
const rules = fc
  .array(fc.tuple(fc.constantFrom<Effect[]>('allow', 'ask', 'deny'), toolText, pattern), { maxLength: 14 })
  .map((all) => all.map(([effect, tool, text], at) => rule(effect, tool, text, at + 1)));

const tool = fc.constantFrom(
  ...['Bash', 'Read', 'Write', 'WebFetch', 'Agent', 'Monitor', 'mcp__srv__run', 'mcp__SRV__run', 'mcp__s_r__x', 'mcp_s_r_x'],
  ...[
    'mcp__?__run',
    'mcp__srv__',
    'mcp__a',
    'Deploy',
    'DEPLOY',
    'De_x',
    'codex_shell',
    'mcp__codex__codex_shell',
    '__proto__',
    '',
  ],
  ...['mcp__srv__*', 'Bash\u0000', 'x\u0000y'],
);
const word = fc.constantFrom(
  'git',
  'push',
  'pus',
  'a',
  'a b',
  '',
  './x/',
  './x/y',
  '/bin/git',
  '--f',
  '*',
  'p?',
  'git\u0000push',
  'Ä',
);
const path = fc
  .tuple(
    fc.constantFrom('/p/', '/', '/home/u/', '/p/SRC/'),
    fc.array(fc.constantFrom('src', 'SRC', 'a', 'b.ts', '.env', 'x', 'Ä', 'Ä', 'git', 'a.ts', 'push\\a', 'git\u0000push'), {
      maxLength: 5,
    }),
    fc.constantFrom(...(['linux', 'darwin'] as const)),
  )
  .map(([start, parts, platform]) => locate(start + parts.join('/'), { project: '/p', home: '/home/u', platform }));
const text = fc.constantFrom(
  ...[
    'git push',
    ' git  push',
    'pus',
    'reviewer',
    'demo',
    'demo:sub',
    'demo x',
    'https://example.com/a',
    'https://a.example.com:8080/',
  ],
  ...['http://a.example.com:8080/', 'example.com', 'nonsense', '', 'src/a.ts', 'SRC/a.ts', 'a b', 'git\u0000push'],
);
const kind = fc.constantFrom(...(['command', 'path', 'url', 'query', 'name', 'text'] as const));
const issues = fc.array(fc.record({ word: fc.integer({ min: -1, max: 4 }), option: fc.option(fc.constantFrom('--f', 'a')) }), {
  maxLength: 1,
});

type Question = (set: RuleSet) => readonly { readonly rule: PermissionRule }[];

const question: fc.Arbitrary<Question> = fc.oneof(
  tool.map(
    (t): Question =>
      (set) =>
        set.total(t),
  ),
  tool.map(
    (t): Question =>
      (set) =>
        set.patterned(t),
  ),
  fc.tuple(tool, fc.array(fc.option(word, { freq: 5 }), { maxLength: 5 })).map(
    ([t, w]): Question =>
      (set) =>
        set.meetsCommand(t, w),
  ),
  fc.tuple(tool, kind, text).map(
    ([t, k, x]): Question =>
      (set) =>
        set.meetsText(t, k, x),
  ),
  fc.tuple(tool, fc.array(path, { maxLength: 2 })).map(
    ([t, p]): Question =>
      (set) =>
        set.meetsPath(t, p),
  ),
  fc.tuple(tool, text).map(
    ([t, x]): Question =>
      (set) =>
        set.meetsUrl(t, x),
  ),
  fc.tuple(tool, fc.array(word, { maxLength: 5 }), issues).map(
    ([t, w, i]): Question =>
      (set) =>
        set.coversCommand(t, w, i),
  ),
  fc.tuple(tool, kind, text).map(
    ([t, k, x]): Question =>
      (set) =>
        set.coversText(t, k, x),
  ),
  fc.tuple(tool, path).map(
    ([t, p]): Question =>
      (set) =>
        set.coversPath(t, p),
  ),
  fc.tuple(tool, text).map(
    ([t, x]): Question =>
      (set) =>
        set.coversUrl(t, x),
  ),
  tool.map(
    (t): Question =>
      (set) =>
        set.fields(t).map(({ rule: found }) => found),
  ),
  fc.tuple(tool, text, path).map(
    ([t, x, p]): Question =>
      (set) =>
        set
          .fields(t)
          .flatMap(({ fields }) =>
            fields.flatMap(({ values }) => [
              ...values.total(x),
              ...values.patterned(x),
              ...values.meetsUrl(t, x),
              ...values.coversUrl(t, x),
              ...values.meetsPath(t, [p]),
              ...values.coversPath(t, p),
              ...values.meetsCommand(t, [x]),
              ...values.coversCommand(t, [x], []),
            ]),
          ),
  ),
);

const answer = (set: RuleSet, ask: Question) => ask(set).map((one) => one.rule.source.line);

test('stored rules answer as rules in memory do', () => {
  fc.assert(
    fc.property(rules, fc.array(question, { minLength: 1, maxLength: 8 }), tool, (all, questions, name) => {
      const memory = inMemory(all);
      const { set } = stored(all);
      for (const ask of questions) assert.equal(answer(set, ask), answer(memory, ask));
      assert.is(set.hasPatterned(name), memory.hasPatterned(name));
    }),
    { numRuns: 2500 },
  );
});

test('a value that is missing, of another shape or another key is told from one that holds nothing', () => {
  const junk = fc.constantFrom('null', '0', '"x"', '{}', '[]', '[0]', '[[],[],[],2]', '{"rule":{}}', '[{}]', '[[{}],[],[],0]');
  fc.assert(
    fc.property(rules, question, fc.nat(), junk, (all, ask, pick, wrong) => {
      const { set: whole } = stored(all);
      const expected = answer(whole, ask);
      const { set, values } = stored(all);
      const keys = [...values.keys()];
      const key = keys[pick % keys.length] ?? '';
      const right = values.get(key) ?? '';
      values.set(key, wrong);
      let found: readonly number[];
      try {
        found = answer(set, ask);
      } catch (error) {
        assert.match(String(error), 'damaged: ');
        return;
      }
      // An empty list, or one of other numbers, is what some values are; the file says of every value which key it belongs to.
      const passes = wrong === '[]' || wrong === '0' || (wrong === '[0]' && /^\[[\d,]+\]$/.test(right));
      if (!passes) assert.equal(found, expected, `${JSON.stringify(key)} is ${wrong}`);
    }),
    { numRuns: 2500 },
  );
});

test('a node that has something below it never passes for one that has nothing', () => {
  const all = ['git push', '* push', 'git push *', 'p?sh a'].map((text, at) => rule('deny', 'Bash', text, at + 1));
  const words = [null, 'push'];
  const expected = answer(stored(all).set, (set) => set.meetsCommand('Bash', words));
  assert.ok(expected.length > 0);
  let noticed = 0;
  for (const [key, right] of stored(all).values)
    for (const wrong of ['[[],[]]', '[[],["push"]]', '[["git"],[]]', '[[],[],[],2]']) {
      const { set, values } = stored(all);
      values.set(key, wrong);
      try {
        assert.equal(
          answer(set, (one) => one.meetsCommand('Bash', words)),
          expected,
          `${JSON.stringify(key)}: ${wrong} for ${right}`,
        );
      } catch (error) {
        if (!String(error).includes('damaged: ')) throw error;
        noticed++;
      }
    }
  assert.ok(noticed > 0);
});

test('ten thousand stored rules cost a call no more values than ten', () => {
  const reads = (count: number) => {
    const all = Array.from({ length: count }, (_, at) => [
      rule('allow', 'Bash', `tool${at} run *`),
      rule('allow', 'Bash', `npm run script${at}`),
      rule('deny', 'Bash', `tool${at} * --force`),
      rule('ask', 'Bash', `cmd${at % 7}:*`),
      rule('deny', 'Read', `src/dir${at}/*.ts`),
      rule('allow', 'WebFetch', `domain:*.host${at}.example`),
      rule('deny', 'Agent', `agent${at}`),
      rule('allow', `mcp__srv${at}__run`, null),
      rule('deny', `mcp__bad${at}__*`, null),
    ]).flat();
    const { set, read } = stored(all);
    assert.is(set.coversCommand('Bash', ['tool7', 'run', 'x'], []).length, 1);
    assert.is(set.coversCommand('Bash', ['npm', 'run', 'script3'], []).length, 1);
    assert.is(set.meetsCommand('Bash', ['tool7', 'x', '--force']).length, 1);
    assert.is(set.meetsPath('Read', [locate('/p/a/src/dir4/x.ts', { project: '/p', home: '/h', platform: 'linux' })]).length, 1);
    assert.is(set.coversUrl('WebFetch', 'https://a.host2.example/').length, 1);
    assert.is(set.meetsText('Agent', 'name', 'agent1').length, 1);
    assert.is(set.total('mcp__srv5__run').length, 1);
    assert.is(set.total('mcp__bad5__x').length, 1);
    return read.length;
  };
  const few = reads(10);
  assert.ok(few < 60, String(few));
  // A few more lengths of words are looked for.
  assert.ok(reads(1100) <= few + 5);
});

test.run();
