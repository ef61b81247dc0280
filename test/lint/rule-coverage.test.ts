// "This rule is covered by that one" is a claim about the engine: whatever the narrower rule matches, the wider one matches.
import fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import type { PolicyFile } from '../../src/lint/files/files.js';
import type { RuleInFile } from '../../src/lint/project/project.js';
import { RuleCoverage } from '../../src/lint/project/rule-coverage.js';
import { locate } from '../../src/rule/path/location.js';
import { parseEntry } from '../../src/rule/pattern/entry.js';
import type { Effect, PermissionRule } from '../../src/rule/pattern/permission-rule.js';
import { toolsCovered } from '../../src/rule/pattern/tool-coverage.js';
import { compileRules, type RuleSet } from '../../src/rule/rule-set.js';

const test = suite('rule coverage');
const WHERE = { project: '/project', home: '/home/user', platform: 'linux' as const };

function ruleInFile(effect: Effect, text: string): RuleInFile | null {
  const entry = parseEntry(text);
  if (!entry.ok) return null;
  const source = { file: 'policy.yaml', line: 1, column: 1 };
  const rule: PermissionRule = { effect, tool: entry.tool, pattern: entry.pattern, text, layer: 'project', source };
  return { rule, span: { ...source, endLine: 1, endColumn: 2 }, file: { path: 'policy.yaml' } as PolicyFile };
}

/** Whether a rule, alone, matches: an allow by covering, the others by meeting. */
function matches(rule: PermissionRule, ask: (rules: RuleSet, allow: boolean) => number): boolean {
  const rules = compileRules([rule], toolsCovered);
  return ask(rules, rule.effect === 'allow') > 0;
}

const command = (words: readonly string[]) => (rules: RuleSet, allow: boolean) =>
  rules.total('Bash').length + (allow ? rules.coversCommand('Bash', words, []) : rules.meetsCommand('Bash', words)).length;
const path = (tool: string, file: string) => (rules: RuleSet, allow: boolean) => {
  const location = locate(file, WHERE);
  return rules.total(tool).length + (allow ? rules.coversPath(tool, location) : rules.meetsPath(tool, [location])).length;
};

// An allow with a deny below it is left out: a deny reaches further than an allow with the same text.
const effects = fc.constantFrom<readonly [outer: Effect, inner: Effect]>(
  ['deny', 'allow'],
  ['ask', 'allow'],
  ['deny', 'ask'],
  ['allow', 'allow'],
  ['deny', 'deny'],
  ['ask', 'ask'],
);
const word = fc.constantFrom('git', 'gitk', 'push', 'log', 'a', '-f', '*');
const ending = fc.constantFrom('', ' *', ':*', '*');
const bash = fc.oneof(
  fc.tuple(fc.array(word, { minLength: 1, maxLength: 3 }), ending).map(([words, end]) => `Bash(${words.join(' ')}${end})`),
  fc.constantFrom('Bash', 'Bash(*)', '*', 'B*', 'PowerShell(git *)'),
);
const called = fc.array(fc.constantFrom('git', 'gitk', 'push', 'pushx', 'log', 'a', '-f'), { minLength: 1, maxLength: 4 });

test('commands', () => {
  let covered = 0;
  fc.assert(
    fc.property(
      effects,
      bash,
      bash,
      fc.array(called, { minLength: 5, maxLength: 5 }),
      ([outerEffect, innerEffect], outerText, innerText, calls) => {
        const [outer, inner] = [ruleInFile(outerEffect, outerText), ruleInFile(innerEffect, innerText)];
        if (outer === null || inner === null || new RuleCoverage([outer]).covering(inner) === null) return;
        for (const words of calls) {
          if (!matches(inner.rule, command(words))) continue;
          covered++;
          assert.ok(
            matches(outer.rule, command(words)),
            `${outerEffect} ${outerText} covers ${innerEffect} ${innerText}: ${words.join(' ')}`,
          );
        }
      },
    ),
    { numRuns: 6000 },
  );
  assert.ok(covered > 50, `only ${covered} commands were compared`);
});

const segment = fc.constantFrom('src', 'a', 'a.ts', '*', '**', '.');
const anchor = fc.constantFrom('', './', '/', '//', '~/');
const pattern = fc
  .tuple(anchor, fc.array(segment, { minLength: 1, maxLength: 3 }))
  .map(([start, parts]) => `${start}${parts.join('/')}`);
const tool = fc.constantFrom('Read', 'Edit', 'Write', 'Grep', '*');
const file = fc
  .tuple(
    fc.constantFrom('/project/', '/', '/home/user/', '/project/src/'),
    fc.array(fc.constantFrom('src', 'a', 'a.ts', 'b'), { minLength: 1, maxLength: 3 }),
  )
  .map(([start, parts]) => `${start}${parts.join('/')}`);

const ARGUMENTS: readonly (readonly [outer: string, inner: string, covers: boolean])[] = [
  ['mcp__a__b(x: 1)', 'mcp__a__b(x: 1, y: 2)', true],
  ['mcp__a__b(y: 2, x: 1)', 'mcp__a__b(x:1, y: "2")', false],
  ['mcp__a__b(y: 2, x: 1)', 'mcp__a__b(x:1, y:2)', true],
  ['mcp__a__*(x: 1)', 'mcp__a__b(x: 1)', true],
  ['mcp__a__b', 'mcp__a__b(x: 1)', true],
  ['mcp__a__b(x: 1, y: 2)', 'mcp__a__b(x: 1)', false],
  ['mcp__a__b(x: 1)', 'mcp__a__b(x: 2)', false],
  ['mcp__a__b(x: 1)', 'mcp__a__b', false],
];

test('arguments', () => {
  for (const [outer, inner, covers] of ARGUMENTS) {
    const [wide, narrow] = [ruleInFile('allow', outer), ruleInFile('allow', inner)];
    if (wide === null || narrow === null) throw new Error(`${outer} ${inner}`);
    assert.is(new RuleCoverage([wide]).covering(narrow) !== null, covers, `${outer} ${inner}`);
  }
});

test('paths', () => {
  let covered = 0;
  const files = fc.array(file, { minLength: 5, maxLength: 5 });
  fc.assert(
    fc.property(
      effects,
      tool,
      tool,
      pattern,
      pattern,
      files,
      ([outerEffect, innerEffect], outerTool, innerTool, outerPattern, innerPattern, paths) => {
        const [outerText, innerText] = [`${outerTool}(${outerPattern})`, `${innerTool}(${innerPattern})`];
        const [outer, inner] = [ruleInFile(outerEffect, outerText), ruleInFile(innerEffect, innerText)];
        if (outer === null || inner === null || new RuleCoverage([outer]).covering(inner) === null) return;
        for (const one of paths) {
          if (!matches(inner.rule, path(innerTool, one))) continue;
          covered++;
          assert.ok(
            matches(outer.rule, path(innerTool, one)),
            `${outerEffect} ${outerText} covers ${innerEffect} ${innerText}: ${one}`,
          );
        }
      },
    ),
    { numRuns: 8000 },
  );
  assert.ok(covered > 50, `only ${covered} paths were compared`);
});

test.run();
