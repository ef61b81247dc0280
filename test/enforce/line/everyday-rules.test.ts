/** Rules as a person would say them: a folder of scripts, any value of a variable, a folder outside the project, jobs behind `&`. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { judgeUnder } from '../judged-line.js';
import { withFiles } from '../scratch.js';

const judge = judgeUnder(
  [
    'version: 1',
    'preset: safe',
    'allow:',
    '  - Bash(node scripts/*)',
    '  - Bash(./bin/run *)',
    '  - Bash(MODE=* node scripts/*)',
    '  - Bash(LEVEL=1 node scripts/*)',
    '  - Bash(npm start *)',
    '  - Read(//OUTSIDE/**)',
    '  - Edit(//OUTSIDE/logs/**)',
  ]
    .join('\n')
    .replaceAll('//OUTSIDE', '//srv/policy-test'),
);

const rows: readonly (readonly [line: string, expected: string, why: string])[] = [
  ['node scripts/a.js', 'allow', 'as the rule writes it'],
  ['node ./scripts/a.js x', 'allow', 'another spelling of the path'],
  ['node PROJECT/scripts/a.js', 'allow', 'the absolute path'],
  ['cd lib && node ../scripts/a.js', 'allow', 'from another folder of the project'],
  ['cd scripts && node a.js', 'allow', 'from the folder itself'],
  ['node scripts/../lib/b.js', 'ask', 'another file'],
  ['node scripts/link.js', 'allow', 'the rule names the link itself'],
  ['cd lib && node linked/b.js', 'ask', 'the link leads to another folder than the rule names'],
  ['node lib/b.js', 'ask', 'another folder'],
  ['node -r ./lib/b.js scripts/a.js', 'ask', 'an option runs another file first'],
  ['cd /tmp && node scripts/a.js', 'ask', 'a file of that name elsewhere'],
  ['bin/run x', 'allow', 'another spelling of the program'],
  ['cd bin && ./run x', 'allow', 'from its own folder'],
  ['cd bin && ./other', 'ask', 'another program'],

  ['MODE=x node scripts/a.js', 'allow', 'any value'],
  ['MODE="a b" node ./scripts/a.js', 'allow', 'any value, another spelling of the path'],
  ['LEVEL=1 node scripts/a.js', 'allow', 'the value of the rule'],
  ['LEVEL=2 node scripts/a.js', 'ask', 'another value'],
  ['MODE=x OTHER=y node scripts/a.js', 'ask', 'a variable that no rule names'],
  ['MODE=x other node scripts/a.js', 'ask', 'the star stands for a value, not for another command'],
  ['MODE=x NODE_OPTIONS=--require=./lib/b.js node scripts/a.js', 'ask', 'a variable that makes node run another file'],
  ['MODE=$OTHER node scripts/a.js', 'ask', 'a value that only the shell knows'],

  ['cat /srv/policy-test/a.txt', 'allow', 'a rule about reading covers what the shell reads'],
  ['grep -r x /srv/policy-test/logs | head -3', 'allow', 'a whole folder'],
  ['cat /srv/policy-test/.env', 'ask', 'a secret file all the same'],
  ['cat /srv/policy-test/../other', 'ask', 'outside of the folder'],
  ['cat /srv/other', 'ask', 'another folder'],
  ['cat /srv/policy-test/a.txt /srv/other', 'ask', 'one of them lies elsewhere'],
  ['ls > /srv/policy-test/logs/a', 'allow', 'a rule about edits covers the redirection'],
  ['ls > /srv/policy-test/a', 'ask', 'reading is not writing'],
  ['rm /srv/policy-test/a.txt', 'ask', 'nor deleting'],

  ['npm start &', 'allow', 'a rule names what goes on'],
  [
    'npm start > /srv/policy-test/logs/out 2>&1 & sleep 3; cat scripts/a.js',
    'allow',
    'with its output in a file that rules cover',
  ],
  ['sleep 1 && node scripts/a.js &', 'allow', 'it waits first'],
  ['nohup node scripts/a.js > /dev/null 2>&1 &', 'allow', 'through a wrapper'],
  ['sleep 60 && cat lib/b.js &', 'ask', 'a later call may make another file of it'],
  ['node lib/b.js &', 'ask', 'no rule covers it'],
  ['(node scripts/a.js; cat lib/b.js) &', 'ask', 'one of the group only reads'],
  ['npm start & ln -s /etc/passwd lib/c; cat lib/c', 'ask', 'a link is made beside it'],
];

for (const [line, expected, why] of rows)
  test(`${line}: ${expected}, ${why}`, () => {
    withFiles({ 'scripts/a.js': '', 'lib/b.js': '', 'bin/run': '', 'bin/other': '', 'package.json': '{}' }, (project) => {
      mkdirSync(join(project, 'elsewhere'));
      writeFileSync(join(project, 'elsewhere/b.js'), '');
      symlinkSync('../lib/b.js', join(project, 'scripts/link.js'));
      symlinkSync('../elsewhere', join(project, 'lib/linked'));
      assert.is(judge(project, line.replaceAll('PROJECT', project)).decision, expected);
    });
  });

test.run();
