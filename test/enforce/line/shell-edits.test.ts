/** What the preset `safe` allows by its edit tools it allows by plain commands: files that are named, unprotected and no links. */
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { judgeUnder } from '../judged-line.js';
import { withFiles } from '../scratch.js';

const safe = judgeUnder('version: 1\npreset: safe\nask: ["Edit(/asked/**)"]\ndeny: ["Edit(/denied/**)"]\n');
const inspect = judgeUnder('version: 1\npreset: inspect\n');
const bare = judgeUnder('version: 1\nallow: ["Edit(**)"]\n');

const rows: readonly (readonly [line: string, expected: 'allow' | 'ask' | 'deny', why: string])[] = [
  ['mkdir -p src/new/deep', 'allow', 'a new folder'],
  ['mkdir src', 'allow', 'one that is there'],
  ['mkdir -p .claude/agents', 'ask', 'a protected folder'],
  ['mkdir -p .git/hooks', 'deny', 'the repository itself'],
  ['mkdir ../other', 'ask', 'outside the project'],
  ['mkdir -m 777 src/new', 'ask', 'an option that is not plain'],
  ['touch src/new.ts', 'allow', 'a new file'],
  ['touch src/out', 'ask', 'a link that leads out of the project'],
  ['touch -r src/a.ts src/b.ts', 'ask', 'an option that is not plain'],
  ['cp src/a.ts src/c.ts', 'allow', 'to a new file'],
  ['cp src/a.ts src/b.ts', 'allow', 'over a file, as an edit'],
  ['cp src/a.ts lib', 'allow', 'into a folder'],
  ['cp src/a.ts src/b.ts lib/', 'allow', 'several'],
  ['cp src/a.ts links/', 'ask', 'in the folder the name is a link'],
  ['cp lib/policy.yaml .', 'deny', 'in the folder the name is protected'],
  ['cp src/a.ts policy.yaml', 'deny', 'a protected file'],
  ['cp .env src/x', 'ask', 'a secret file'],
  ['cp /etc/hostname src/x', 'ask', 'from outside the project'],
  ['cp src/out src/x', 'ask', 'through a link from outside the project'],
  ['cp src/a.ts /tmp/x', 'ask', 'to a place outside the project'],
  ['cp -r src lib', 'ask', 'a whole folder, links in it too'],
  ['cp -l src/a.ts src/c.ts', 'ask', 'a hard link'],
  ['cp -S .yaml -b src/a.ts lib/policy', 'ask', 'a copy of the old file under another name'],
  ['cp src/*.ts lib', 'ask', 'a pattern may stand for a link'],
  ['cp src/a.ts asked/x', 'ask', 'a rule asks about edits there'],
  ['cp src/a.ts denied/x', 'deny', 'a rule denies edits there'],
  ['mv src/a.ts src/c.ts', 'allow', 'another name'],
  ['mv src/a.ts lib && ls lib', 'allow', 'what follows sees a plain file'],
  ['mv src/out src/c.ts', 'ask', 'a link'],
  ['mv src lib', 'ask', 'a whole folder'],
  ['mv .env src/x', 'ask', 'a secret file'],
  ['mv denied/y src/x', 'deny', 'a rule denies edits there'],
  ['chmod +x src/a.ts', 'allow', 'a plain mode'],
  ['chmod 644 src/a.ts', 'allow', 'a plain mode in numbers'],
  ['chmod 000 src/a.ts', 'ask', 'nobody could read it'],
  ['chmod 4755 src/a.ts', 'ask', 'the rights of the owner'],
  ['chmod u+s src/a.ts', 'ask', 'the rights of the owner'],
  ['chmod -R 755 src', 'ask', 'a whole folder'],
  ['chmod +x .git/hooks/pre-commit', 'deny', 'a hook'],
  ["sed -i 's/a/b/' src/a.ts", 'allow', 'a plain substitution'],
  ["sed -n -i '1,5p' src/a.ts", 'ask', 'what is not printed is gone'],
  ["sed -i -e 's/a/b/' -e 2d src/a.ts src/b.ts", 'allow', 'several'],
  ["sed -i '' 's/a/b/' src/a.ts", 'allow', 'as macOS writes it'],
  ["sed -i '' 's/a/b/w src/c.ts' src/a.ts", 'ask', 'a program that writes another file'],
  ["sed -i '' 's/a/b/' policy.yaml", 'deny', 'a protected file'],
  ["sed -i.bak 's/a/b/' src/a.ts", 'allow', 'the old file under a name that nothing reads'],
  ['mv src/none.ts src/c.ts', 'allow', 'a file that is not there yet'],
  ["sed -i 's/a/b/w src/c.ts' src/a.ts", 'ask', 'a program that writes another file'],
  ["sed -i 's/a/b/e' src/a.ts", 'ask', 'a program that runs commands'],
  ["sed -i.yaml 's/a/b/' lib/policy", 'ask', 'the old file under another name'],
  ["sed -i 's/a/b/' policy.yaml", 'deny', 'a protected file'],
  ["sed -i 's/a/b/' src/out", 'ask', 'a link'],
  ["sed -i 's/a/b/' src/new.ts", 'allow', 'sed makes no files'],
  ['rm src/a.ts', 'ask', 'edit tools delete nothing'],
  ['ln -s a.ts src/c.ts', 'ask', 'nor do they make links'],
  ['cp src/a.ts src/c.ts &', 'ask', 'later it may be another file'],
  ['X=src/c.ts; cp src/a.ts $X', 'allow', 'a value that the line sets'],
  ['cp src/a.ts "$X"', 'ask', 'a value that only the shell knows'],
];

const FILES = {
  ...{ 'src/a.ts': '', 'src/b.ts': '', 'lib/policy': '', 'lib/policy.yaml': '', 'links/': '', '.env': '', 'asked/': '' },
  ...{ 'denied/y': '', 'policy.yaml': 'version: 1\n', '.git/hooks/pre-commit': '' },
};

function withProject<Result>(use: (project: string) => Result): Result {
  return withFiles(FILES, (project) => {
    symlinkSync('/etc/hostname', join(project, 'src/out'));
    symlinkSync('/etc/hostname', join(project, 'links/a.ts'));
    return use(project);
  });
}

for (const [line, expected, why] of rows)
  test(`${line}: ${expected}, ${why}`, () => {
    withProject((project) => assert.is(safe(project, line).decision, expected));
  });

for (const line of [
  'mkdir -p src/new',
  'cp src/a.ts src/c.ts',
  'mv src/a.ts src/c.ts',
  'chmod +x src/a.ts',
  "sed -i 's/a/b/' src/a.ts",
])
  test(`without the preset's edits nothing of it is allowed: ${line}`, () => {
    withProject((project) => {
      assert.is.not(inspect(project, line).decision, 'allow');
      assert.is(bare(project, line).decision, 'ask');
    });
  });

test.run();
