/** What `policy doctor` found, for a terminal. */
import type { DoctorReport, DoctorResult } from '../audit/doctor/check.js';
import { escapeText } from './escape.js';

const MARKS: Readonly<Record<DoctorResult['level'], string>> = { ok: 'ok', note: 'note', problem: 'PROBLEM' };

/** A line per result under the name of its runner, each problem with the line that puts it right. */
export function doctorReport({ results, problems }: DoctorReport): string {
  const groups = new Map<string, DoctorResult[]>();
  for (const result of results) {
    const name = result.runner ?? 'all runners';
    groups.set(name, [...(groups.get(name) ?? []), result]);
  }
  const lines = [...groups].flatMap(([name, some]) => [name, ...some.flatMap(resultLines), '']);
  const first = results.filter(({ lead }) => lead).flatMap(({ message }) => [escapeText(message), '']);
  return [...first, ...lines, verdict(problems), ''].join('\n');
}

function resultLines({ level, message, fix }: DoctorResult): readonly string[] {
  const said = `  ${MARKS[level].padEnd(8)} ${escapeText(message)}`;
  return fix === null ? [said] : [said, `           fix: ${escapeText(fix)}`];
}

function verdict(problems: number): string {
  if (problems === 0) return 'Every hook works.';
  return problems === 1
    ? 'One problem: calls are not checked, or all of them are blocked.'
    : `${problems} problems: calls are not checked, or all of them are blocked.`;
}
