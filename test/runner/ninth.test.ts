// A runner that nobody knows yet, made of parts of others: its folder and one line in RUNNERS are all that it takes.
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const PLACES = `configs: []
texts: []
agents:
  - { below: both, folder: .fake/agents, extensions: [.md], depth: 8, dialect: null }
`;
const TRAITS = 'title: Fake\nformats: { fake: { listed: /tools, toolNames: own } }\n';
const ASKED = `
const { runnerNamed, streamFormatOf, fileKind, rules } = {
  ...(await import('./build/src/runner/runners.js')),
  ...(await import('./build/src/runner/launched.js')),
  ...(await import('./build/src/lint/places/file-kind.js')),
  ...(await import('./build/src/runner/lint/rules.js')),
};
const fake = runnerNamed('fake');
const payload = fake.samplePayload({ tool: fake.sampleTools.shell, input: { command: 'ls' } }, '/project', 's');
console.log(JSON.stringify({
  id: fake.id,
  call: fake.parse(payload, 'bash').call.runner,
  refuses: fake.answer({ effect: 'deny', grant: false, message: 'no', notice: null }).exitCode,
  reads: streamFormatOf('fake') !== undefined,
  kind: fileKind('.fake/agents/a.md'),
  rule: rules.some(({ id }) => id === 'agents/fake-readonly'),
}));
`;

test('a ninth runner is a folder and a line', () => {
  const top = mkdtempSync(join(tmpdir(), 'policy-ninth-'));
  try {
    const copied = ['src', '.ci', 'rules', 'schemas', 'package.json', 'package-lock.json', 'tsconfig.json'];
    for (const name of copied) cpSync(name, join(top, name), { recursive: true });
    mkdirSync(join(top, 'test'));
    symlinkSync(resolve('node_modules'), join(top, 'node_modules'), 'junction');
    const change = (from: string, to: string, texts: readonly (readonly [RegExp, string])[]) =>
      writeFileSync(
        join(top, 'src', to),
        texts.reduce((text, [what, by]) => text.replace(what, by), readFileSync(join('src', from), 'utf8')),
      );
    change('call/tool-call.ts', 'call/tool-call.ts', [[/ {2}'agent-code',\n/, "  'agent-code',\n  'fake',\n"]]);
    mkdirSync(join(top, 'src/runner/fake/lint'), { recursive: true });
    change('runner/cursor/hook.ts', 'runner/fake/hook.ts', [[/'cursor'/g, "'fake'"]]);
    change('runner/opencode/stream.ts', 'runner/fake/stream.ts', []);
    change('runner/cursor/lint/readonly-value.ts', 'runner/fake/lint/fake-readonly.ts', [
      [/export const \w+/, 'export const fakeReadonly'],
      [/id: '[^']+'/, "id: 'agents/fake-readonly'"],
      [/'cursor'/g, "'fake'"],
    ]);
    writeFileSync(join(top, 'src/runner/fake/places.yaml'), PLACES);
    writeFileSync(join(top, 'src/runner/fake/traits.yaml'), TRAITS);
    writeFileSync(join(top, 'ask.mjs'), ASKED);
    const built = spawnSync(process.execPath, ['.ci/build.mjs'], { cwd: top, encoding: 'utf8' });
    assert.is(built.status, 0, built.stderr);
    const asked = spawnSync(process.execPath, ['ask.mjs'], { cwd: top, encoding: 'utf8' });
    assert.is(asked.status, 0, asked.stderr);
    assert.equal(JSON.parse(asked.stdout), {
      id: 'fake',
      call: 'fake',
      refuses: 2,
      reads: true,
      kind: { kind: 'agent', format: 'fake' },
      rule: true,
    });
  } finally {
    rmSync(top, { recursive: true, force: true });
  }
});

test.run();
