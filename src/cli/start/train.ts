/**
 * `node train-cli.js BUNDLES CACHE`: writes a code cache of the command line beside its bundle, made after it answered typical lines.
 * It holds for the node that runs this program (src/enforce/snapshot/code-cache.ts); another starts without it, only slower.
 */
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { cacheName } from '../../enforce/snapshot/code-cache.js';
import { beginTraining, finishedCaches, training } from '../../hook/code-caches.js';
import { USER_POLICY, writeProject } from '../../hook/training-calls.js';
import { EXIT } from '../exit.js';
import { sealedCache } from './sealed-cache.js';

const NAME = 'policy-main';
const bundles = resolve(process.argv[2] ?? '');

/**
 * By cache. Single calls are what people and scripts wait for again and again; a cache that holds more is read more slowly, so what
 * only lint needs stands in one of its own.
 */
const LINES: Readonly<Record<string, readonly (readonly string[])[]>> = {
  'policy-main': [
    ['check', 'Bash', 'git status'],
    ['check', 'Bash', 'cd src && git log -3 --stat | head -3'],
    ['check', '--json', 'Bash', 'git push'],
    ['check', 'Read', 'src/index.ts'],
  ],
  'policy-lint': [['lint'], ['lint', '--format', 'json', '.claude']],
};
const cacheToMake = process.argv[3] ?? NAME;

/** What linted projects have beside what the project of the hook's training has: long texts, a mistake, MCP servers, a skill. */
const LINTED: Readonly<Record<string, string>> = {
  '.claude/agents/writer.md': `---
name: writer
description: "Use this agent for the documentation: it reads the code, and it writes pages. Invoke it when an API changed."
tool: Read, Grep, Edit
model: sonnet
---

You write the documentation of this project.

${'- **Pages**: one for each module; keep examples short, and check the key of every table against the API\n'.repeat(40)}`,
  '.claude/agents/tester.md':
    '---\nname: tester\ndescription: Runs the tests.\ntools: Read, Grep, Bash\n---\n\nRun `npm test`.\n',
  '.claude/skills/release/SKILL.md': '---\nname: release\ndescription: Makes a release.\n---\n\nRun `npm version`.\n',
  '.mcp.json': '{ "mcpServers": { "issues": { "command": "npx", "args": ["-y", "issues@1.2.3"] } } }\n',
};

const scratch = realpathSync(mkdtempSync(join(tmpdir(), 'policy-training-')));

async function train(): Promise<void> {
  const project = join(scratch, 'project');
  writeProject(project);
  if (cacheToMake === 'policy-lint') writeFiles(project, LINTED);
  const user = join(scratch, '.config', 'policy');
  mkdirSync(user, { recursive: true });
  writeFileSync(join(user, 'policy.yaml'), `${USER_POLICY}trustedRepos: [${JSON.stringify(project)}]\n`);
  process.env.HOME = scratch;
  process.chdir(project);
  const { main } = started();
  for (const words of LINES[cacheToMake] ?? []) {
    await main(words);
    if (process.exitCode === EXIT.error) throw new Error(`policy ${words.join(' ')} failed`);
  }
  for (const [, cache] of finishedCaches())
    writeFileSync(join(bundles, `${cacheToMake}.${cacheName()}.cache`), sealedCache(cache));
}

function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** The bundle, started as src/hook/cached.ts starts it, but without a cache. */
function started(): typeof import('../main.js') {
  const filename = join(bundles, `${NAME}.cjs`);
  const module = { exports: {} };
  const script = new training.Script(readFileSync(filename, 'latin1'), { filename });
  script.runInThisContext()(module.exports, createRequire(filename), module, filename, bundles);
  return module.exports as typeof import('../main.js');
}

try {
  beginTraining();
  await train();
  process.exitCode = 0;
} finally {
  rmSync(scratch, { recursive: true, force: true });
}
