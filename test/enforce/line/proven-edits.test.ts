/** Under preset safe a shell command that only changes named files of the project passes, as the edit tools do; all else asks. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ToolCall } from '../../../src/call/tool-call.js';
import { decide } from '../../../src/decide/decide.js';
import { analyse } from '../../../src/decide/flow/analysis.js';
import { compilePolicy } from '../../../src/decide/policy/compile.js';
import { gatherFacts } from '../../../src/enforce/facts/gather.js';
import { composePolicy } from '../../../src/policy/compose.js';
import { parsePolicy } from '../../../src/policy/document.js';
import { withFiles } from '../scratch.js';

const FILE = { file: 'policy.yaml', format: 'yaml', layer: 'project' } as const;

function policyOf(text: string) {
  const { document } = parsePolicy(`version: 1\n${text}\n`, FILE);
  if (document === null) throw new Error('the policy is none');
  return compilePolicy(composePolicy([{ layer: 'project', trusted: true, document }], { repository: null }).policy);
}

const SAFE = policyOf('preset: safe');
const INSPECT = policyOf('preset: inspect');
const NONE = policyOf('default: ask');
const NARROW = policyOf('preset: safe\ndeny: ["Edit(dist/**)"]\nask: ["Edit(docs/**)"]');

const PROJECT = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/objects/': '',
  '.git/refs/': '',
  '.git/config': '',
  '.env': 'X=1\n',
  '.claude/settings.json': '{}',
  'policy.yaml': 'version: 1\n',
  'src/a.ts': 'x',
  'src/b.ts': 'x',
  'src/main.go': 'package main\n',
  'dist/a.js': 'x',
  'docs/a.md': 'x',
  'evil/policy.yaml': 'x',
  'evil/pre-commit': 'x',
  'evil/settings.json': 'x',
  'scripts/run.sh': 'x',
  'w policy.yaml': 'x',
};

const LINKS = {
  outside: '/etc/hostname',
  'src/linked.ts': 'a.ts',
  'dist/b.ts': '../../elsewhere.ts',
  'dist/settings.json': '../.claude/settings.json',
  away: '/tmp',
};

type Answer = 'allow' | 'ask' | 'deny';
type Row = readonly [answer: Answer, line: string, why: string];

const rows: readonly Row[] = [
  ['allow', 'mkdir src/new', 'a new folder'],
  ['allow', 'mkdir -p src/a/b lib', 'new folders with those above them'],
  ['allow', 'mkdir -p src/{a,b}/{c,d}', 'a list of them'],
  ['allow', 'touch src/{x,y}.ts', 'a list of files'],
  ['ask', 'mkdir -p {src/x,../x}', 'one of the list outside'],
  ['deny', 'touch {x,.git/hooks/pre-commit}', 'one of the list is protected'],
  ['ask', 'cp src/{a,b}.ts', 'a list that is copied'],
  ['allow', 'touch src/new.ts', 'a new file'],
  ['allow', 'cp src/a.ts src/c.ts', 'a file to a named file'],
  ['allow', 'cp src/a.ts src/b.ts', 'over another file, as an edit would'],
  ['allow', 'cp src/a.ts src/b.ts docs/', 'files into a folder'],
  ['allow', 'cp -p src/a.ts lib.ts', 'with its times'],
  ['allow', 'cp -t docs src/a.ts', 'the target as an option'],
  ['allow', 'mv src/a.ts src/c.ts', 'a new name'],
  ['allow', 'mv src/a.ts docs/', 'another folder'],
  ['allow', 'mv src/a.ts docs/ 2>/dev/null', 'without its messages'],
  ['allow', 'mkdir -p lib && mv src/a.ts src/b.ts lib/ && touch lib/index.ts', 'a folder made for them'],
  ['allow', 'mkdir -p lib && cat > lib/x.ts <<EOF\nx\nEOF', 'a file in it'],
  ['allow', 'cd src && mv a.ts c.ts', 'from a folder below'],
  ['allow', 'cp src/a.ts src/c.ts && cat src/c.ts', 'a copy that is read'],
  ['allow', 'chmod +x scripts/run.sh', 'a script that can be started'],
  ['allow', 'chmod 755 scripts/run.sh', 'the same in numbers'],
  ['allow', 'chmod 644 src/a.ts src/b.ts', 'two files'],
  ['allow', "sed -i 's/a/b/' src/a.ts", 'a file changed in place'],
  ['allow', "sed -i.bak -e 's/a/b/g' -e '1d' src/a.ts src/b.ts", 'with copies of what was'],
  ['allow', "sed -i -E 's/(a)/\\1b/' src/a.ts", 'an extended expression'],
  ['allow', 'gofmt -w src/main.go', 'formatted'],
  ['allow', 'cat src/a.ts | tee src/c.ts', 'a text that is kept'],
  ['allow', 'cat src/a.ts | tee -a docs/a.md', 'behind another text'],

  ['ask', 'mkdir ../new', 'outside the project'],
  ['ask', 'mkdir away/x', 'outside, by a link'],
  ['ask', 'touch outside', 'a link that leads out'],
  ['ask', 'cp src/a.ts outside', 'over a file outside, by a link'],
  ['ask', 'cp src/b.ts dist', 'a link of that name in the folder leads out'],
  ['ask', 'cp src/b.ts dist/', 'the same with a slash'],
  ['ask', 'cp /etc/hostname src/x', 'a file from outside'],
  ['ask', 'cp .env src/env.txt', 'a secret'],
  ['ask', 'mv .env env.txt', 'a secret with another name'],
  ['ask', 'cp -r src lib', 'a whole folder, which may hold anything'],
  ['ask', 'mv evil lib', 'the same, with another name'],
  ['ask', 'mv src/linked.ts docs/', 'a link, which leads elsewhere there'],
  ['ask', 'cp -P src/linked.ts docs/', 'a link that is copied as one'],
  ['ask', 'cp -s src/a.ts src/c.ts', 'a link to it'],
  ['ask', 'cp --parents src/a.ts docs', 'the folders of its source come with it'],
  ['ask', 'cp -b -S /x src/a.ts src/b.ts', 'a copy with a name that an option gives'],
  ['ask', 'cp src/*.ts docs/', 'a pattern'],
  ['ask', 'mv $X src/c.ts', 'what only the shell knows'],
  ['ask', 'mv src/a.ts "$X"', 'where only the shell knows'],
  ['deny', 'mkdir lib && mv evil lib2 && mv lib2/policy.yaml .', 'a folder moved on the way'],
  ['ask', 'chmod 777 src/a.ts', 'others may write it'],
  ['ask', 'chmod 4755 scripts/run.sh', 'with the rights of its owner'],
  ['ask', 'chmod u+s scripts/run.sh', 'the same in letters'],
  ['ask', 'chmod o+w src/a.ts', 'others may write it'],
  ['ask', 'chmod -R +x scripts', 'a whole folder'],
  ['ask', 'chmod 644 .env', 'a secret that others may read'],
  ['ask', 'chmod 000 src/a.ts', 'nobody may read it'],
  ['ask', "sed -i 's/a/b/e' src/a.ts", 'a program that runs what it finds'],
  ['ask', "sed -i 's/a/b/w x' src/a.ts", 'a program that writes another file'],
  ['ask', "sed -i '1r .env' src/a.ts", 'a program that reads another file'],
  ['allow', "sed -i '3d; s|a/b|c|g' src/a.ts", 'a line that is gone, and a substitution'],
  ['allow', "sed -i '106,112s/true/false/' src/a.ts", 'some lines'],
  ['allow', "sed -i '/import x/d' src/a.ts", 'lines that hold a text'],
  ['ask', "sed -i 's/.*//' src/a.ts", 'nothing is left'],
  ['ask', "sed -i '/./d' src/a.ts", 'the same by an address'],
  ['ask', "sed -i '1,$d' src/a.ts", 'all lines'],
  ['ask', 'sed -i d src/a.ts', 'all lines, without an address'],
  ['ask', "sed -n -i 's/a/b/' src/a.ts", 'what is not printed is gone'],
  ['ask', 'cp /dev/null src/a.ts', 'a file that is emptied'],
  ['ask', 'sed -i -f x.sed src/a.ts', 'a program from a file'],
  ['ask', "sed -iml 's/a/b/' policy.ya", 'an ending that makes another name of it'],
  ['ask', "sed -i'../../x/*' 's/a/b/' src/a.ts", 'a copy that goes elsewhere'],
  ['ask', "sed --follow-symlinks -i 's/a/b/' src/linked.ts", 'through links'],
  ['ask', 'gofmt -w .', 'a whole folder'],
  ['ask', 'ln -s /etc/passwd src/x', 'a link'],
  ['ask', 'rm src/a.ts', 'a file that is gone'],
  ['ask', 'rmdir src', 'a folder that is gone'],
  ['ask', 'truncate -s 0 src/a.ts', 'a file that is emptied'],
  ['ask', 'dd if=src/a.ts of=src/b.ts', 'a copy of another kind'],
  ['ask', 'sudo mkdir src/new', 'with other rights'],
  ['ask', 'find src -exec mv {} docs \\;', 'names that are found'],
  ['ask', 'find src -name "*.ts" | xargs sed -i s/a/b/', 'names that are given'],
  ['ask', 'touch src/a.ts &', 'in the background'],
  ['ask', 'X=1 cp src/a.ts src/c.ts', 'with a variable'],

  ['deny', 'cp evil/policy.yaml .', 'the policy'],
  ['deny', 'cp evil/policy.yaml policy.yaml', 'the policy by its name'],
  ['deny', 'mv evil/pre-commit .git/hooks/', 'a hook'],
  ['deny', 'cp evil/settings.json .claude/', 'settings of the client'],
  ['deny', "sed -i 's/a/b/' .claude/settings.json", 'the same changed'],
  ['deny', 'mkdir -p .git/hooks', 'a folder of git'],
  ['deny', 'chmod +x .git/hooks/pre-commit', 'a hook that can be started'],
  ['ask', 'cp evil/settings.json dist', 'a link of that name leads to settings'],
  ['deny', 'mkdir -p .claude && cp evil/settings.json .claude', 'into a folder that the line makes'],
  ['deny', 'mv policy.yaml x', 'the policy with another name'],
  ['deny', 'mv .git x', 'the repository'],
  ['ask', 'mkdir -p .github && mv evil .github/workflows', 'workflows'],
];

/** The decision on a line in the project, with its reasons. */
function decided(line: string, policy: typeof SAFE, platform: 'linux' | 'darwin' = 'linux') {
  const links = Object.fromEntries(Object.entries(LINKS).map(([name, target]) => [name, `-> ${target}`]));
  return withFiles({ ...PROJECT, ...links }, (project) => {
    const call: ToolCall = { tool: 'Bash', input: { command: line }, cwd: project, headless: false, shell: 'bash' };
    const analysis = analyse(call);
    const around = { project, home: '/home/nobody', platform, environment: {}, ownDirectories: [], budget: null };
    return decide(policy, call, gatherFacts(analysis, project, around), analysis);
  });
}

for (const [answer, line, why] of rows) {
  test(`${line}: ${answer}, ${why}`, () => {
    const { decision, reasons } = decided(line, SAFE);
    assert.is(decision, answer, JSON.stringify(reasons));
  });
  if (answer === 'allow')
    test(`${line}: asks without a rule about edits`, () => {
      assert.is(decided(line, NONE).decision, 'ask');
      assert.is.not(decided(line, INSPECT).decision, 'allow');
    });
}

/** What rules say of edits holds for the shell: `dist` is denied, `docs` asks. */
const ruled: readonly Row[] = [
  ['deny', 'cp src/a.ts dist/c.js', 'into a denied folder'],
  ['deny', 'cp src/a.ts dist', 'the folder itself'],
  ['deny', 'mv dist/a.js src/', 'out of a denied folder'],
  ['deny', "sed -i 's/a/b/' dist/a.js", 'changed in place'],
  ['deny', 'touch dist/x', 'a new file'],
  ['deny', 'mkdir -p dist/x', 'a new folder'],
  ['ask', 'cp src/a.ts docs', 'a folder that asks'],
  ['ask', 'mv docs/a.md src/', 'out of it'],
  ['allow', 'cp src/a.ts src/c.ts', 'another folder'],
  ['allow', 'cp docs/a.md src/', 'a copy out of it'],
];

for (const [answer, line, why] of ruled)
  test(`rules about edits, ${line}: ${answer}, ${why}`, () => {
    const { decision, reasons } = decided(line, NARROW);
    assert.is(decision, answer, JSON.stringify(reasons));
  });

/** On macOS the word behind `-i` is the ending of a copy. */
const onMac: readonly Row[] = [
  ['allow', "sed -i '' 's/a/b/' src/a.ts", 'no copy'],
  ['ask', "sed -i '' -e 's/a/b/' src/a.ts", 'the ending is a file to GNU sed'],
  ['allow', "sed -i.bak 's/a/b/' src/a.ts", 'with a copy'],
  ['ask', "sed -i '' 'w policy.yaml' src/a.ts", 'a script that GNU sed takes for a file'],
  ['ask', "sed -i 's/a/b/' 'w policy.yaml' src/a.ts", 'a file that is the script there'],
  ['ask', "sed -i 's/a/b/' src/a.ts", 'an ending with the name of a folder'],
];

for (const [answer, line, why] of onMac)
  test(`on macOS, ${line}: ${answer}, ${why}`, () => {
    const { decision, reasons } = decided(line, SAFE, 'darwin');
    assert.is(decision, answer, JSON.stringify(reasons));
  });

test.run();
