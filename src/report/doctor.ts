/** The results of `policy doctor`, for a terminal. */
import type { DoctorReport, DoctorResult } from '../audit/doctor/found/check.js';
import { escapeText } from './printing/escape.js';
import { type Mark, type Painter, painter } from './printing/paint.js';

const MARKS: Readonly<Record<DoctorResult['level'], string>> = { ok: 'ok', note: 'note', problem: 'PROBLEM' };

const COLORS: Readonly<Record<DoctorResult['level'], Mark>> = { ok: 'ok', note: 'info', problem: 'error' };

const ALL = 'all runners';

/** Returns one line per result under the name of its runner, equal remedies once; results about all runners come last. */
export function doctorReport({ results }: DoctorReport, color = false): string {
  const paint = painter(color);
  const groups = new Map<string, DoctorResult[]>();
  for (const result of results) {
    const name = result.runner ?? ALL;
    groups.set(name, [...(groups.get(name) ?? []), result]);
  }
  const ofAll = groups.get(ALL);
  const ordered = [...[...groups].filter(([name]) => name !== ALL), ...(ofAll === undefined ? [] : [[ALL, ofAll] as const])];
  const lines = ordered.flatMap(([name, some]) => [
    paint.title(name),
    ...byRemedy(some).flatMap((same) => resultLines(same, paint)),
    '',
  ]);
  const first = results.filter(({ lead }) => lead).flatMap(({ message }) => [escapeText(message), '']);
  return [...first, ...lines, verdict(results), ''].join('\n');
}

/** Results in their order; those with the same level and remedy follow the first of them. */
function byRemedy(results: readonly DoctorResult[]): readonly (readonly DoctorResult[])[] {
  const groups = new Map<unknown, DoctorResult[]>();
  for (const result of results) {
    const key = result.fix === null ? result : `${result.level} ${result.fix}`;
    groups.set(key, [...(groups.get(key) ?? []), result]);
  }
  return [...groups.values()];
}

function resultLines(same: readonly DoctorResult[], paint: Painter): readonly string[] {
  const said = same.map(({ level, message }) => `  ${paint.mark(COLORS[level], MARKS[level].padEnd(8))} ${escapeText(message)}`);
  const fix = same[0]?.fix ?? null;
  return fix === null ? said : [...said, `           fix: ${escapeText(fix)}`];
}

function verdict(results: readonly DoctorResult[]): string {
  const problems = results.filter(({ level }) => level === 'problem');
  if (problems.length === 0)
    return results.some(({ check }) => check === 'canary') ? 'Every hook works.' : 'No problem was found.';
  const isBare = problems.every(({ check }) => check === 'installed');
  const count = problems.length === 1 ? 'One problem' : `${problems.length} problems`;
  return isBare ? `${count}: no hook is installed, so no call is checked.` : `${count}; the next fix: line says what to do.`;
}
