/** Every file that a workspace rests on is named: changing one changes what the hook's snapshot is compared with. */
import {
  appendFileSync,
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { RunnerId } from '../../../src/call/tool-call.js';
import { recordTrust } from '../../../src/project/trust.js';
import { GIT, openIn, placesIn, trustIn } from '../opened.js';
import { withFiles } from '../scratch.js';

const AGENT = '---\nname: a\ndescription: d\ntools: Read\n---\n';
const FILES = {
  ...GIT,
  'repo/policy.yaml': 'version: 1\nextends: base/policy.yaml\nallow: [Read]\n',
  'repo/base/policy.yaml': 'version: 1\ndeny: [WebFetch]\n',
  'repo/policy.local.yaml': 'version: 1\nask: [WebSearch]\n',
  'repo/pkg/deep/': '',
  'repo/.claude/agents/sub/a.md': AGENT,
  'repo/.codex/agents/b.yaml': 'name: b\n',
  'home/.config/policy/policy.yaml': 'version: 1\npreset: safe\n',
  'home/.claude/agents/u.md': AGENT,
  'managed/policy.yaml': 'version: 1\ndeny: [Bash(rm *)]\n',
  'overlay.toml': '[permissions]\ndefault_mode = "ask"\n',
};
const OPTIONS = (folder: string) => ({
  cwd: join(folder, 'repo/pkg/deep'),
  overlay: { file: join(folder, 'overlay.toml'), mode: 'compose' as const },
});

/** As the snapshot does: device, inode, mode, size and change time of what the path leads to, or null. */
function identities(sources: readonly string[]): string {
  return JSON.stringify(
    sources.map((path) => {
      const stat = statOf(path);
      return stat === undefined ? null : [stat.dev, stat.ino, stat.mode, stat.size, stat.ctimeNs].map(String);
    }),
  );
}

function statOf(path: string) {
  try {
    return statSync(path, { bigint: true, throwIfNoEntry: false });
  } catch {
    // Below something that is no folder nothing is there.
    return undefined;
  }
}

function write(path: string, text = ''): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

const recordIn = (folder: string) => trustIn(folder).recordFile;
const changes: readonly (readonly [string, (folder: string) => void])[] = [
  ...[
    'repo/policy.yaml',
    'repo/policy.local.yaml',
    'repo/base/policy.yaml',
    'home/.config/policy/policy.yaml',
    'managed/policy.yaml',
    'overlay.toml',
    'repo/.claude/agents/sub/a.md',
    'repo/.codex/agents/b.yaml',
    'home/.claude/agents/u.md',
  ].flatMap((file): (readonly [string, (folder: string) => void])[] => [
    [`${file} changes`, (folder) => appendFileSync(join(folder, file), '\n')],
    [`${file} goes`, (folder) => rmSync(join(folder, file))],
    [
      `${file} is replaced by one of the same size`,
      (folder) => {
        const path = join(folder, file);
        const text = readFileSync(path, 'utf8');
        writeFileSync(`${path}.new`, text.replaceAll('e', 'E'));
        renameSync(`${path}.new`, path);
      },
    ],
    [
      `${file} becomes a link to what it was`,
      (folder) => {
        renameSync(join(folder, file), join(folder, 'moved'));
        symlinkSync(join(folder, 'moved'), join(folder, file));
      },
    ],
  ]),
  ...['yaml', 'json', 'toml'].flatMap((extension): (readonly [string, (folder: string) => void])[] =>
    [
      'repo/policy',
      'repo/policy.local',
      'repo/pkg/policy',
      'repo/pkg/policy.local',
      'repo/pkg/deep/policy',
      'home/.config/policy/policy',
      'managed/policy',
    ]
      .map((stem) => `${stem}.${extension}`)
      .filter((file) => !Object.hasOwn(FILES, file))
      .map((file) => [`${file} comes`, (folder) => write(join(folder, file), 'version: 1\n')] as const),
  ),
  ['an agent comes', (folder) => write(join(folder, 'repo/.claude/agents/new.md'), AGENT)],
  ['an agent comes in a folder of its own', (folder) => write(join(folder, 'repo/.claude/agents/x/y/new.md'), AGENT)],
  ['an agent comes in a folder below another', (folder) => write(join(folder, 'repo/.claude/agents/sub/new.md'), AGENT)],
  ['an agent comes where there were none', (folder) => write(join(folder, 'repo/.agent/agents/new.md'), AGENT)],
  [
    'an agent of the user comes where there were none',
    (folder) => write(join(folder, 'home/.config/agent-code/agents/new.md'), AGENT),
  ],
  ['the trust record changes', (folder) => appendFileSync(recordIn(folder), ' ')],
  ['the trust record goes', (folder) => rmSync(recordIn(folder))],
  ['the folder of the records can be written by others', (folder) => chmodSync(dirname(recordIn(folder)), 0o777)],
  [
    'the repository becomes a worktree of another one',
    (folder) => {
      rmSync(join(folder, 'repo/.git'), { recursive: true });
      writeFileSync(join(folder, 'repo/.git'), 'gitdir: /elsewhere/.git/worktrees/repo\n');
    },
  ],
];

for (const [why, change] of changes)
  test(`seen: ${why}`, () =>
    withFiles(FILES, (folder) => {
      recordTrust(placesIn(folder).stateDirectory, trustIn(folder), new Date(0));
      const opened = openIn(folder, OPTIONS(folder));
      assert.ok(opened.ok, JSON.stringify(opened));
      const before = identities(opened.sources);
      change(folder);
      assert.is.not(identities(opened.sources), before);
    }));

const lookedInto: readonly (readonly [RunnerId, readonly string[], readonly string[]])[] = [
  ['claude-code', ['.claude/agents/sub/a.md'], ['.codex/agents', '.agent/agents', '.gemini/agents']],
  ['codex', ['.codex/agents/b.yaml'], ['.claude/agents', '.agent/agents']],
  ['agent-code', ['.agent/agents'], ['.claude/agents', '.codex/agents']],
  // It is not known to keep to its own.
  ['gemini-cli', ['.gemini/agents', '.claude/agents/sub/a.md', '.codex/agents/b.yaml'], ['.cursor/agents']],
];
for (const [runner, within, without] of lookedInto)
  test(`for the calls of ${runner}, agents are looked for where it does: a file of another runner makes no snapshot stale`, () =>
    withFiles(FILES, (folder) => {
      const { sources } = openIn(folder, { runner });
      for (const path of within) assert.ok(sources.includes(join(folder, 'repo', path)), path);
      for (const path of without) assert.not.ok(sources.includes(join(folder, 'repo', path)), path);
    }));

test('seen: the first trust record', () =>
  withFiles(FILES, (folder) => {
    const { sources } = openIn(folder);
    const before = identities(sources);
    recordTrust(placesIn(folder).stateDirectory, trustIn(folder), new Date(0));
    assert.is.not(identities(sources), before);
  }));

test('a workspace that could not be opened names its sources, too: the one that has to be put right among them', () =>
  withFiles({ ...GIT, 'repo/policy.yaml': 'version: 1\nallow: [Read(\n' }, (folder) => {
    const opened = openIn(folder);
    assert.is(opened.ok, false);
    assert.ok(opened.sources.includes(join(folder, 'repo/policy.yaml')));
  }));

test('sources are absolute, and nothing else in the project is one: its own work does not make snapshots stale', () =>
  withFiles({ ...FILES, 'repo/src/a.ts': '' }, (folder) => {
    const { sources } = openIn(folder, OPTIONS(folder));
    for (const source of sources) assert.ok(source.startsWith(folder), source);
    const before = identities(sources);
    write(join(folder, 'repo/src/b.ts'));
    write(join(folder, 'repo/c.ts'));
    write(join(folder, 'repo/.git/index'));
    write(join(folder, 'home/.config/other'));
    assert.is(identities(sources), before);
    assert.ok(lstatSync(join(folder, 'repo/c.ts')).isFile());
  }));

test.run();
