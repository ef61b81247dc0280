/** `git pull`, afterwards: which protected files it has changed. */
import { spawnSync } from 'node:child_process';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { analyse } from '../../../../src/decide/flow/analysis.js';
import { protectedPulled } from '../../../../src/enforce/facts/pulled-files.js';
import { withRepository } from '../../scratch-repository.js';

const around = { home: '/home/nobody', platform: 'linux', environment: {}, ownDirectories: [], budget: null } as const;

/** What is named after a branch was merged, by a call that began an hour ago (or in an hour). */
function named(project: string, command: string, hours = -1): readonly string[] {
  const call = { tool: 'Bash', input: { command }, cwd: project, headless: false, shell: 'bash' } as const;
  return protectedPulled(analyse(call), project, { ...around, project }, Date.now() / 1000 + hours * 3600);
}

/** Everything before was done long ago; only the merge is new. */
const pulled = (lines: string) =>
  `export GIT_COMMITTER_DATE=2020-01-01T00:00:00Z; git checkout -q -b x; ${lines}; commit; git checkout -q main; unset GIT_COMMITTER_DATE; rm -f .git/logs/HEAD.lock; sed -i 's/> [0-9]* /> 1577836800 /' .git/logs/HEAD; git merge -q --ff-only x`;
const SETTINGS =
  'mkdir -p .claude sub/.husky; echo "{}" > .claude/settings.json; echo x > sub/.husky/pre-push; echo y > src/a.ts';

for (const [setup, command, hours, expected, why] of [
  [SETTINGS, 'git pull', -1, ['.claude/settings.json', 'sub/.husky/pre-push'], 'settings and a hook came'],
  [SETTINGS, 'cd src && git pull -q origin main', -1, ['.claude/settings.json', 'sub/.husky/pre-push'], 'from below'],
  [SETTINGS, 'git pull', 1, [], 'that was a pull before'],
  [SETTINGS, 'git status', -1, [], 'another command'],
  ['echo y > src/a.ts', 'git pull', -1, [], 'sources came'],
] as const)
  test(`${JSON.stringify(command)}: ${why}`, () =>
    withRepository(pulled(setup), (project) => {
      assert.equal([...named(project, command, hours)], [...expected]);
    }));

test('git runs no program of the repository for that', () =>
  withRepository(pulled(SETTINGS), (project) => {
    spawnSync('git', ['-C', project, 'config', 'log.showSignature', 'true']);
    spawnSync('git', ['-C', project, 'config', 'gpg.program', `touch ${project}/ran`]);
    assert.is(named(project, 'git pull').length, 2);
    assert.not(spawnSync('ls', [`${project}/ran`]).status === 0);
  }));

test.run();
