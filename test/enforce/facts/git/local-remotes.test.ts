/** A push to a repository of this machine runs its hooks here: which remotes are such ones, and what rules say of them. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { compilePolicy } from '../../../../src/decide/policy/compile.js';
import { gitFacts } from '../../../../src/disk/git/repository.js';
import { composePolicy } from '../../../../src/policy/compose.js';
import { parsePolicy } from '../../../../src/policy/document.js';
import { decideOnDisk } from '../../judged-line.js';
import { withFiles } from '../../scratch.js';

const repository = (config: string) => ({
  '.git/HEAD': 'ref: refs/heads/topic\n',
  '.git/objects/': '',
  '.git/refs/': '',
  '.git/config': config,
});
const origin = (url: string, more = '') => `[remote "origin"]\n\turl = ${url}\n${more}`;

const remotes: readonly (readonly [config: string, local: readonly string[], bare: boolean, why: string])[] = [
  [origin('https://github.com/a/b.git'), [], false, 'an address'],
  [origin('git@github.com:a/b.git'), [], false, 'as ssh writes it'],
  [origin('host:x.git'), [], false, 'without a user'],
  [origin('ssh://host/x.git'), [], false, 'with a scheme'],
  [origin('./x.git'), ['origin'], true, 'a path'],
  [origin('../x.git'), ['origin'], true, 'a path beside'],
  [origin('x.git'), ['origin'], true, 'a name is a path'],
  [origin('/srv/x.git'), ['origin'], true, 'an absolute path'],
  [origin('file:///srv/x.git'), ['origin'], true, 'a file: address'],
  [origin('C:/x.git'), ['origin'], true, 'a drive'],
  [origin('./a:b.git'), ['origin'], true, 'a colon behind a slash'],
  [origin('ext::sh -c x'), ['origin'], true, 'a helper runs here'],
  [origin('https://github.com/a/b.git', '\tpushurl = ./x.git\n'), ['origin'], true, 'another one for pushes'],
  [origin('./x.git', '\tpushurl = https://github.com/a/b.git\n'), [], false, 'only what is pushed to counts'],
  [origin('https://github.com/a/b', '\turl = ./x.git\n'), ['origin'], true, 'both are pushed to'],
  [
    origin('https://github.com/a/b', '[url "/srv/"]\n\tinsteadOf = https://github.com/\n'),
    ['origin'],
    true,
    'rewritten to a path',
  ],
  [
    origin('https://github.com/a/b', '[url "/srv/"]\n\tpushInsteadOf = https://github.com/\n'),
    ['origin'],
    true,
    'for pushes only',
  ],
  [origin('gh/a/b', '[url "https://github.com/"]\n\tinsteadOf = gh/\n'), [], false, 'a short name of an address'],
  [origin('https://a/b', '[remote "mirror"]\n\turl = ./x.git\n'), ['mirror'], false, 'another remote'],
  [
    origin('https://a/b', '[remote "m"]\n\turl = ./x\n[branch "topic"]\n\tpushRemote = m\n'),
    ['m'],
    true,
    'pushed to without a word',
  ],
  [origin('https://a/b', '[remote "m"]\n\turl = ./x\n[remote]\n\tpushDefault = m\n'), ['m'], true, 'pushed to by default'],
  [origin('https://a/b', '[remote "m"]\n\turl = ./x\n[branch "topic"]\n\tremote = m\n'), ['m'], true, 'what the branch follows'],
  [origin('https://a/b', '[branch "topic"]\n\tremote = ./x.git\n'), [], true, 'a path that the branch follows'],
  ['', [], false, 'no remote'],
];

for (const [config, local, bare, why] of remotes)
  test(`${JSON.stringify(config)}: ${why}`, () =>
    withFiles(repository(config), (project) => {
      const facts = gitFacts(project, [], project)?.local ?? { remotes: [], bare: false };
      assert.equal(facts, { remotes: local, bare });
    }));

function policyOf(rules: string) {
  const { document } = parsePolicy(`version: 1\nallow: [${rules}]\n`, { file: 'policy.yaml', format: 'yaml', layer: 'project' });
  if (document === null) throw new Error('the policy is none');
  return compilePolicy(composePolicy([{ layer: 'project', trusted: true, document }], { repository: null }).policy);
}

const LOCAL = origin(
  '../x.git',
  '[remote "up"]\n\turl = https://github.com/a/b.git\n[branch "topic"]\n\tremote = origin\n\tmerge = refs/heads/topic\n',
);

const rows: readonly (readonly [answer: 'allow' | 'ask', rules: string, line: string, why: string])[] = [
  ['ask', '"Bash(git push *)"', 'git push origin topic', 'a rule for pushes'],
  ['ask', '"Bash(git push origin *)"', 'git push origin topic', 'a rule for pushes to it'],
  ['ask', '"Bash(git push *)"', 'git push -u origin topic', 'with an option'],
  ['ask', '"Bash(git push *)"', 'git push', 'the one that the branch follows'],
  ['ask', '"Bash(git push *)"', 'git push ../x.git topic', 'its path'],
  ['ask', '"Bash(git push *)"', 'git push file:///srv/x.git topic', 'an address of this machine'],
  ['allow', '"Bash(git push origin topic)"', 'git push origin topic', 'somebody wrote just that'],
  ['allow', '"Bash(git push *)"', 'git push up topic', 'another machine'],
  ['allow', '"Bash(git fetch *)"', 'git fetch origin', 'what is fetched runs no hooks there'],
];

for (const [answer, rules, line, why] of rows)
  test(`${rules} and ${line}: ${answer}, ${why}`, () =>
    withFiles(repository(LOCAL), (project) => {
      const { decision, reasons } = decideOnDisk(policyOf(rules), project, line, { shell: 'bash' });
      assert.is(decision, answer, JSON.stringify(reasons));
    }));

test.run();
