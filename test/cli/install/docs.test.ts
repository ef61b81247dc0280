// docs/install.md, hooks.md and doctor.md name every runner with its places, its evidence and its limits, and every check of doctor.
import { readFileSync } from 'node:fs';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { checks } from '../../../src/audit/doctor/registry.js';
import type { HookFile } from '../../../src/runner/hook/runner.js';
import { allRunners } from '../../../src/runner/runners.js';

const test = suite('docs of hooks');
const text = ['install', 'hooks', 'doctor'].map((page) => readFileSync(`docs/${page}.md`, 'utf8')).join('\n');

for (const { id, places, evidence, limits } of allRunners()) {
  test(`the places of ${id}`, () => {
    const shown = (file: HookFile | null, home = '') => (file === null ? '–' : `\`${home}${file.path}\``);
    const cells = [`\`${id}\``, shown(places.user, '~/'), shown(places.project), shown(places.managed), evidence.answers];
    assert.ok(text.includes(`| ${cells.join(' | ')} |`), cells.join(' | '));
  });

  test(`what ${id} cannot enforce`, () => {
    assert.ok(text.includes([`- \`${id}\``, ...limits.map((limit) => `  - ${limit}`), ''].join('\n')), limits.join('\n'));
  });
}

test('every check of doctor, in its order', () => {
  const listed = [...text.matchAll(/^\| `([a-z-]+)` \| [^|]+ \|$/gm)].map(([, id]) => id);
  assert.equal(
    listed,
    checks.map(({ id }) => id),
  );
});

test.run();
