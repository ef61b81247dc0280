/** `cd X` followed by `;` or a line break: the folder, where it is there. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { judgeUnder } from '../judged-line.js';
import { withFiles } from '../scratch.js';

const judge = judgeUnder('version: 1\npreset: safe\nallow: ["Bash(node scripts/*)", "Bash(rm -rf dist)"]\n');

const rows: readonly (readonly [line: string, expected: 'allow' | 'ask' | 'deny', why: string])[] = [
  ['cd sub; cat b.js', 'allow', 'the folder is there'],
  ['cd sub\ncat b.js\nnode ../scripts/a.js', 'allow', 'lines of their own'],
  ['cd sub; cat .env', 'ask', 'a secret in it'],
  ['cd PROJECT; cat README.md', 'allow', 'an absolute folder'],
  ['cd sub; cd ../scripts; cat a.js', 'allow', 'one behind the other'],
  ['cd nothere; cat README.md', 'ask', 'somebody may make that folder before'],
  ['cd .claude; echo x > settings.json', 'ask', 'the same with a protected one'],
  ['cd README.md; cat sub/b.js', 'ask', 'no folder'],
  ['cd ..; ls', 'ask', 'out of the project'],
  ['cd out; cat hostname', 'ask', 'a link that leads out of the project'],
  ['rm -rf sub; cd sub; cat b.js', 'ask', 'another command may have removed it'],
  ['mkdir x; cd x; cat README.md', 'ask', 'another command may have made it'],
  ['node scripts/a.js; cd sub; cat b.js', 'ask', 'a program may have done either'],
  ['cd sub; node ../scripts/a.js; cat b.js', 'allow', 'what runs behind it changes nothing about it'],
  ['cd sub > README.md; cat b.js', 'ask', 'a redirection that fails keeps it from running'],
  ['for i in 1 2; do cd sub; ls; done', 'ask', 'the second time it starts elsewhere'],
  ['if true; then cd sub; fi; cat b.js', 'ask', 'perhaps it does not run'],
  ['cd sub || true; cat b.js', 'ask', 'a chain is not followed'],
  ['! cd sub; cat b.js', 'ask', 'nor its opposite'],
  ['cd sub; cd -; cat README.md', 'ask', 'nor the way back'],
  ['cd() { :; }; cd sub; cat b.js', 'ask', 'another meaning of the name'],
  ['CDPATH=/tmp; cd sub; cat b.js', 'ask', 'another place to look'],
  ['cd sub; rm -rf dist', 'allow', 'a rule holds in folders of the project, as behind &&'],
  ['cd /; rm -rf *', 'deny', 'the whole disk'],
];

for (const [line, expected, why] of rows)
  test(`${JSON.stringify(line)}: ${expected}, ${why}`, () => {
    withFiles({ 'sub/b.js': '', 'sub/.env': '', 'scripts/a.js': '', 'README.md': '', '.env.local': '' }, (project) => {
      symlinkSync('/etc', join(project, 'out'));
      const decision = judge(project, line.replaceAll('PROJECT', project));
      assert.is(decision.decision, expected, JSON.stringify(decision.reasons));
    });
  });

test.run();
