// Lines of 64 KB, each made of one construct nested or repeated: the slowest decision among them, in processor time.
import { analyse, compilePolicy, composePolicy, decide, presetDocument } from '../dist/index.js';
import { callOf, factsOf } from './warm.mjs';

/** Milliseconds of processor time. */
function timed(run) {
  const start = process.cpuUsage();
  run();
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1000;
}

/** The row of the slowest: the better of two tries each, since another process may be in the way. */
export async function worstLongLine() {
  const { longLines } = await import('../build/test/fuzz/long-lines.js');
  const { policy } = composePolicy([{ layer: 'cli', trusted: true, document: presetDocument('safe') }], { repository: '/repo' });
  const compiled = compilePolicy(policy);
  const lines = longLines(65_536);
  const times = lines.map(([name, line]) => {
    const call = callOf(line);
    const decided = () => {
      const analysis = analyse(call);
      decide(compiled, call, factsOf(call, analysis), analysis);
    };
    const once = () => timed(decided);
    return { name, time: Math.min(once(), once()) };
  });
  times.sort((one, other) => other.time - one.time);
  const [worst] = times;
  return [
    `worst 64 KB input of ${lines.length}`,
    `${worst.time.toFixed(0)} ms`,
    worst.name,
    `gate 250 ms: ${worst.time <= 250 ? 'met' : 'MISSED'}`,
  ];
}
