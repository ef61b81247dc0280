// What lint says about covered rules of a policy is what the engine does: every command that it names as an example is decided so.
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { decide } from '../../src/decide/decide.js';
import { analyse } from '../../src/decide/flow/analysis.js';
import { compilePolicy } from '../../src/decide/policy/compile.js';
import { gatherFacts } from '../../src/enforce/facts/gather.js';
import type { PolicyFile } from '../../src/lint/files/files.js';
import type { RuleInFile } from '../../src/lint/project/project.js';
import { RuleCoverage } from '../../src/lint/project/rule-coverage.js';
import { composePolicy } from '../../src/policy/compose.js';
import { parsePolicy } from '../../src/policy/document.js';
import { type Effect, stricter } from '../../src/rule/pattern/permission-rule.js';
import { rule } from '../rule/rules.js';
import { todaysRuns } from '../sweep.js';

const test = suite('examples of covered commands');

function decided(rules: readonly RuleInFile[], command: string): Effect {
  const list = (effect: Effect) => JSON.stringify(rules.filter((one) => one.rule.effect === effect).map((one) => one.rule.text));
  const text = `version: 1\nallow: ${list('allow')}\nask: ${list('ask')}\ndeny: ${list('deny')}\n`;
  const { document, problems } = parsePolicy(text, { file: 'policy.yaml', format: 'yaml', layer: 'project' });
  if (document === null) throw new Error(JSON.stringify(problems));
  const compiled = compilePolicy(composePolicy([{ layer: 'project', trusted: true, document }], { repository: null }).policy);
  const call = { tool: 'Bash', input: { command }, cwd: '/nowhere', headless: false, shell: 'bash' as const };
  const analysis = analyse(call);
  const surroundings = {
    project: '/nowhere',
    home: '/home/nobody',
    platform: 'linux' as const,
    environment: {},
    ownDirectories: [],
    budget: null,
  };
  return decide(compiled, call, gatherFacts(analysis, call.cwd, surroundings), analysis).decision;
}

function inFile(effect: Effect, pattern: string): RuleInFile {
  const source = { file: 'policy.yaml', line: 1, column: 1 };
  return {
    rule: rule(effect, `Bash(${pattern})`),
    span: { ...source, endLine: 1, endColumn: 2 },
    file: { path: 'policy.yaml' } as PolicyFile,
  };
}

function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const PROGRAMS = [
  'git',
  'git',
  'npm',
  'npm run',
  'cargo',
  'ls',
  'cat',
  'make',
  'echo',
  'tar',
  'timeout 5 npm',
  'node',
  './tools/x',
  'curl',
];
const WORDS = [
  'status',
  'log',
  'push',
  'test',
  '--force',
  '-la',
  'x',
  '"a b"',
  "'x'",
  '*',
  'a*',
  '--stat',
  'origin',
  'src/a.ts',
  './b/*',
  'test:unit',
  '-f',
];
const ENDINGS = ['', '', ' *', ' *', ':*', '*'];
const EFFECTS: readonly (readonly [outer: Effect, inner: Effect])[] = [
  ['deny', 'allow'],
  ['ask', 'allow'],
  ['deny', 'ask'],
  ['allow', 'allow'],
  ['allow', 'allow'],
  ['ask', 'ask'],
  ['deny', 'deny'],
];

const PAIRS = todaysRuns(2_500, 4);

test(`${PAIRS} pairs of rules as people write them`, () => {
  const roll = dice(11);
  const pick = (list: readonly string[]) => list[roll(list.length)] ?? '';
  const pattern = () => `${pick(PROGRAMS)}${Array.from({ length: roll(3) }, () => ` ${pick(WORDS)}`).join('')}${pick(ENDINGS)}`;
  const told = new Map<string, number>();
  let untold = 0;
  for (let round = 0; round < PAIRS; round++) {
    const [outerEffect, innerEffect] = EFFECTS[roll(EFFECTS.length)] ?? ['deny', 'allow'];
    const outerPattern = roll(5) === 0 ? `* ${pick(WORDS)}` : pattern();
    const innerPattern = roll(2) === 0 ? pattern() : `${outerPattern.replace(/:?\*$/, '')} ${pick(WORDS)}${pick(ENDINGS)}`;
    const [outer, inner] = [inFile(outerEffect, outerPattern), inFile(innerEffect, innerPattern.replace(/ +/g, ' '))];
    const covering = new RuleCoverage([outer]).covering(inner);
    if (covering === null) continue;
    const pair = `${outerEffect} ${outer.rule.text}, ${innerEffect} ${inner.rule.text}: ${covering.witness}`;
    assert.is.not(covering.witness, '', pair);
    if (covering.witness === null) {
      untold++;
      continue;
    }
    const { witness } = covering;
    const alone = decided([outer], witness);
    told.set(`${outerEffect} ${innerEffect}`, (told.get(`${outerEffect} ${innerEffect}`) ?? 0) + 1);
    if (outerEffect === 'allow') {
      // What the narrower rule allows the wider one allows without it.
      assert.is(alone, 'allow', pair);
      assert.is(decided([inner], witness), 'allow', pair);
    } else {
      assert.is(stricter(alone, outerEffect), alone, pair);
      assert.is(decided([outer, inner], witness), alone, pair);
    }
  }
  assert.ok(untold < PAIRS / 100, `${untold} pairs without an example`);
  for (const [outer, inner] of EFFECTS) assert.ok((told.get(`${outer} ${inner}`) ?? 0) >= PAIRS / 200, JSON.stringify([...told]));
});

test.run();
