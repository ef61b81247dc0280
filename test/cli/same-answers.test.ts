/**
 * The bundles of the hook are not what a compiler of TypeScript makes of the sources (.ci/modules.mjs, .ci/in-steps.mjs): whatever they
 * are asked, they have to answer as the sources do.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { Script } from 'node:vm';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { type HookBundle, startModules } from '../../src/cli/hook-modules.js';
import { RUNNER_NAMES } from '../../src/runner/registry.js';
import type { HookOutput } from '../../src/runner/runner.js';
import { type HookWorld, payload, withHookWorld } from './hook-world.js';

const check = existsSync('dist/hook.cjs') ? test : test.skip;

type Entry = typeof import('../../src/cli/hook-entry.js');

/** What a bundle exports, loaded as dist/hook.cjs loads it. */
function bundle(name: string): HookBundle {
  const filename = resolve('dist', `${name}.cjs`);
  const loaded = { exports: {} as HookBundle };
  const load = new Script(readFileSync(filename, 'latin1'), { filename }).runInThisContext() as (...words: unknown[]) => void;
  load(loaded.exports, createRequire(filename), loaded, filename, dirname(filename));
  return loaded.exports;
}

/** The differences between what the bundles and the sources answer to these texts. */
function differences(world: HookWorld, runner: string, texts: readonly string[]): readonly string[] {
  const value = startModules(bundle);
  const [entry, runBundled] = [value(1), value(2)] as [Entry['own'], Entry['runHook']];
  const plain = ({ stdout, stderr, exitCode }: HookOutput) =>
    [stdout, stderr, exitCode].join('|').replace(/decision [0-9a-f-]+/g, '');
  return texts.filter((text) => {
    const own = world.run(text, { words: [runner] });
    const bundled = runBundled({
      words: [runner],
      input: () => text,
      environment: { HOME: world.home, PATH: '/usr/bin:/bin' },
      home: () => world.home,
      parent: process.pid,
      isUnheard: () => false,
      platform: process.platform,
      now: Date.now,
      microseconds: () => 0,
      compile: entry.compile,
      seal: () => {},
    });
    return plain(bundled) !== plain(own);
  });
}

const linesOf = (name: string) =>
  readFileSync(join('test/fixtures', name), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'));

const LINES = [
  ...[
    'dangerous-commands.txt',
    'denied-program.txt',
    'read-only-asking.txt',
    'read-only-commands.txt',
    'read-only-exceptions.txt',
  ].flatMap(linesOf),
  ...linesOf('vectors/seed-vectors.jsonl').flatMap((line) => {
    const { cmd } = JSON.parse(line) as { readonly cmd?: unknown };
    return typeof cmd === 'string' ? [cmd] : [];
  }),
];

const POLICIES: readonly (readonly [name: string, text: string])[] = [
  ['the preset for reading', 'version: 1\npreset: safe\n'],
  [
    'a rule for every command',
    'version: 1\nallow: ["Bash(*)", Read, "Edit(src/**)"]\nask: ["Bash(git push *)"]\ndeny: ["Read(.env)"]\n',
  ],
];

for (const [name, text] of POLICIES)
  check(`${LINES.length} command lines below ${name}`, () => {
    withHookWorld({ '.config/policy/policy.yaml': text, 'project/.env': 'A=b\n', 'project/src/a.ts': 'a\n' }, (world) => {
      assert.equal(
        differences(
          world,
          'claude-code',
          LINES.map((command) => payload(world, 'Bash', { command })),
        ),
        [],
      );
    });
  });

/** Every payload on record, whoever it was recorded from. */
function recorded(): readonly string[] {
  const base = 'test/fixtures/payloads';
  return readdirSync(base, { recursive: true, withFileTypes: true }).flatMap((entry) => {
    if (!entry.isFile()) return [];
    const text = readFileSync(join(entry.parentPath, entry.name), 'utf8');
    return entry.name.endsWith('.jsonl') ? text.split('\n').filter((line) => line !== '') : [text];
  });
}

for (const runner of RUNNER_NAMES)
  check(`every payload on record, told to the hook of ${runner}`, () => {
    withHookWorld({ '.config/policy/policy.yaml': POLICIES[0]?.[1] ?? '' }, (world) => {
      const texts = [...recorded(), '', '{', '[]', 'null', '{"tool_name":1}', '{}', 'x'.repeat(100_000)];
      assert.ok(texts.length > 20);
      assert.equal(differences(world, runner, texts), []);
    });
  });

test.run();
