/**
 * The first offer for an asked command is no wider than what a person reads in it: each line of test/fixtures/first-offers.txt is a
 * command, what is offered for it, and the three worst lines that the offer might let through. None of them may pass.
 */
import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ToolCall } from '../../../src/call/tool-call.js';
import { enforceDry } from '../../../src/enforce/enforce.js';
import { CLEAN_REPOSITORY } from '../../cli/spawned.js';
import { withFiles } from '../scratch.js';
import { allowing, askAbout, openedIn, wordsByShell } from './offered.js';

const FILES = {
  ...CLEAN_REPOSITORY,
  '.git/HEAD': 'ref: refs/heads/feature/x\n',
  'package.json': '{"scripts":{"docs":"x"}}',
  '.env': 'A=b',
  'scripts/a.js': '',
  'scripts/b.js': '',
  'tools/b.py': '',
  'x.sh': '',
  'y.sh': '',
  'lib/a.rb': '',
};

const ROWS = readFileSync('test/fixtures/first-offers.txt', 'utf8')
  .split('\n')
  .filter((line) => line !== '' && !line.startsWith('# '))
  .map((line) => line.split(' ¦ '));

const inWorld = (policy: string, use: (workspace: ReturnType<typeof openedIn>) => void) =>
  withFiles({ ...FILES, 'policy.yaml': policy }, (cwd) => use(openedIn(cwd)));

test('150 first offers and the three worst lines of each', () =>
  inWorld('version: 1\npreset: safe\n', (safe) =>
    inWorld('version: 1\ndefault: ask\n', (bare) => {
      const wrong: string[] = [];
      const tried = ROWS.map((row) => {
        const [asked = '', offer = '', ...worst] = row;
        const call = (cwd: string, command: string): ToolCall => ({
          tool: 'Bash',
          input: { command },
          cwd,
          headless: false,
          shell: 'bash',
        });
        // What the preset allows is asked about without it.
        const inSafe = askAbout(safe, call(safe.cwd, asked));
        const workspace = inSafe.decision.decision === 'allow' ? bare : safe;
        const [first] = (workspace === safe ? inSafe : askAbout(bare, call(bare.cwd, asked))).lines;
        return { asked, offer, worst, workspace, call, line: first?.line ?? 'policy nothing' };
      });
      const words = wordsByShell(tried.map(({ line }) => line));
      for (const [at, { asked, offer, worst, workspace, call }] of tried.entries()) {
        const [verb, ...rules] = words[at] ?? [];
        if (verb !== 'allow' || rules.join(' + ') !== offer) wrong.push(`${asked}: ${verb} ${rules.join(' + ')}`);
        if (verb !== 'allow') continue;
        if (worst.length !== 3) wrong.push(`${asked}: ${worst.length} lines`);
        const { refused, after } = allowing(workspace, words[at] ?? []);
        if (refused.length > 0) wrong.push(`${asked}: ${refused.join('; ')}`);
        for (const line of worst)
          if (enforceDry(after, call(after.cwd, line)).decision === 'allow') wrong.push(`${offer} lets through ${line}`);
      }
      assert.equal(wrong, []);
      assert.ok(ROWS.length >= 150, String(ROWS.length));
    }),
  ));

test.run();
