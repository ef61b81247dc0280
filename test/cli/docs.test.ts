// docs/trust.md and docs/editing.md: every command line in them is typed into a shell, in its order, and prints what stands there.
import { readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLEAN_REPOSITORY, insideAgent, scratch } from './spawned.js';
import { commandFolder, printedBy, typedLines } from './typed-lines.js';

const test = suite('docs');

const GIT = Object.fromEntries(Object.entries(CLEAN_REPOSITORY).filter(([name]) => name.startsWith('.git/')));
const PATH = `${commandFolder()}:${process.env.PATH ?? ''}`;

/** A document, the repository in which its lines are typed, and what its reader did before those of a section. */
interface Document {
  readonly file: string;
  readonly repository: Readonly<Record<string, string>>;
  readonly before: Readonly<Record<string, (type: (line: string) => void, folder: string) => void>>;
}

const DOCUMENTS: readonly Document[] = [
  {
    file: 'docs/trust.md',
    repository: {
      'policy.yaml':
        'version: 1\npreset: safe\nallow:\n  - Read(src/**)\n  - Bash(npm test)\nask: ["Bash(git push *)"]\ndeny: [WebFetch]\n',
    },
    before: {
      'After a change': (type, folder) => {
        type('policy trust --yes');
        const file = join(folder, 'policy.yaml');
        const text = readFileSync(file, 'utf8');
        writeFileSync(file, text.replace('npm test', 'npm *').replace('WebFetch', 'WebSearch'));
      },
      'Not by agents': (type) => type('policy trust --yes'),
    },
  },
  {
    file: 'docs/editing.md',
    repository: {
      'package.json': '{ "name": "shop", "scripts": { "test": "node --test", "lint": "biome check", "deploy": "./deploy" } }\n',
      '.claude/settings.json': `{ "permissions": {
  "deny": ["Read(secrets/**)"],
  "allow": ["Bash(python:*)", "Write(docs/**)", "Bash(gh issue view:*)"]
} }
`,
    },
    before: {},
  },
];

/** Paths and days are those of whoever wrote the document. */
const normal = (text: string, folder: string) =>
  text
    .replaceAll(folder, '/home/me/desk')
    .replaceAll(resolve('schemas'), '/usr/lib/node_modules/agent-policy/schemas')
    .replace(/\b\d{4}-\d\d-\d\d\b/g, 'DAY');

for (const { file, repository, before } of DOCUMENTS) {
  const folder = scratch({ ...GIT, ...repository });
  const env = { PATH, HOME: scratch({}) };
  let last = '';
  for (const { section, line, prints } of typedLines(file))
    (insideAgent ? test.skip : test)(`${file}, ${section}: ${line}`, () => {
      if (section !== last) before[section]?.((typed) => void printedBy(typed, folder, env), folder);
      last = section;
      assert.is(normal(printedBy(line, folder, env), folder), normal(prints, folder));
    });
}

test.run();
