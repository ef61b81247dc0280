/** `policy doctor` as a story: look at what is there, let every check say what it finds. */
import { maskText } from '../../log/record/mask-text.js';
import type { DoctorReport, DoctorResult } from './check.js';
import type { DoctorOptions } from './options.js';
import { checks } from './registry.js';
import { doctorSubject } from './subject.js';

/** Examines the hooks of a person, a project and the machine. Starts only hooks that are provably ours. */
export async function doctor(options: DoctorOptions): Promise<DoctorReport> {
  const subject = doctorSubject(options);
  const results: DoctorResult[] = [];
  for (const { id, examine } of checks) for (const said of await examine(subject)) results.push(masked({ check: id, ...said }));
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
