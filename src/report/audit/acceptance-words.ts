/** The sentences about what an audit was held against, the same in every format. */
import type { Changes, Exceptions, ReleaseCheck } from '../../audit/model/results.js';

export function releaseCheckSentence({ name, passed, open }: ReleaseCheck): string {
  const which = name === 'high' ? 'controls of priority high' : 'controls';
  return passed
    ? `Release check ${name}: passed: all ${which} are implemented and in force.`
    : `Release check ${name}: not passed: ${open.length} open ${open.length === 1 ? 'item' : 'items'} (${which} that are not implemented and in force): ${open.join(', ')}.`;
}

export function sinceSentence({ baseline, score, added, fixed, unchanged, unexamined }: Changes): string {
  const what = `${baseline.file} of ${baseline.generatedAt}, about ${baseline.project}, written by policy ${baseline.toolVersion}`;
  const counts = `${added.length} new, ${fixed.length} fixed, ${unchanged.length} unchanged, ${unexamined.length} not examined this time`;
  return `Compared with ${what}: ${counts}. Score ${percent(score.before)} before, ${percent(score.after)} now.`;
}

/** What became better and what worse, in one line. */
export function trendSentence({ baseline, score, added, fixed, unchanged }: Changes): string {
  const moved = (score.after ?? 0) - (score.before ?? 0);
  const way = score.before === null || score.after === null ? '' : ` (${moved > 0 ? '+' : ''}${moved})`;
  const counts = `${fixed.length} fixed, ${added.length} new, ${unchanged.length} unchanged`;
  return `Trend since ${baseline.generatedAt.slice(0, 10)}: ${counts}; score ${percent(score.before)} before, ${percent(score.after)} now${way}.`;
}

function percent(value: number | null): string {
  return value === null ? 'unknown' : `${value} %`;
}

/** Who may have written the exceptions, and what they can do. */
export function repositorySentence({ file, inRepository }: Exceptions): string {
  const source = inRepository
    ? `The exceptions in ${file} come from the audited repository: whoever may change it may accept a finding.`
    : `The exceptions in ${file} come from outside of the audited repository.`;
  return `${source} An accepted finding does not count for the exit code; it changes no status, no score and no verdict.`;
}
