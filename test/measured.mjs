// Loaded before the tests of one file when they are measured (`npm test -- --measure`): tells at the end how many seconds of processor time
// they took, with the processes that they started. Linux counts these.
import { readFileSync, writeSync } from 'node:fs';

const TICKS_PER_SECOND = 100;
/** utime, stime, cutime and cstime of proc_pid_stat(5), counted behind the name of the program. */
const [FIRST, BEHIND] = [11, 15];

process.on('exit', () => {
  const stat = readFileSync('/proc/self/stat', 'utf8');
  const ticks = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(FIRST, BEHIND);
  writeSync(3, String(ticks.reduce((sum, count) => sum + Number(count), 0) / TICKS_PER_SECOND));
});
