// Every command line of docs/trust.md and docs/editing.md is typed into a shell, in its order, and prints what stands there. On all pages
// the commands and flags exist, and the workflow files of docs/ci.md use inputs that the actions have.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { load } from 'js-yaml';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { CLEAN_REPOSITORY, insideAgent, policy, scratch } from './spawned.js';
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

const PAGES = [
  'README.md',
  'SECURITY.md',
  'CONTRIBUTING.md',
  ...readdirSync('docs', { recursive: true, encoding: 'utf8' }).flatMap((file) =>
    file.endsWith('.md') && !file.startsWith('comparison') ? [join('docs', file)] : [],
  ),
];
const GROUPS: ReadonlySet<string> = new Set(['agents', 'log', 'mcp', 'observe', 'overlay', 'preset', 'tools']);

/** The words of every line or inline code of a page that begins with `policy` and a name. */
function namedCommands(page: string): readonly (readonly string[])[] {
  const text = readFileSync(page, 'utf8');
  const blocks = [...text.matchAll(/^```(?:console|sh|yaml)\n([\s\S]*?)^```$/gm)].map(([, block = '']) => block);
  const lines = blocks.flatMap((block) =>
    block.split('\n').map((line) => /^(?:\$ |\s*(?:- )?(?:run: )?)(policy [a-z].*)/.exec(line)?.[1]),
  );
  const inline = [...text.matchAll(/`(policy [a-z][^`]*)`/g)].map(([, line]) => line?.replaceAll('\n', ' '));
  return [...lines, ...inline].flatMap((line) => (line === undefined ? [] : [wordsOf(line)]));
}

/** Up to the first operator of the shell and without quoted texts and comments. */
function wordsOf(line: string): readonly string[] {
  const plain = line.replaceAll(/'[^']*'|"[^"]*"/g, 'TEXT').replace(/(?:\s#|[|;&>…]|\s--\s).*/, '');
  return plain.trim().split(/\s+/).slice(1);
}

const helps = new Map<string, string>();
function helpOf(command: readonly string[]): string {
  const key = command.join(' ');
  const known = helps.get(key);
  if (known !== undefined) return known;
  const { stdout, status } = policy([...command, '--help'], { cwd: scratch({}) });
  helps.set(key, status === 0 ? stdout : '');
  return helps.get(key) ?? '';
}

for (const page of PAGES)
  test(`${page}: its commands and flags exist`, () => {
    for (const [name = '', ...rest] of namedCommands(page)) {
      if (name === 'version') continue;
      const command = GROUPS.has(name) && /^[a-z]/.test(rest[0] ?? '') ? [name, rest[0] ?? ''] : [name];
      const help = helpOf(command) || helpOf([name]);
      assert.match(help, `policy ${name}`, `${page} names policy ${command.join(' ')}`);
      for (const word of rest) {
        const flag = /^--[a-z][a-z-]*/.exec(word)?.[0];
        if (flag !== undefined)
          assert.match(help, new RegExp(`${flag}(?![a-z-])`), `${page}: policy ${command.join(' ')} ${flag}`);
      }
    }
  });

interface Workflow {
  readonly on: unknown;
  readonly permissions: Readonly<Record<string, string>>;
  readonly jobs: Readonly<Record<string, { readonly steps: readonly { readonly uses?: string; readonly with?: object }[] }>>;
}

test('the workflow files of docs/ci.md use inputs that the actions have', () => {
  const blocks = [...readFileSync('docs/ci.md', 'utf8').matchAll(/^```yaml\n(name: [\s\S]*?)^```$/gm)];
  assert.is(blocks.length, 3);
  for (const [, block = ''] of blocks) {
    const { on, permissions, jobs } = load(block) as Workflow;
    assert.ok(on);
    assert.is(permissions.contents, 'read');
    for (const { uses = '', with: given = {} } of Object.values(jobs).flatMap(({ steps }) => steps)) {
      const [, folder] = /^OWNER\/agent-policy(\/audit)?@COMMIT$/.exec(uses) ?? [];
      if (!uses.startsWith('OWNER/')) continue;
      const { inputs } = load(readFileSync(`.${folder ?? ''}/action.yml`, 'utf8')) as { readonly inputs: object };
      for (const name of Object.keys(given)) assert.ok(name in inputs, `${uses}: ${name}`);
    }
  }
});

test.run();
