/** The last line of a report: the number of findings and files, and of findings that are not shown. */
import type { LintSummary } from '../../lint/text/finding.js';

/**
 * `2 errors, 1 warning in 2 of 37 files (1 fixable with --fix; 4 suppressed) · 0.2 s`
 * @param rules the number of rules
 * @param seconds the duration; null: not shown
 */
export function summaryLine(summary: LintSummary, rules: number, seconds: number | null = null): string {
  const counts = countsOf(summary);
  const found = counts === null ? `No findings of ${rules} rules` : counts;
  const where = counts === null ? listed(kindsOf(summary)) : filesOf(summary);
  if (counts === null && where === '') return 'Nothing was checked: lint knows no file here.';
  const asides = asidesOf(summary);
  const time = seconds === null ? '' : ` · ${seconds.toFixed(1)} s`;
  return `${found} in ${where}${asides === '' ? '' : ` (${asides})`}${time}`;
}

/** `2 errors, 1 warning`; null when nothing was found. */
function countsOf({ errors, warnings, infos }: LintSummary): string | null {
  const counts = [plural(errors, 'error'), plural(warnings, 'warning'), plural(infos, 'note')].filter(isSome);
  return counts.length === 0 ? null : counts.join(', ');
}

/** `2 of 37 files` */
function filesOf({ files, withFindings }: LintSummary): string {
  const read = Math.max(files.agents + files.policies + files.configs + files.texts, withFindings);
  return read === 1 ? '1 file' : `${withFindings} of ${read} files`;
}

function kindsOf({ files }: LintSummary): readonly string[] {
  return [
    plural(files.agents, 'agent'),
    plural(files.policies, 'policy', 'policies'),
    plural(files.configs, 'settings file'),
    plural(files.texts, 'text for the model', 'texts for the model'),
  ].filter(isSome);
}

/** Returns the numbers of corrections; then, after a semicolon, of findings that are not shown. */
function asidesOf({ fixable, suppressed, baselined, hidden }: LintSummary): string {
  const { safe, unsafe } = fixable;
  const corrections = [
    ...(safe === 0 ? [] : [`${safe} fixable with --fix`]),
    ...(unsafe === 0 ? [] : [`${unsafe} ${safe === 0 ? 'fixable ' : ''}with --fix=unsafe`]),
  ];
  const others = [
    ...(suppressed === 0 ? [] : [`${suppressed} suppressed`]),
    ...(baselined === 0 ? [] : [`${baselined} in the baseline`]),
    ...(hidden === 0 ? [] : [`${hidden} hidden by --persona`]),
  ];
  return [corrections.join(', '), others.join(', ')].filter(isSome).join('; ');
}

/** Whether it is neither empty nor a count of zero. */
function isSome(text: string): boolean {
  return text !== '' && !text.startsWith('0 ');
}

/** `a, b and c` */
function listed(items: readonly string[]): string {
  return items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

function plural(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
