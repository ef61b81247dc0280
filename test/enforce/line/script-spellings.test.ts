/** `node ./scripts/a.js`, `cd scripts && node a.js`: a rule that names the script means them all, whether it allows, asks or denies. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { judgeUnder } from '../judged-line.js';
import { withFiles } from '../scratch.js';

const FILES = {
  'scripts/a.js': '',
  'scripts/deploy.js': '',
  'scripts/ship.js': '',
  'scripts/link.js': '-> deploy.js',
  'sub/b.js': '',
};
const judge = judgeUnder(
  `version: 1
preset: safe
allow: ["Bash(node scripts/*)", "Bash(./scripts/*)", "Bash(bash scripts/*)"]
deny: ["Bash(node scripts/deploy.js *)", "Bash(bash scripts/deploy.sh *)"]
ask: ["Bash(./scripts/ship.js *)"]
`,
);

const ROWS: readonly (readonly [line: string, expected: 'allow' | 'ask' | 'deny', why: string])[] = [
  ['node scripts/a.js --x', 'allow', 'as the rule says'],
  ['node ./scripts/a.js', 'allow', 'from this folder'],
  ['node @/scripts/a.js', 'allow', 'by the whole path'],
  ['cd scripts && node a.js', 'allow', 'from its own folder'],
  ['node scripts/deploy.js', 'deny', 'as the rule says'],
  ['node ./scripts/deploy.js prod', 'deny', 'from this folder'],
  ['node @/scripts/deploy.js', 'deny', 'by the whole path'],
  ['cd scripts && node deploy.js', 'deny', 'from its own folder'],
  ['node scripts//deploy.js', 'deny', 'a slash too many'],
  ['node scripts/./deploy.js', 'deny', 'a dot'],
  ['timeout 5 node ./scripts/deploy.js', 'deny', 'behind a wrapper'],
  ['node scripts/link.js', 'deny', 'a link to it'],
  ['node scripts/deploy', 'ask', 'node finds the ending'],
  ['node scripts/d?ploy.js', 'ask', 'a pattern'],
  ['bash scripts/d?ploy.sh', 'ask', 'a pattern for a shell'],
  ['cat scripts/deploy.js', 'allow', 'it is only read'],
  ['scripts/a.js', 'allow', 'the program itself, without a dot'],
  ['@/scripts/a.js x', 'allow', 'by the whole path'],
  ['cd scripts && ./a.js', 'allow', 'from its own folder'],
  ['cd scripts && a.js', 'ask', 'a name that PATH is searched for'],
  ['scripts/ship.js', 'ask', 'without a dot'],
  ['@/scripts/ship.js', 'ask', 'by the whole path'],
  ['cd scripts && ./ship.js', 'ask', 'from its own folder'],
  ['./scripts//ship.js', 'ask', 'a slash too many'],
  ['node scripts/ship.js', 'ask', 'by the program that it names itself'],
  ['./scripts/deploy.js', 'deny', 'without the program that the rule names'],
  ['scripts/deploy.sh x', 'deny', 'the same of a shell'],
  ['sh scripts/deploy.sh', 'deny', 'by another shell'],
  ['./scripts/deploy', 'allow', 'another program'],
  ['@/sub/b.js', 'ask', 'another folder'],
  ['@/scripts/../sub/b.js', 'ask', 'another folder by way of this one'],
  ['cd sub && ../scripts/a.js', 'ask', 'where .. leads may be another folder'],
  ['bash ./scripts/a.sh x', 'allow', 'what a shell reads'],
  ['bash @/scripts/a.sh', 'allow', 'by the whole path'],
  ['cd scripts && bash a.sh', 'allow', 'from its own folder'],
  ['bash -x scripts/a.sh', 'ask', 'an option'],
  ['bash -c "scripts/a.sh"', 'ask', 'a text that the shell runs'],
  ['bash ./scripts/deploy.sh', 'deny', 'from this folder'],
  ['bash @/scripts/deploy.sh', 'deny', 'by the whole path'],
  ['cd scripts && bash deploy.sh', 'deny', 'from its own folder'],
  ['bash ./sub/a.sh', 'ask', 'another folder'],
  ['cd /tmp && bash scripts/a.sh', 'ask', 'a folder of the same name elsewhere'],
  ['cd /tmp && ./scripts/a.js', 'ask', 'a folder of the same name elsewhere'],
  ['cd /tmp && scripts/a.js', 'ask', 'a folder of the same name elsewhere'],
  ['cd /tmp && node ./scripts/a.js', 'ask', 'a folder of the same name elsewhere'],
];

for (const [line, expected, why] of ROWS)
  test(`${line} is ${expected}: ${why}`, () =>
    withFiles(FILES, (project) => assert.is(judge(project, line.replaceAll('@', project)).decision, expected)));

test.run();
