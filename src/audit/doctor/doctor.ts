/** `policy doctor` from start to end: inspect the machine, and let every check report its results. */
import { maskText } from '../../log/record/mask-text.js';
import type { DoctorReport, DoctorResult } from './found/check.js';
import type { DoctorOptions } from './found/options.js';
import { doctorSubject } from './found/subject.js';
import { checks } from './registry.js';

/**
 * Examines the hooks of a person, a project and the machine. Starts only hooks that are provably ours.
 * @param tick called with a description of each step
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

/** Masks credentials in text that a check quotes from a file. */
function masked(result: DoctorResult): DoctorResult {
  return { ...result, message: maskText(result.message), fix: result.fix === null ? null : maskText(result.fix) };
}
