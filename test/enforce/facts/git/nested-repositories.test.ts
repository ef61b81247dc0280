/** `git add . && git status`: git runs in a repository of the work tree as soon as the index has it, under its own configuration. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ToolCall } from '../../../../src/call/tool-call.js';
import { decide } from '../../../../src/decide/decide.js';
import { analyse } from '../../../../src/decide/flow/analysis.js';
import { compilePolicy } from '../../../../src/decide/policy/compile.js';
import { gatherFacts } from '../../../../src/enforce/facts/gather.js';
import { composePolicy } from '../../../../src/policy/compose.js';
import { parsePolicy } from '../../../../src/policy/document.js';
import { withFiles } from '../../scratch.js';

const FILE = { file: 'policy.yaml', format: 'yaml', layer: 'project' } as const;

function safePolicy() {
  const { document } = parsePolicy('version: 1\npreset: safe\n', FILE);
  if (document === null) throw new Error('the policy is none');
  return compilePolicy(composePolicy([{ layer: 'project', trusted: true, document }], { repository: null }).policy);
}

const SAFE = safePolicy();

/** The answer to a line, and the first reason for it. */
function answer(project: string, command: string): readonly [string, string | undefined] {
  const call: ToolCall = { tool: 'Bash', input: { command }, cwd: project, headless: false, shell: 'union' };
  const analysis = analyse(call);
  const around = { project, home: '/home/nobody', platform: 'linux', environment: {}, ownDirectories: [], budget: null } as const;
  const { decision, reasons } = decide(SAFE, call, gatherFacts(analysis, project, around), analysis);
  return [decision, decision === 'allow' ? undefined : reasons[0]?.code];
}

const repository = (at: string, config = '') => ({
  [`${at}.git/HEAD`]: 'ref: refs/heads/main\n',
  [`${at}.git/objects/`]: '',
  [`${at}.git/refs/`]: '',
  [`${at}.git/config`]: config,
});
const EVIL = '[core]\n\tfsmonitor = evil\n';
const PROJECT = { ...repository(''), 'src/a.ts': 'x', '.gitignore': 'node_modules/\n' };
const ASKS = ['ask', 'git/config'] as const;
const ALLOWS = ['allow', undefined] as const;

const rows: readonly (readonly [string, Readonly<Record<string, string>>, readonly [string, string | undefined], string])[] = [
  ['git add . && git status', repository('in/', EVIL), ASKS, 'what is added is looked into'],
  ['git add -A; git diff --stat', repository('in/', EVIL), ASKS, 'without a path'],
  ['git add i* && git diff', repository('in/', EVIL), ASKS, 'by a pattern'],
  ['git status; git add in; git log', repository('a/in/', EVIL), ALLOWS, 'that one is not added'],
  ['for i in 1 2; do git add .; done', repository('a/in/', EVIL), ASKS, 'the second time it is there'],
  ['timeout 5 git add . | git status', repository('a/in/', EVIL), ASKS, 'behind a wrapper'],
  ['git restore --staged a && git status', repository('a/in/', EVIL), ASKS, 'a commit may have it'],
  ['git add . && git status', repository('in/'), ALLOWS, 'a configuration without programs'],
  ['git add .', repository('in/', EVIL), ALLOWS, 'nothing looks'],
  ['git status; git diff', repository('in/', EVIL), ALLOWS, 'nothing adds'],
  ['git add src/a.ts && git status', repository('in/', EVIL), ALLOWS, 'it lies elsewhere'],
  ['git add . && git status', repository('node_modules/in/', EVIL), ALLOWS, 'packages that git ignores'],
  ['git add . && git status', { ...repository('node_modules/in/', EVIL), '.gitignore': 'dist\n' }, ASKS, 'and does not'],
  [
    'git add . && git status',
    { ...repository('a/node_modules/in/', EVIL), 'a/.gitignore': '!node_modules\n' },
    ASKS,
    'ignored, but taken in again',
  ],
  [
    'git add . && git status',
    { ...repository('.git/modules/in/'), 'in/.git': 'gitdir: ../.git/modules/in\n' },
    ALLOWS,
    'a submodule that is not in the index yet',
  ],
  [
    'git add . && git status',
    { ...repository('node_modules/x/', EVIL), 'in/.git': 'gitdir: ../node_modules/x/.git\n' },
    ASKS,
    'a file that leads to one',
  ],
];

for (const [line, files, expected, why] of rows)
  test(`${line}: ${why}`, () => withFiles({ ...PROJECT, ...files }, (folder) => assert.equal(answer(folder, line), expected)));

test.run();
