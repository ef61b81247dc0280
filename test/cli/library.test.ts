/** The library as a program uses it: the example of docs/library.md runs, and what the page names is there. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { test } from 'uvu';
import * as assert from 'uvu/assert';

const check = existsSync('dist/index.js') ? test : test.skip;
const page = readFileSync('docs/library.md', 'utf8');
const library = async () => (await import(pathToFileURL(resolve('dist/index.js')).href)) as Record<string, unknown>;

check('the example prints what the page shows', () => {
  const [, line = '', shown = ''] = /```console\n\$ node docs\/examples\/decide\.mjs '([^']+)'\n([\s\S]*?)```/.exec(page) ?? [];
  const folder = mkdtempSync(join(tmpdir(), 'policy-library-'));
  try {
    for (const part of ['home', 'project']) mkdirSync(join(folder, part));
    const project = join(folder, 'project');
    const git = (...words: readonly string[]) => spawnSync('git', ['-C', project, ...words]);
    git('init', '-q', '-b', 'main');
    git('remote', 'add', 'origin', 'https://git.example.com/project.git');
    const { stdout, stderr, status } = spawnSync(process.execPath, [resolve('docs/examples/decide.mjs'), line], {
      cwd: project,
      env: { HOME: join(folder, 'home'), PATH: '/usr/bin:/bin' },
      encoding: 'utf8',
    });
    assert.is(stderr, '');
    assert.is(stdout, shown);
    assert.is(status, 2);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

check('every function that the page names is exported', async () => {
  const exported = await library();
  const named = [...page.matchAll(/`([a-z]\w+)\(/g)].map(([, name = '']) => name);
  const listed = [...page.matchAll(/import \{ ([^}]+) \} from 'agent-policy'/g)].flatMap(([, names = '']) => names.split(', '));
  assert.ok(named.length > 10 && listed.length > 5);
  assert.equal(
    [...named, ...listed].filter((name) => typeof exported[name] !== 'function'),
    [],
  );
});

test.run();
