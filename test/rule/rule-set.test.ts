import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { indexRules } from '../../src/rule/index/rule-index.js';
import { locate } from '../../src/rule/path/location.js';
import { coverReadings, isConclusive, meetGlobs, readingCovers } from '../../src/rule/pattern/command-pattern.js';
import type { Effect, PermissionRule } from '../../src/rule/pattern/permission-rule.js';
import { wildcardsMatchWords } from '../../src/rule/pattern/wildcard.js';
import { compileAll, compileRules, patternKinds, patternMistakes } from '../../src/rule/rule-set.js';
import { rule, sameName, texts } from './rules.js';

const anchors = { project: '/p', home: '/home/u', platform: 'linux' } as const;

function made(effect: Effect, tool: string, pattern: string): PermissionRule {
  return { effect, tool, pattern, text: `${tool}(${pattern})`, layer: 'project', source: { file: 'p', line: 1, column: 1 } };
}

const words = fc.constantFrom('git', 'push', 'pus', 'a', 'a b', '', './x/', './x/y', '/bin/git', '--f', '*', 'p?');
const patternText = fc
  .array(fc.constantFrom('git', 'push', 'pus*', 'p?sh', '*', 'a', '"a b"', '--f', './x/*', 'a*b'), { minLength: 1, maxLength: 4 })
  .chain((parts) => fc.constantFrom('', ':*', '*', ' *').map((end) => parts.join(' ') + end))
  .filter((text) => !/^\*\*?$/.test(text));

test('the index finds the ask and deny rules that a scan of all rules finds', () => {
  fc.assert(
    fc.property(
      fc.array(patternText, { maxLength: 12 }),
      fc.array(fc.option(words, { freq: 6 }), { maxLength: 5 }),
      (patterns, command) => {
        const rules = patterns.map((pattern) => made('deny', 'Bash', pattern));
        const found = compileRules(rules, sameName)
          .meetsCommand('Bash', command)
          .map((one) => one.rule);
        const scanned = rules.filter((one) =>
          meetGlobs(one.pattern ?? '').some((glob) => spellings(command).some((spelled) => wildcardsMatchWords(glob, spelled))),
        );
        assert.equal(found, scanned);
      },
    ),
    { numRuns: 1000 },
  );
});

/** The command as it stands and by its base name; each also with white space collapsed. */
function spellings(command: readonly (string | null)[]): (string | null)[][] {
  const base = command[0]?.split('/').at(-1);
  const named = base === undefined || base === '' ? [[...command]] : [[...command], [base, ...command.slice(1)]];
  return named.flatMap((one) => [
    one,
    one.flatMap((word) => (word === null ? null : word.split(' ').filter((part) => part !== ''))),
  ]);
}

test('the index finds the allow rules that a scan of all rules finds', () => {
  const issue = fc.record({ word: fc.integer({ min: -1, max: 4 }), option: fc.option(fc.constantFrom('--f', 'a')) });
  fc.assert(
    fc.property(
      fc.array(patternText, { maxLength: 12 }),
      fc.array(words, { maxLength: 5 }),
      fc.array(issue, { maxLength: 1 }),
      (patterns, command, issues) => {
        const rules = patterns.map((pattern) => made('allow', 'Bash', pattern));
        const found = compileRules(rules, sameName)
          .coversCommand('Bash', command, issues)
          .map((one) => one.rule);
        const scanned = rules.filter((one) =>
          coverReadings(one.pattern ?? '').some(
            (reading) =>
              reading.words.every((word, at) => word === command[at]) &&
              readingCovers(reading, command) &&
              isConclusive(reading, command, issues),
          ),
        );
        assert.equal(found, scanned);
      },
    ),
    { numRuns: 1000 },
  );
});

test('what an allow covers, a deny with the same pattern meets', () => {
  fc.assert(
    fc.property(patternText, fc.array(words, { minLength: 1, maxLength: 5 }), (pattern, command) => {
      const rules = compileRules([made('allow', 'Bash', pattern), made('deny', 'Bash', pattern)], sameName);
      if (rules.coversCommand('Bash', command, []).length === 0) return;
      assert.is(rules.meetsCommand('Bash', command).length, 1);
    }),
    { numRuns: 1000 },
  );
});

test('a word that becomes unknown never frees a command from a deny', () => {
  fc.assert(
    fc.property(patternText, fc.array(words, { minLength: 1, maxLength: 5 }), fc.nat(4), (pattern, command, at) => {
      const rules = compileRules([made('deny', 'Bash', pattern)], sameName);
      if (rules.meetsCommand('Bash', command).length === 0) return;
      const unknown = command.map((word, index) => (index === at ? null : word));
      assert.is(rules.meetsCommand('Bash', unknown).length, 1);
    }),
    { numRuns: 1000 },
  );
});

const names = fc.array(fc.constantFrom('src', 'a', 'b.ts', '.env', 'x'), { minLength: 1, maxLength: 5 });
const pathText = fc
  .tuple(
    fc.constantFrom('', '/', '//', '~/', './', '**/'),
    fc.array(fc.constantFrom('src', 'a', '*.ts', '**', '*', '.e*', 'p'), { minLength: 1, maxLength: 4 }),
  )
  .map(([start, parts]) => start + parts.join('/'))
  .filter((text) => !/^\*\*?$/.test(text));

test('many path rules together find what each finds alone', () => {
  fc.assert(
    fc.property(
      fc.array(pathText, { maxLength: 10 }),
      names,
      fc.constantFrom('/p/', '/', '/home/u/'),
      (patterns, path, start) => {
        const place = locate(start + path.join('/'), anchors);
        for (const effect of ['allow', 'deny'] as const) {
          const rules = patterns.map((pattern) => made(effect, 'Read', pattern));
          const ask = (some: PermissionRule[]) => {
            const set = compileRules(some, sameName);
            return (effect === 'allow' ? set.coversPath('Read', place) : set.meetsPath('Read', [place])).map((one) => one.rule);
          };
          assert.equal(
            ask(rules),
            rules.flatMap((one) => ask([one])),
          );
        }
      },
    ),
    { numRuns: 300 },
  );
});

test('the order of rules changes what is found only in order', () => {
  fc.assert(
    fc.property(fc.uniqueArray(patternText, { maxLength: 8 }), fc.array(words, { maxLength: 4 }), (patterns, command) => {
      const rules = patterns.map((pattern) => made('ask', 'Bash', pattern));
      const found = (some: PermissionRule[]) => texts(compileRules(some, sameName).meetsCommand('Bash', command)).sort();
      assert.equal(found(rules), found([...rules].reverse()));
    }),
    { numRuns: 200 },
  );
});

test('compiled data survives JSON: a snapshot decides like the rules it was made from', () => {
  const rules = [
    rule('deny', 'Bash(git push --force*)'),
    rule('allow', 'Bash(git * main)'),
    rule('allow', 'Read(src/*.{ts,tsx})'),
    rule('deny', 'WebFetch(domain:*.example.com)'),
    rule('ask', 'Agent(re*)'),
  ];
  const stored = JSON.parse(JSON.stringify(compileAll(rules, sameName))) as ReturnType<typeof compileAll>;
  const set = indexRules(stored, sameName);
  assert.equal(texts(set.meetsCommand('Bash', ['git', 'push', '--force-with-lease'])), ['Bash(git push --force*)']);
  assert.equal(texts(set.coversCommand('Bash', ['git', 'push', 'main'], [])), ['Bash(git * main)']);
  assert.equal(texts(set.coversPath('Read', locate('/p/src/a.tsx', anchors))), ['Read(src/*.{ts,tsx})']);
  assert.equal(texts(set.meetsUrl('WebFetch', 'https://a.example.com')), ['WebFetch(domain:*.example.com)']);
  assert.equal(texts(set.meetsText('Agent', 'name', 'reviewer')), ['Agent(re*)']);
});

test('rules speak for the tools that their tool name covers, and only for them', () => {
  const rules = compileRules([rule('deny', '*(rm *)'), rule('ask', 'mcp__srv__*'), rule('allow', 'Read(src/**)')], sameName);
  assert.equal(texts(rules.meetsCommand('Bash', ['rm', 'x'])), ['*(rm *)']);
  assert.equal(texts(rules.meetsCommand('mcp__other__run', ['rm', 'x'])), ['*(rm *)']);
  assert.equal(texts(rules.total('mcp__srv__run')), ['mcp__srv__*']);
  assert.equal(texts(rules.total('mcp__other__run')), []);
  assert.equal(texts(rules.coversPath('Write', locate('/p/src/a', anchors))), []);
  assert.equal(texts(rules.patterned('Bash')), ['*(rm *)']);
  assert.equal(texts(rules.total('__proto__')), []);
});

test('more tools than are remembered are still answered', () => {
  const rules = compileRules([rule('deny', 'mcp__a__*'), rule('deny', 'mcp__b__*')], sameName);
  for (let at = 0; at < 2500; at++) assert.is(rules.total(`mcp__${at % 2 === 0 ? 'a' : 'b'}__${at}`).length, 1);
  assert.is(rules.total('mcp__c__0').length, 0);
});

test('what a pattern may be about follows from the tools that it covers', () => {
  assert.equal(patternKinds(rule('deny', 'Bash(x)'), sameName), ['command']);
  assert.equal(patternKinds(rule('deny', 'Grep(x)'), sameName), ['path']);
  assert.equal(patternKinds(rule('deny', 'mcp__a__b(x)'), sameName), ['command', 'path', 'url', 'name']);
});

test('a restriction that cannot be compiled meets every call, a permission none', () => {
  const deny = rule('deny', 'Read(../secret/**)');
  assert.equal(texts(compileRules([deny], sameName).meetsPath('Read', [locate('/p/a', anchors)])), ['Read(../secret/**)']);
  assert.is(patternMistakes(deny, sameName)[0]?.code, 'rule/path-parent');
  const allow = rule('allow', 'Read(../secret/**)');
  assert.equal(compileRules([allow], sameName).coversPath('Read', locate('/secret/a', anchors)), []);
  const broken = made('deny', 'Bash', 'rm \u0000');
  assert.is(compileRules([broken], sameName).meetsCommand('Bash', ['ls']).length, 1);
  assert.is(compileRules([made('allow', 'Bash', 'rm \u0000*')], sameName).coversCommand('Bash', ['rm', ''], []).length, 0);
});

test('a restriction on a tool of unknown kind is read as a path only when it may be one', () => {
  assert.equal(patternMistakes(rule('deny', 'mcp__a__b(rm -rf ../x)'), sameName), []);
  assert.is(patternMistakes(rule('deny', 'mcp__a__b(../x)'), sameName)[0]?.code, 'rule/path-parent');
  const command = compileRules([rule('deny', 'mcp__a__b(rm -rf ../x)')], sameName);
  assert.is(command.meetsPath('mcp__a__b', [locate('/p/a', anchors)]).length, 0);
  assert.is(command.meetsCommand('mcp__a__b', ['rm', '-rf', '../x']).length, 1);
});

test('ten thousand rules cost a call no more comparisons than ten', () => {
  const comparisons = (count: number) => {
    const rules = Array.from({ length: count }, (_, at) => [
      made('allow', 'Bash', `tool${at} run *`),
      made('allow', 'Bash', `npm run script${at}`),
      made('deny', 'Bash', `tool${at} * --force`),
      made('ask', 'Bash', `npm publish${at}*`),
      made('deny', 'Read', `src/dir${at}/*.ts`),
      made('allow', 'Read', `name${at}`),
      made('allow', 'WebFetch', `domain:*.host${at}.example`),
      made('deny', 'Agent', `agent${at}`),
    ]).flat();
    const set = compileRules(rules, sameName);
    assert.is(set.coversCommand('Bash', ['tool7', 'run', 'x'], []).length, 1);
    assert.is(set.coversCommand('Bash', ['npm', 'run', 'script3'], []).length, 1);
    assert.is(set.meetsCommand('Bash', ['tool7', 'x', '--force']).length, 1);
    assert.is(set.meetsCommand('Bash', ['npm', 'publish5x']).length, 1);
    assert.is(set.meetsPath('Read', [locate('/p/a/src/dir4/x.ts', anchors)]).length, 1);
    assert.is(set.coversPath('Read', locate('/p/a/name3/b', anchors)).length, 1);
    assert.is(set.coversUrl('WebFetch', 'https://a.host2.example/').length, 1);
    assert.is(set.meetsText('Agent', 'name', 'agent1').length, 1);
    return set.comparisons();
  };
  const few = comparisons(10);
  assert.ok(few > 0 && few < 20, String(few));
  assert.is(comparisons(1250), few);
});

test.run();
