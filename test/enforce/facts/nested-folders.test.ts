/** Work in folders of the project that are repositories of their own: submodules, and what was cloned into it. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { judgeIn } from '../judged-line.js';
import { withFiles } from '../scratch.js';

const judge = judgeIn('version: 1\npreset: develop\nallow: ["Bash(make *)"]\n');

const FILES = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/objects/x': '',
  '.git/refs/x': '',
  'package.json': '{"scripts":{"test":"x"}}',
  'sub/.git': 'gitdir: ../.git/modules/sub\n',
  'sub/package.json': '{"scripts":{"test":"x"}}',
  'sub/deep/Makefile': 'test:\n',
  'clone/.git/HEAD': 'ref: refs/heads/main\n',
  'clone/Makefile': 'test:\n',
  'clone/t.sh': '',
  'clone/t.py': '',
  'app/t.sh': '',
  'app/package.json': '{"scripts":{"test":"x"}}',
  'app/Makefile': 'test:\n',
};

const rows: readonly (readonly ['ask' | 'allow', string])[] = [
  ['ask', 'cd sub && npm test'],
  ['ask', 'cd sub/deep && make test'],
  ['ask', 'cd clone && make test'],
  ['ask', '(cd app; cd ../clone; make test)'],
  ['ask', 'if cd clone; then make test; fi'],
  ['ask', 'bash clone/t.sh'],
  ['ask', 'python3 clone/t.py'],
  ['ask', 'pytest clone'],
  ['ask', 'npx eslint clone'],
  ['allow', 'bash app/t.sh'],
  ['allow', 'cat clone/t.sh'],
  ['allow', 'cd app && npm test'],
  ['allow', 'cd app && make test'],
  ['allow', 'cd sub && ls && cat package.json'],
  ['allow', 'cd sub; cd ..; npm test'],
];

for (const [expected, line] of rows)
  test(`${expected}: ${line}`, () =>
    withFiles(FILES, (project) => {
      const { decision, reasons } = judge(project, line);
      assert.is(decision, expected, JSON.stringify(reasons));
      if (expected === 'ask' && line.includes('cd ')) assert.is(reasons[0]?.code, 'place/elsewhere');
    }));

test.run();
