/** Composition: rules unite, the nearest trusted layer wins, managed binds, the lock tightens, strangers only tighten. */
import fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { PolicyLayer, PolicyLayerName } from '../../src/policy/layers.js';
import type { ComposedPolicy } from '../../src/policy/policy.js';
import { settingKeys } from '../../src/policy/settings.js';
import { MANAGERS_ONLY } from '../../src/policy/strictness.js';
import { compose, layer, noted } from './composing.js';

/** A loosening and a tightening value of each setting against `base`, and how to read the outcome. */
interface Case {
  readonly key: string;
  readonly base: string;
  readonly looser: string;
  readonly tighter: string;
  readonly read: (policy: ComposedPolicy) => unknown;
  readonly values: { readonly base: unknown; readonly looser: unknown; readonly tighter: unknown };
}

const CASES: readonly Case[] = [
  one('preset', 'preset', 'inspect', 'safe', 'readOnly', (policy) => policy.preset?.name),
  one('default', 'default', 'ask', 'accept_edits', 'deny', (policy) => policy.default),
  one('agents.missingTools', 'agents: {missingTools', 'dialect', 'inherit', 'deny', (policy) => policy.agents.missingTools),
  one('sequential.maxConcurrent', 'sequential: {maxConcurrent', 2, 3, 1, (policy) => policy.sequential.maxConcurrent),
  one('budget.tokens', 'budget: {tokens', 100, 101, 99, (policy) => policy.budget.tokens),
  one('budget.calls', 'budget: {calls', 100, 101, 99, (policy) => policy.budget.calls),
  one('budget.seconds', 'budget: {seconds', 100, 101, 0, (policy) => policy.budget.seconds),
  one('budget.perAgent', 'budget: {perAgent: {researcher', 100, 101, 99, (policy) => policy.budget.perAgent.researcher),
  one('tiers.safe', 'tiers: {safe', 'ask', 'allow', 'deny', (policy) => policy.tiers.safe),
  one('tiers.moderate', 'tiers: {moderate', 'ask', 'allow', 'deny', (policy) => policy.tiers.moderate),
  one('tiers.dangerous', 'tiers: {dangerous', 'ask', 'allow', 'deny', (policy) => policy.tiers.dangerous),
  one('custom_tools', 'custom_tools: [{name: X, tier', 'moderate', 'safe', 'dangerous', (policy) => policy.customTools[0]?.tier),
];

function one(key: string, open: string, base: unknown, looser: unknown, tighter: unknown, read: Case['read']): Case {
  const close = [...open]
    .map((char) => (char === '{' ? '}' : char === '[' ? ']' : ''))
    .reverse()
    .join('');
  const write = (value: unknown) => `${open}: ${value}${close}`;
  return { key, base: write(base), looser: write(looser), tighter: write(tighter), read, values: { base, looser, tighter } };
}

for (const { key, base, looser, tighter, read, values } of CASES) {
  for (const name of ['project?', 'local?'] as const) {
    test(`trust: an untrusted ${name} cannot loosen ${key}`, () => {
      const policy = compose(layer('user', base), layer(name, looser));
      assert.is(read(policy), values.base);
      assert.is(policy.notes[0]?.code, 'layer/untrusted-setting');
      assert.is(policy.notes[0]?.source?.line, 2);
    });

    test(`trust: an untrusted ${name} can tighten ${key}`, () => {
      const policy = compose(layer('user', base), layer(name, tighter));
      assert.is(read(policy), values.tighter);
      assert.equal(policy.notes, []);
    });
  }

  test(`nearest: a trusted project may loosen and tighten ${key}`, () => {
    assert.is(read(compose(layer('user', base), layer('project', looser))), values.looser);
    assert.is(read(compose(layer('user', base), layer('project', tighter))), values.tighter);
    assert.is(read(compose(layer('project', base), layer('user', looser))), values.base);
    assert.is(read(compose(layer('project', base), layer('local', looser))), values.looser);
    assert.is(read(compose(layer('local', base), layer('cli', looser))), values.looser);
  });

  for (const name of ['user', 'project', 'local', 'cli'] as const) {
    test(`managed: ${name} cannot loosen ${key} below what managed says`, () => {
      const policy = compose(layer('managed', base), layer(name, looser));
      assert.is(read(policy), values.base);
      assert.is(policy.notes[0]?.code, 'managed/bound');
      assert.match(policy.notes[0]?.message ?? '', /managed\.yaml:2/);
      assert.is(read(compose(layer('managed', base), layer(name, tighter))), values.tighter);
    });

    test(`lock: with the lock set, ${name} cannot loosen ${key}`, () => {
      const lock = 'security: {disable_bypass_permissions: true}';
      const far = name === 'user' ? 'managed' : 'user';
      const policy = compose(layer(far, `${base}\n${lock}`), layer(name, looser));
      assert.is(read(policy), values.base);
      assert.is(policy.locked, true);
      assert.is(policy.notes[0]?.code, 'lock/loosening-ignored');
      assert.match(policy.notes[0]?.message ?? '', /security\.disable_bypass_permissions is set/);
      assert.is(read(compose(layer(far, `${base}\n${lock}`), layer(name, tighter))), values.tighter);
    });
  }
}

/** What a stranger's repository may do when nobody else wrote anything. */
const STRANGER: readonly [yaml: string, read: (policy: ComposedPolicy) => unknown, expected: unknown, why: string][] = [
  ['default: allow', (p) => p.default, null, 'looser than no default'],
  ['default: auto', (p) => p.default, null, 'looser than no default'],
  ['default: accept_edits', (p) => p.default, null, 'lets writes pass'],
  ['default: plan', (p) => p.default, null, 'lets reads pass outside the project'],
  ['default: ask', (p) => p.default, 'ask', 'asks also for project reads'],
  ['default: deny', (p) => p.default, 'deny', 'strictest'],
  ['preset: all', (p) => p.preset, null, 'loosest'],
  ['preset: safe', (p) => p.preset, null, 'lets edits pass'],
  ['preset: inspect', (p) => p.preset?.provenReads, false, 'proven shell reads would have been asked'],
  ['preset: readOnly', (p) => p.preset?.otherwise, 'deny', 'denies everything but project reads'],
  ['tiers: {safe: allow}', (p) => p.tiers.safe, undefined, 'a grant'],
  ['tiers: {dangerous: ask}', (p) => p.tiers.dangerous, 'ask', 'no default is written: nothing looser than ask'],
  ['tiers: {dangerous: deny}', (p) => p.tiers.dangerous, 'deny', 'strictest'],
  ['custom_tools: [{name: X, tier: dangerous}]', (p) => p.customTools.length, 0, 'a declaration is a grant of some tier'],
  ['agents: {missingTools: inherit}', (p) => p.agents.missingTools, 'dialect', 'looser than dialect'],
  ['agents: {missingTools: deny}', (p) => p.agents.missingTools, 'deny', 'strictest'],
  ['sequential: {mode: queue}', (p) => p.sequential.mode, 'reject', 'looser than reject'],
  ['sequential: {maxConcurrent: 2}', (p) => p.sequential.maxConcurrent, 1, 'looser than one'],
  ['budget: {tokens: 5}', (p) => p.budget.tokens, 5, 'any limit is stricter than none'],
  ['budget: {perAgent: {a: 5}}', (p) => p.budget.perAgent.a, 5, 'any limit is stricter than none'],
  ['hook: {grant: never}', (p) => p.hook.grant, 'never', 'keeps the runner prompt'],
  ['hook: {grant: explicit}', (p) => p.hook.grant, 'explicit', 'the default anyway'],
  ['log: {input: full}', (p) => p.log.input, 'masked', 'has no order, so it is ignored'],
  ['isolation: container', (p) => p.isolation, null, 'is a declaration that a stranger cannot make'],
  ['log: {input: none}', (p) => p.log.input, 'masked', 'has no order, so it is ignored'],
  ['lint: {rules: {a/b: off}}', (p) => Object.keys(p.lint.rules), [], 'has no order, so it is ignored'],
  ['lint: {ignores: [{rule: a/b}]}', (p) => p.lint.ignores, [], 'an accepted finding is a grant'],
  ['protectedBranches: [main]', (p) => p.protectedBranches, ['main'], 'more protection'],
  ['run: {environment: [AWS_*]}', (p) => p.run.environment, [], 'a variable more is a grant'],
  ['harmlessVariables: [FOO]', (p) => p.harmlessVariables, [], 'a variable more is a grant'],
  ['security: {disable_bypass_permissions: true}', (p) => p.locked, true, 'the lock tightens'],
  ['trustedRepos: [/repo]', (p) => p.trustedRepos, [], 'managers only'],
  ['protected: {except: [.git]}', (p) => p.except, [], 'managers only'],
  ['mode: observe', (p) => p.mode, 'enforce', 'managers only'],
  ['onAsk: allow', (p) => p.onAsk, 'ask', 'managers only'],
  ['onAsk: deny', (p) => p.onAsk, 'ask', 'managers only, even when stricter'],
];

for (const [yaml, read, expected, why] of STRANGER) {
  test(`stranger: ${yaml} (${why})`, () => {
    assert.equal(read(compose(layer('project?', yaml))), expected);
  });
}

test('stranger: tiers ask is looser than a written default deny', () => {
  const policy = compose(layer('user', 'default: deny'), layer('project?', 'tiers: {safe: ask, moderate: deny}'));
  assert.equal(policy.tiers, { moderate: 'deny' });
});

test('stranger: the reads of readOnly do not pass where the default denies them', () => {
  const policy = compose(layer('user', 'default: deny'), layer('project?', 'preset: readOnly'));
  assert.ok(policy.preset?.rules.every((rule) => rule.effect === 'deny'));
});

test('stranger: the reads of readOnly are asked for where a tier asks', () => {
  const policy = compose(layer('user', 'tiers: {safe: ask}'), layer('project?', 'preset: readOnly'));
  assert.ok(policy.preset?.rules.every((rule) => rule.effect === 'ask'));
});

test('stranger: a stricter preset replaces a trusted one as it is', () => {
  const policy = compose(layer('user', 'preset: safe'), layer('project?', 'preset: inspect'));
  assert.is(policy.preset?.provenReads, true);
  assert.is(policy.preset?.name, 'inspect');
});

test('stranger: allow rules are ignored, each with its place; ask and deny rules count', () => {
  const policy = compose(layer('project?', 'allow: [Read, "Bash(npm *)"]\nask: [Edit]\ndeny: [Write]'));
  assert.equal(
    policy.rules.map((rule) => `${rule.effect} ${rule.text}`),
    ['ask Edit', 'deny Write'],
  );
  assert.equal(noted(policy), ['layer/untrusted-allow project.yaml:2:9', 'layer/untrusted-allow project.yaml:2:15']);
});

const strangersAsk: readonly (readonly [string, string, string])[] = [
  ['default: deny', 'ask: [WebFetch]', 'deny WebFetch'],
  ['default: plan', 'ask: [WebFetch]', 'deny WebFetch'],
  ['tiers: {dangerous: deny}', 'ask: [Bash]', 'deny Bash'],
  ['default: ask', 'ask: [WebFetch]', 'ask WebFetch'],
  ['default: allow', 'ask: [WebFetch]', 'ask WebFetch'],
  ['deny: [Read]', 'default: deny\nask: [WebFetch]', 'ask WebFetch'],
];
for (const [user, project, expected] of strangersAsk)
  test(`stranger: over ${user}, ${project.replace('\n', ', ')} is ${expected}: an ask must not open what was closed`, () => {
    const { rules } = compose(layer('user', user), layer('project?', project));
    const { effect, text } = rules.at(-1) ?? {};
    assert.is(`${effect} ${text}`, expected);
  });

test('nearest: a trusted ask rule stays one over default: deny', () => {
  const { rules } = compose(layer('user', 'default: deny'), layer('project', 'ask: [WebFetch]'));
  assert.is(rules[0]?.effect, 'ask');
});

test('a nested policy (an untrusted project layer after a trusted one) can only tighten', () => {
  const policy = compose(
    layer('project', 'default: ask\nallow: [Read]'),
    layer('project?', 'default: allow\nallow: [Bash]\ndeny: [Write]'),
  );
  assert.is(policy.default, 'ask');
  assert.equal(
    policy.rules.map((rule) => rule.text),
    ['Read', 'Write'],
  );
});

test('extends: a base is a layer of the same name before its document', () => {
  const policy = compose(
    layer('project', 'default: deny\nbudget: {tokens: 5}\ndeny: [Write]'),
    layer('project', 'default: ask\nallow: [Read]'),
  );
  assert.is(policy.default, 'ask');
  assert.is(policy.budget.tokens, 5);
  assert.equal(
    policy.rules.map((rule) => rule.text),
    ['Write', 'Read'],
  );
});

for (const name of ['project', 'local', 'cli'] as const) {
  for (const yaml of ['mode: observe', 'onAsk: allow', 'trustedRepos: [/repo]', 'protected: {except: [x]}']) {
    test(`managers only: ${yaml} in a trusted ${name} is ignored and said`, () => {
      const policy = compose(layer(name, yaml));
      assert.is(policy.notes[0]?.code, 'layer/managers-only');
      assert.is(policy.mode, 'enforce');
      assert.is(policy.onAsk, 'ask');
      assert.equal(policy.trustedRepos, []);
      assert.equal(policy.except, []);
    });
  }
}

for (const name of ['managed', 'user'] as const) {
  test(`managers only: ${name} may write all four`, () => {
    const policy = compose(layer(name, 'mode: observe\nonAsk: allow\ntrustedRepos: [/repo]\nprotected: {except: [x]}'));
    assert.is(policy.mode, 'observe');
    assert.is(policy.onAsk, 'allow');
    assert.equal(policy.trustedRepos, ['/repo']);
    assert.equal(policy.except, ['x']);
    assert.equal(policy.notes, []);
  });
}

const LOCK = 'security: {disable_bypass_permissions: true}';

const LOCKED: readonly [
  name: string,
  layers: readonly PolicyLayer[],
  read: (policy: ComposedPolicy) => unknown,
  expected: unknown,
  codes: readonly string[],
][] = [
  [
    'default allow below the lock',
    [layer('managed', LOCK), layer('user', 'default: allow')],
    (p) => p.default,
    null,
    ['lock/bypass-ignored'],
  ],
  [
    'default auto below the lock',
    [layer('user', LOCK), layer('project', 'default: auto')],
    (p) => p.default,
    null,
    ['lock/bypass-ignored'],
  ],
  ['default ask below the lock', [layer('managed', LOCK), layer('user', 'default: ask')], (p) => p.default, 'ask', []],
  [
    'observe below the lock',
    [layer('managed', LOCK), layer('user', 'mode: observe')],
    (p) => p.mode,
    'enforce',
    ['lock/bypass-ignored'],
  ],
  ['observe in the layer that locks', [layer('managed', `${LOCK}\nmode: observe`)], (p) => p.mode, 'observe', []],
  [
    'onAsk allow, even in the layer that locks',
    [layer('user', `${LOCK}\nonAsk: allow`)],
    (p) => p.onAsk,
    'ask',
    ['lock/bypass-ignored'],
  ],
  [
    'preset all, even in the layer that locks',
    [layer('managed', `${LOCK}\npreset: all\ntrustedRepos: [/repo]`)],
    (p) => p.preset,
    null,
    ['lock/bypass-ignored'],
  ],
  ['preset safe below the lock', [layer('managed', LOCK), layer('project', 'preset: safe')], (p) => p.preset?.name, 'safe', []],
  [
    'an exception below the lock',
    [layer('managed', LOCK), layer('user', 'protected: {except: [x]}')],
    (p) => p.except,
    [],
    ['lock/loosening-ignored'],
  ],
  [
    'an exception above the lock',
    [layer('managed', 'protected: {except: [x]}'), layer('user', LOCK)],
    (p) => p.except,
    ['x'],
    [],
  ],
  [
    'trusted repositories below the lock',
    [layer('managed', LOCK), layer('user', 'trustedRepos: [/x]')],
    (p) => p.trustedRepos,
    [],
    ['lock/loosening-ignored'],
  ],
  [
    'allow rules of the command line',
    [layer('user', LOCK), layer('cli', 'allow: [Read]')],
    (p) => p.rules.length,
    0,
    ['lock/allow-ignored'],
  ],
  ['deny rules of the command line', [layer('user', LOCK), layer('cli', 'deny: [Read]')], (p) => p.rules.length, 1, []],
  ['allow rules of a trusted project', [layer('user', LOCK), layer('project', 'allow: [Read]')], (p) => p.rules.length, 1, []],
  [
    'a total rule below the lock',
    [layer('user', LOCK), layer('project', 'allow: ["Bash(*)"]')],
    (p) => p.rules.length,
    0,
    ['lock/total-rule'],
  ],
  [
    'a total rule for every tool below the lock',
    [layer('managed', LOCK), layer('user', 'allow: ["*"]')],
    (p) => p.rules.length,
    0,
    ['lock/total-rule'],
  ],
  [
    'a total rule in disguise below the lock',
    [layer('managed', LOCK), layer('local', 'allow: ["b*H(**)"]')],
    (p) => p.rules.length,
    0,
    ['lock/total-rule'],
  ],
  ['a total deny below the lock', [layer('managed', LOCK), layer('local', 'deny: [Bash]')], (p) => p.rules.length, 1, []],
  ['a total rule of managed itself', [layer('managed', `${LOCK}\nallow: [Bash]`)], (p) => p.rules.length, 1, []],
  [
    'a lock set by a stranger',
    [layer('user', 'allow: [Bash]'), layer('project?', LOCK), layer('local', 'allow: [Bash]')],
    (p) => p.rules.length,
    1,
    ['lock/total-rule'],
  ],
  [
    'unlocking from below',
    [layer('managed', LOCK), layer('user', 'security: {disable_bypass_permissions: false}')],
    (p) => p.locked,
    true,
    ['lock/loosening-ignored'],
  ],
];

for (const [name, layers, read, expected, codes] of LOCKED) {
  test(`lock: ${name}`, () => {
    const policy = compose(...layers);
    assert.equal(read(policy), expected);
    assert.equal(
      policy.notes.map((note) => note.code),
      codes,
    );
  });
}

test('lock: the strictest of all written values wins, wherever it stands', () => {
  const policy = compose(
    layer('managed', LOCK),
    layer('user', 'preset: readOnly'),
    layer('project', 'preset: safe'),
    layer('local', 'preset: inspect'),
  );
  assert.is(policy.preset?.name, 'readOnly');
  assert.equal(noted(policy), ['lock/loosening-ignored project.yaml:2:9', 'lock/loosening-ignored local.yaml:2:9']);
});

test('lock: of ask and plan neither is stricter, so deny counts', () => {
  for (const values of [
    ['plan', 'ask'],
    ['ask', 'plan'],
    ['plan', 'accept_edits'],
  ]) {
    const policy = compose(
      layer('managed', LOCK),
      layer('user', `default: ${values[0]}`),
      layer('project', `default: ${values[1]}`),
    );
    assert.is(policy.default, 'deny');
    assert.equal(noted(policy), ['lock/strictest project.yaml:2:10']);
  }
});

test('lock: one that a stranger sets does not turn ask into plan, which would let reads pass', () => {
  const policy = compose(layer('user', 'default: plan'), layer('project', 'default: ask'), layer('project?', LOCK));
  assert.is(policy.default, 'deny');
});

test('preset all for a repository that is not trusted is a problem, and no preset', () => {
  const policy = compose(layer('project', 'preset: all'));
  assert.is(policy.preset, null);
  assert.equal(
    policy.problems.map(({ code, source }) => `${code} ${source.file}:${source.line}:${source.column}`),
    ['preset/all-untrusted project.yaml:2:9'],
  );
});

test('preset all for a repository that the user trusts', () => {
  const policy = compose(layer('user', 'trustedRepos: [/other, /repo/]'), layer('project', 'preset: all'));
  assert.is(policy.preset?.name, 'all');
  assert.equal(policy.problems, []);
});

test('preset all: a path that only starts like a trusted one is not trusted', () => {
  assert.is(compose(layer('user', 'trustedRepos: [/rep, /repo-evil, /]'), layer('project', 'preset: all')).preset, null);
});

test('protected branches of all layers unite', () => {
  const policy = compose(layer('user', 'protectedBranches: [main]'), layer('project', 'protectedBranches: [main, release]'));
  assert.equal(policy.protectedBranches, ['main', 'release']);
});

test('custom tools: the same name in another case is the same tool', () => {
  const policy = compose(
    layer('managed', 'custom_tools: [{name: Deploy, tier: dangerous}]'),
    layer('user', 'custom_tools: [{name: deploy, tier: safe}]'),
  );
  assert.equal(policy.customTools, [{ name: 'Deploy', tier: 'dangerous' }]);
});

test('an agent called like a member of every object is only an agent', () => {
  const policy = compose(layer('user', 'budget: {perAgent: {constructor: 5, toString: 6}}'));
  assert.equal(Object.entries(policy.budget.perAgent), [
    ['constructor', 5],
    ['toString', 6],
  ]);
});

test('layers count by their name, not by the order they are given in', () => {
  const layers = [
    layer('cli', 'default: deny'),
    layer('managed', 'default: auto'),
    layer('project', 'default: ask'),
    layer('user', 'allow: [Read]'),
  ];
  const sorted = compose(...layers);
  const turned = compose(...layers.toReversed());
  assert.equal(turned, sorted);
  assert.equal(
    sorted.sources.map((source) => source.layer),
    ['managed', 'user', 'project', 'cli'],
  );
});

test('without any layer there is no rule, no preset and no default', () => {
  const policy = compose();
  assert.equal(policy.rules, []);
  assert.is(policy.preset, null);
  assert.is(policy.default, null);
  assert.is(policy.mode, 'enforce');
});

/** One value of every setting, for random policies. */
const SNIPPETS: readonly string[] = [
  ...['readOnly', 'inspect', 'safe', 'all'].map((value) => `preset: ${value}`),
  ...['allow', 'ask', 'deny', 'plan', 'accept_edits', 'auto'].map((value) => `default: ${value}`),
  ...['allow', 'ask', 'deny'].flatMap((value) => [`onAsk: ${value}`, `tiers: {safe: ${value}}`, `tiers: {dangerous: ${value}}`]),
  ...['dialect', 'deny', 'inherit'].map((value) => `agents: {missingTools: ${value}}`),
  ...[0, 5, 10].flatMap((value) => [`budget: {tokens: ${value}}`, `budget: {perAgent: {a: ${value}}}`]),
  ...['observe', 'enforce'].map((value) => `mode: ${value}`),
  ...['queue', 'reject'].map((value) => `sequential: {mode: ${value}}`),
  ...['safe', 'dangerous'].map((value) => `custom_tools: [{name: X, tier: ${value}}]`),
  ...['explicit', 'never'].map((value) => `hook: {grant: ${value}}`),
  'allow: [Read]',
  'allow: ["*"]',
  'ask: [Edit]',
  'deny: [Bash]',
  'security: {disable_bypass_permissions: true}',
  'security: {disable_bypass_permissions: false}',
  'trustedRepos: [/repo]',
  'protected: {except: [x]}',
  'log: {input: full}',
];

const RANK: Readonly<Record<string, readonly unknown[]>> = {
  default: ['deny', 'ask', null, 'accept_edits', 'auto', 'allow'],
  tier: ['deny', 'ask', 'allow'],
  onAsk: ['deny', 'ask', 'allow'],
  missingTools: ['deny', 'dialect', 'inherit'],
};

test('property: a layer that nobody trusts never loosens anything, whatever it and the others say', () => {
  const snippet = fc.constantFrom(...SNIPPETS);
  const name = fc.constantFrom<PolicyLayerName>('managed', 'user', 'project', 'local');
  const trusted = fc.array(fc.tuple(name, snippet), { maxLength: 5 });
  fc.assert(
    fc.property(trusted, fc.array(snippet, { minLength: 1, maxLength: 4 }), (others, strange) => {
      const base = others.map(([where, yaml]) => layer(where, yaml));
      const before = compose(...base);
      const after = compose(...base, ...strange.map((yaml) => layer('project?', yaml)));
      const allows = (policy: ComposedPolicy) => policy.rules.filter((rule) => rule.effect === 'allow').length;
      assert.ok(allows(after) <= allows(before), 'allow rules');
      const stricter = (order: readonly unknown[] | undefined, left: unknown, right: unknown) =>
        (order ?? []).indexOf(left) <= (order ?? []).indexOf(right);
      // `plan` stands outside the line: it may only replace what it is stricter than.
      if (before.default === 'plan' || after.default === 'plan')
        assert.ok(
          after.default === before.default || after.default === 'deny' || ['auto', 'allow'].includes(String(before.default)),
        );
      // The lock of a stranger takes back a bypass; then the default is unwritten, which is stricter than any bypass.
      else assert.ok(stricter(RANK.default, after.default, before.default), `default ${before.default} → ${after.default}`);
      assert.ok(stricter(RANK.onAsk, after.onAsk, before.onAsk), 'onAsk');
      assert.ok(stricter(RANK.missingTools, after.agents.missingTools, before.agents.missingTools), 'missingTools');
      for (const limit of ['tokens', 'calls', 'seconds'] as const) {
        assert.ok((after.budget[limit] ?? Number.POSITIVE_INFINITY) <= (before.budget[limit] ?? Number.POSITIVE_INFINITY), limit);
      }
      assert.ok((after.budget.perAgent.a ?? Number.POSITIVE_INFINITY) <= (before.budget.perAgent.a ?? Number.POSITIVE_INFINITY));
      for (const tier of ['safe', 'dangerous'] as const) {
        if (before.tiers[tier] !== undefined) assert.ok(stricter(RANK.tier, after.tiers[tier], before.tiers[tier]), tier);
        else if (after.tiers[tier] === 'ask') assert.ok(after.default !== 'deny' && after.default !== 'plan', tier);
        else assert.is.not(after.tiers[tier], 'allow');
      }
      assert.ok(after.except.length <= before.except.length && after.trustedRepos.length <= before.trustedRepos.length);
      assert.ok(after.locked || !before.locked);
      assert.ok(after.mode === 'enforce' || before.mode === 'observe');
      assert.ok(after.hook.grant === 'never' || before.hook.grant === 'explicit');
    }),
    { numRuns: 400 },
  );
});

test('every setting has a nature, and the four of managers exist', () => {
  for (const key of MANAGERS_ONLY) assert.ok(settingKeys().includes(key));
  assert.ok(settingKeys().length >= 20);
});

test.run();
