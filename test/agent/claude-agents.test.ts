/** Real files, and what Claude Code 2.1.197 made of them (fixtures/claude-agents). Every difference of ours has its reason here. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { parseAgent } from '../../src/agent/dialects/parse.js';

const FOLDER = 'test/fixtures/claude-agents';

interface Expected {
  readonly loaded: Readonly<Record<string, { readonly toolsLabel: string }>>;
  readonly resolvedToolsAsSubagent: Readonly<Record<string, readonly string[] | 'ALL'>>;
}
const expected: Expected = JSON.parse(readFileSync(join(FOLDER, 'expected.json'), 'utf8'));
const loaded = new Map(Object.entries(expected.loaded));
const resolved = new Map(
  Object.entries(expected.resolvedToolsAsSubagent).map(([name, tools]) => [name.replace('(--agent)', ''), tools]),
);

/** Files that Claude Code loads and we call invalid (so their calls are denied until someone looks). */
const INVALID_HERE: Readonly<Record<string, string>> = {
  'y-dupkey.md': 'a key written twice: the last one wins there, a reader may have meant the first',
  'y-merge.md': 'a merge key would bring `tools` from elsewhere in the file',
  'y-proto.md': 'the key __proto__ only makes sense as an attack',
  'y-tabindent.md': 'tabs indent nothing in YAML; Claude Code has a reader of its own',
  'f-nul.md': 'YAML has no NUL',
};

/** Files whose ending Claude Code does not look at; finding files is not the parser's work. */
const OTHER_ENDING = /\.(?:MD|mdx|txt|yaml)$/;

/** Written for another run, about permission modes: none of these files kept its agent from being used there. */
const OTHER_RUN = /^x-/;

/** Names that two files claim: the client keeps one, and here each file is read by itself. */
const CLAIMED_TWICE = new Set(['f-dup']);

/** Entries that Claude Code prints as they stand and then drops; the resolved tools below agree. */
const LISTED_DIFFERENTLY: Readonly<Record<string, string>> = {
  't-dup.md': 'a tool named twice counts once',
  't-unbal.md': 'a parenthesis that is not closed names no tool, there as here',
  't-newline.md': 'one entry with a line end in it names no tool; the text is trimmed here',
};

const files = readdirSync(FOLDER, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name !== 'expected.json' && !OTHER_ENDING.test(entry.name))
  .map((entry) => relative(FOLDER, join(entry.parentPath, entry.name)))
  .sort();

test('there are files to compare', () => {
  assert.ok(files.length > 100, String(files.length));
});

for (const file of files) {
  const definition = parseAgent(readFileSync(join(FOLDER, file), 'utf8'), { file, dialect: 'claude-code', scope: 'project' });
  const client = loaded.get(definition.rawName);

  test(`${file} is ${INVALID_HERE[file] ? `invalid here: ${INVALID_HERE[file]}` : client ? 'loaded' : 'not loaded'}`, () => {
    const errors = JSON.stringify(definition.errors);
    if (INVALID_HERE[file] !== undefined) assert.is(definition.status, 'invalid', errors);
    else if (definition.status === 'invalid') assert.is(client, undefined, errors);
    else if (!OTHER_RUN.test(file)) assert.ok(client, `${definition.rawName} is active here`);
    if (definition.status === 'invalid') assert.ok(definition.errors.every((error) => error.source.line >= 1));
  });

  if (definition.status !== 'active' || client === undefined || CLAIMED_TWICE.has(definition.rawName)) continue;
  const tools = resolved.get(definition.rawName);
  test(`${file}: ${LISTED_DIFFERENTLY[file] ?? 'its tools are those that the client shows'}`, () => {
    const all =
      definition.tools.state === 'absent' || (definition.tools.state === 'listed' && definition.tools.tools.includes('*'));
    const own = definition.tools.state === 'listed' ? definition.tools.tools : [];
    const left = own.filter((tool) => !definition.excludedTools.includes(tool));
    // The list says "All tools" also of agents that get none (a map, null, ""); what a child really got is known of some.
    if (tools === 'ALL') assert.ok(all);
    else if (tools?.length === 0 && definition.tools.state === 'empty') assert.not.ok(all);
    else if (client.toolsLabel === 'All tools' || client.toolsLabel === '*') assert.ok(all || definition.tools.state === 'empty');
    else if (LISTED_DIFFERENTLY[file] === undefined) assert.is(left.join(', '), client.toolsLabel);
  });
}

test('every agent that the client loaded from these files is one of them', () => {
  const shipped = new Set(['claude', 'Plan', 'statusline-setup', 'f-link']);
  const here = new Set(
    files.map(
      (file) => parseAgent(readFileSync(join(FOLDER, file), 'utf8'), { file, dialect: 'claude-code', scope: 'project' }).rawName,
    ),
  );
  const lost = [...loaded.keys()].filter(
    (name) => !here.has(name) && !shipped.has(name) && !/^y-(?:proto|dupkey|merge|tabindent)$|^f-nul$/.test(name),
  );
  assert.equal(lost, []);
});

test.run();
