/** What git answered once it is not asked again at the same moment; what it did not answer in time it is. */
import { createRequire } from 'node:module';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { AskingTime, gitIn } from '../../../../src/disk/git/ask.js';
import { Moment } from '../../../../src/project/surroundings.js';
import { CLEAN_REPOSITORY } from '../../../cli/spawned.js';
import { withFiles } from '../../scratch.js';

type Start = (...words: readonly unknown[]) => unknown;

/** How many processes `use` starts and waits for. */
function starts(use: () => void): number {
  const processes = createRequire(import.meta.url)('node:child_process') as { spawnSync: Start };
  const { spawnSync } = processes;
  let count = 0;
  processes.spawnSync = (...words) => {
    count += 1;
    return spawnSync(...words);
  };
  try {
    use();
  } finally {
    processes.spawnSync = spawnSync;
  }
  return count;
}

const TOP = ['rev-parse', '--show-toplevel'];
const UNKNOWN = ['rev-parse', '--verify', '--quiet', '--end-of-options', 'nothing^{commit}'];

test('calls of one moment share answers, refusals too; those of another moment and other folders do not', () => {
  withFiles({ ...CLEAN_REPOSITORY, 'a/b': '' }, (project) => {
    const moment = new Moment();
    const ask = (folder: string, words: readonly string[]) =>
      gitIn(folder, '/home/nobody', '/elsewhere', new AskingTime(() => performance.now(), 20_000, moment.answers))?.ask(words);
    const first = [ask(project, TOP), ask(project, UNKNOWN)];
    assert.equal(first, [`${project}\n`, null]);
    assert.is(
      starts(() => assert.equal([ask(project, TOP), ask(project, UNKNOWN)], first)),
      0,
    );
    assert.is(
      starts(() => ask(`${project}/a`, TOP)),
      1,
    );
    moment.pass();
    assert.is(
      starts(() => ask(project, TOP)),
      1,
    );
  });
});

test('a question for which there was no time is asked again', () => {
  withFiles(CLEAN_REPOSITORY, (project) => {
    const { answers } = new Moment();
    const ask = (most: number) =>
      gitIn(project, '/home/nobody', '/elsewhere', new AskingTime(() => performance.now(), most, answers))?.ask(TOP);
    assert.is(ask(0), null);
    assert.is(ask(20_000), `${project}\n`);
  });
});

test('when the time is up, known answers are not given either: the last answer proves that there was time for all', () => {
  withFiles(CLEAN_REPOSITORY, (project) => {
    let now = 0;
    const git = gitIn(project, '/home/nobody', '/elsewhere', new AskingTime(() => now, 20_000));
    assert.is(git?.ask(TOP), `${project}\n`);
    assert.is(git?.ask(TOP), `${project}\n`);
    now = 20_000;
    assert.is(git?.ask(TOP), null);
  });
});

test.run();
