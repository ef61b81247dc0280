/** Agents that plugins bring: known by `plugin:agent`, held to their own tools, and never more than that. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { enforceDry } from '../../../src/enforce/enforce.js';
import { GIT, openIn } from '../opened.js';
import { withFiles } from '../scratch.js';

const agent = (name: string, tools: string) => `---\nname: ${name}\ndescription: d\ntools: ${tools}\n---\n`;
const USER = 'version: 1\nallow: [Read, Bash(npm test)]\n';

/** What happens to `npm test` of an agent when these plugins (name@market → files below its folder) are installed. */
function answer(name: string, plugins: Readonly<Record<string, Readonly<Record<string, string>>>>, list?: string): string {
  return withFiles({ ...GIT, 'home/.config/policy/policy.yaml': USER }, (folder) => {
    const installed: Record<string, unknown> = {};
    for (const [key, files] of Object.entries(plugins)) {
      const installPath = join(folder, 'home/.claude/plugins/cache', key);
      installed[key] = [{ scope: 'user', version: '1.0.0', installPath }];
      for (const [file, text] of Object.entries(files)) write(join(installPath, file), text);
    }
    const file = join(folder, 'home/.claude/plugins/installed_plugins.json');
    write(file, list ?? JSON.stringify({ version: 2, plugins: installed }));
    const opened = openIn(folder, { runner: 'claude-code' });
    assert.ok(opened.ok, JSON.stringify(opened));
    assert.ok(opened.workspace.sources.includes(file), 'a snapshot has to know of the list');
    const call = { tool: 'Bash', input: { command: 'npm test' }, cwd: join(folder, 'repo'), headless: false } as const;
    const { decision, reasons } = enforceDry(opened.workspace, { ...call, shell: 'bash', agent: name });
    return `${decision} ${reasons[0]?.code}`;
  });
}

function write(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

const READER = { 'kit@market': { 'agents/reader.md': agent('reader', 'Read') } };
const RUNNER = { 'kit@market': { 'agents/deep/runner.md': agent('runner', 'Bash') } };
const LISTED = {
  'kit@market': {
    '.claude-plugin/plugin.json': '{"name":"kit","agents":["./own/a.md","../../../../../../repo/evil.md",7]}',
    'own/a.md': agent('a', 'Read'),
    'agents/b.md': agent('b', 'Read'),
  },
};

const ROWS: readonly (readonly [string, Parameters<typeof answer>, string])[] = [
  ['an agent of a plugin is held to its tools', ['kit:reader', READER], 'deny agent/tool-not-allowed'],
  ['one that may, may', ['kit:runner', RUNNER], 'allow rule/allow'],
  ['its name without the plugin is nobody', ['runner', RUNNER], 'ask agent/unknown'],
  ['another plugin with such an agent is nobody', ['other:runner', RUNNER], 'ask agent/unknown'],
  ['a file that the manifest lists', ['kit:a', LISTED], 'deny agent/tool-not-allowed'],
  ['beside such a list the folder does not count', ['kit:b', LISTED], 'ask agent/unknown'],
  ['a listed file outside of the plugin is not read', ['kit:evil', LISTED], 'ask agent/unknown'],
  ['a definition that is broken', ['kit:x', { 'kit@m': { 'agents/x.md': '\0' } }], 'deny agent/invalid'],
  [
    'two of one name',
    ['kit:r', { 'kit@a': { 'agents/r.md': agent('r', 'Bash') }, 'kit@b': { 'agents/r.md': agent('r', 'Read') } }],
    'deny agent/no-tools',
  ],
  ['a list that is no JSON', ['kit:reader', READER, '{'], 'ask agent/unknown'],
  ['a list that is null', ['kit:reader', READER, 'null'], 'ask agent/unknown'],
  [
    'a list with odd entries',
    ['kit:reader', READER, '{"plugins":{"kit@m":[null,7,{"installPath":"relative"},{"installPath":{}}],"__proto__":[]}}'],
    'ask agent/unknown',
  ],
];
for (const [why, given, expected] of ROWS) test(`${why}: ${expected}`, () => assert.is(answer(...given), expected));

test.run();
