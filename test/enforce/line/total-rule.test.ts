/** Under a rule for every command line: what replaces the files that say what agents may do is still asked about, or denied. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { compilePolicy } from '../../../src/decide/policy/compile.js';
import { composePolicy } from '../../../src/policy/compose.js';
import { parsePolicy } from '../../../src/policy/document.js';
import { decideOnDisk } from '../judged-line.js';
import { withFiles } from '../scratch.js';

const FILE = { file: 'policy.yaml', format: 'yaml', layer: 'project' } as const;

function policyOf(text: string) {
  const { document } = parsePolicy(`version: 1\n${text}\n`, FILE);
  if (document === null) throw new Error('the policy is none');
  return compilePolicy(composePolicy([{ layer: 'project', trusted: true, document }], { repository: null }).policy);
}

const TOTAL = policyOf('allow: ["Bash(*)"]');
const DEFAULT = policyOf('default: allow');

const PROJECT = {
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/objects/': '',
  '.git/refs/': '',
  '.git/config': '',
  '.claude/settings.json': '{}',
  'policy.yaml': 'version: 1\n',
  'src/a.ts': 'x',
  'dist/a.js': 'x',
  'evil/policy.yaml': 'x',
  'evil/.claude/settings.json': 'x',
};

type Row = readonly [answer: 'allow' | 'ask' | 'deny', line: string, why: string];

const rows: readonly Row[] = [
  // What a folder holds is copied over the project.
  ['ask', 'cp -r evil/. .', 'files of any name'],
  ['ask', 'cp -r evil/. ./', 'the folder with a slash'],
  ['ask', 'cp -rt . evil/.', 'the target as an option'],
  ['ask', 'cp -r evil/. src/a.ts .', 'beside a file'],
  ['ask', 'cp -a evil/* .', 'by a pattern'],
  ['ask', 'cp -r evil/.claude .', 'the folder itself'],
  ['ask', 'cd src && cp -r ../evil/. ..', 'from a folder below'],
  ['ask', 'rsync -a evil/ .', 'what rsync finds in it'],
  ['ask', 'rsync -a evil/ ./', 'the folder with a slash'],
  ['ask', 'rsync -a evil/.claude .', 'the folder itself'],
  ['allow', 'cp -r src/. dist', 'into a folder of its own'],
  ['allow', 'cp -r src dist', 'the same, as a folder'],
  ['allow', 'cp src/a.ts .', 'one file'],
  ['allow', 'cp src/*.ts .', 'names that are nobody else’s'],
  ['allow', 'cp -r evil/. /nowhere/out', 'outside'],
  ['allow', 'rsync -a src/ dist/', 'into a folder of its own'],
  ['allow', 'rsync -a src .', 'the folder as one'],
  // What git does to the files that it is told.
  ['ask', 'git checkout X -- .claude', 'a folder of another commit'],
  ['ask', 'git checkout X .claude', 'the same without --'],
  ['ask', 'git checkout -- .claude/settings.json', 'the file itself'],
  ['ask', "git checkout X -- ':/.claude'", 'from the top'],
  ['ask', "git checkout X -- ':(top).claude'", 'from the top, in words'],
  ['ask', "git checkout X -- '.clau*'", 'a pattern that git expands'],
  ['ask', 'cd src && git checkout X -- ../.claude', 'from a folder below'],
  ['ask', 'git rm -r .claude', 'deleted'],
  ['ask', 'git rm policy.yaml', 'the policy'],
  ['ask', 'sudo git rm -r .claude', 'behind a wrapper'],
  ['ask', 'git mv .claude x', 'moved away'],
  ['ask', 'git mv evil/.claude .', 'moved to its place'],
  ['ask', 'git clean -x .claude', 'what is not tracked in it'],
  ['ask', 'git clean -fdx -- src/../.claude/', 'by way of another folder'],
  ['ask', 'git stash push -- .claude', 'put away'],
  ['ask', 'git restore .claude', 'as it was'],
  ['ask', 'd=.claude; git clean -fx "$d"', 'named by a variable'],
  ['ask', 'x="git rm -r .claude"; $x', 'a whole command in a variable'],
  ['allow', 'git checkout main', 'a branch'],
  ['allow', 'git checkout X -- src', 'other files'],
  ['allow', "git checkout X -- '*.ts'", 'other files by a pattern'],
  ['allow', "git checkout X -- src ':!.claude'", 'without it'],
  ['allow', 'git rm -r src', 'other files'],
  ['allow', 'git mv src/a.ts src/b.ts', 'other files'],
  ['allow', 'git clean -fd dist', 'other files'],
  ['allow', 'git clean -fdx -e .claude -e policy.yaml', 'all but what is protected'],
  ['ask', 'git clean -fdx -e .claude', 'a policy is left'],
  ['allow', 'git stash push -m .claude', 'a message'],
  // A file behind NAME=.
  ['deny', 'dd if=x of="$HOME/.bashrc"', 'by way of a variable'],
  ['deny', 'dd if=x of=${HOME}/.ssh/authorized_keys', 'in braces'],
  ['deny', 'dd if=x of="$HOME"/.claude/settings.json', 'partly in quotes'],
  ['ask', 'dd if=x of=~/.ssh/authorized_keys', 'the shell finds the home behind ='],
  ['ask', 'dd if=$HOME/.ssh/id_rsa of=x', 'a secret that is read'],
  ['allow', 'dd if=x of="$HOME/out.img"', 'any other file'],
  ['allow', 'dd if=x of=$PWD/out.img', 'in the project'],
  // The program's own commands.
  ['deny', 'p=policy; $p trust', 'its name in a variable'],
  ['deny', 'p=policy; "$p" trust', 'in quotes'],
  ['deny', 'p=pol; ${p}icy trust', 'a part of its name'],
  ['deny', 'p=policy; q=trust; $p $q', 'both words'],
  ['deny', 'x="policy trust"; $x', 'the whole command'],
  ['allow', 'p=policy; $p check Bash ls', 'what only tells'],
  ['allow', 'p=python3; $p trust', 'another program'],
];

/** The decision on a line in the project, with its reasons. */
function decided(line: string, policy: typeof TOTAL) {
  return withFiles(PROJECT, (project) => {
    return decideOnDisk(policy, project, line, { shell: 'bash' });
  });
}

for (const [answer, line, why] of rows) {
  test(`${line}: ${answer}, ${why}`, () => {
    const { decision, reasons } = decided(line, TOTAL);
    assert.is(decision, answer, JSON.stringify(reasons));
  });
  // Some words that only the shell knows are asked about here anyway.
  if (answer !== 'allow')
    test(`${line}: not allowed by a default either`, () => {
      assert.is.not(decided(line, DEFAULT).decision, 'allow');
    });
}

test.run();
