/** `policy doctor` as a story: look at what is there, let every check say what it finds. */
import { maskText } from '../../log/record/mask-text.js';
import type { DoctorReport, DoctorResult } from './found/check.js';
import type { DoctorOptions } from './found/options.js';
import { doctorSubject } from './found/subject.js';
import { checks } from './registry.js';

/**
 * Examines the hooks of a person, a project and the machine. Starts only hooks that are provably ours.
 * @param tick told what is being done
 */
export async function doctor(options: DoctorOptions, tick: (what: string) => void = () => {}): Promise<DoctorReport> {
  tick('looking for coding agents');
  const subject = doctorSubject(options);
  const results: DoctorResult[] = [];
  for (const [index, { id, examine }] of checks.entries()) {
    tick(`check ${id}, ${index + 1} of ${checks.length}`);
    for (const said of await examine(subject)) results.push(masked({ check: id, ...said }));
  }
  return {
    version: 1,
    project: options.places.project,
    runners: subject.examined.map(({ runner }) => runner.id),
    results,
    problems: results.filter(({ level }) => level === 'problem').length,
  };
}

/** Nothing that a check quotes from a file may print a credential. */
function masked(result: DoctorResult): DoctorResult {
  return { ...result, message: maskText(result.message), fix: result.fix === null ? null : maskText(result.fix) };
}
