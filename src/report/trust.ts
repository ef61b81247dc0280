/** For a person: everything that a project's policy grants, or that it grants beyond what was trusted. */
import { escapeText } from './printing/escape.js';

/** The trust status of a project, as `policy trust` shows it. */
export interface TrustReport {
  readonly project: string;
  /** The project's policy files in displayed form; empty if there are none. */
  readonly files: readonly string[];
  /**
   * `trusted`: it applies; `untrusted`: nobody has ever trusted it; `changed`: it grants more than was trusted; `harmless`: it
   * grants nothing; `gone`: the trusted policy no longer exists; `none`: there is no policy.
   */
  readonly standing: 'trusted' | 'untrusted' | 'changed' | 'harmless' | 'gone' | 'none';
  /** The basis of the trust in words, or the day of its record; null without trust. */
  readonly since: string | null;
  /** Everything that needs trust; with `changed` only the new grants. */
  readonly grants: readonly ShownGrant[];
  /** The number of deny and ask rules, which apply without trust. */
  readonly restrictions: number;
}

export interface ShownGrant {
  readonly kind: 'added' | 'removed' | 'changed';
  readonly what: string;
  readonly before: string | null;
  /** `policy.yaml:3`; null if it is no longer written there. */
  readonly place: string | null;
}

const SIGNS: Readonly<Record<ShownGrant['kind'], string>> = { added: '+', removed: '-', changed: '~' };
const LONGEST_WHAT = 400;
const WIDEST = 72;

/** Returns the report as lines with a final line break; everything from files is escaped. */
export function trustReport(report: TrustReport): string {
  const head = [
    `${escapeText(report.project)}${report.files.length === 0 ? '' : `  ${report.files.map(escapeText).join(', ')}`}`,
  ];
  const lines = [...head, standing(report), ...grants(report), ...restrictions(report)];
  return `${lines.join('\n')}\n`;
}

function standing({ standing: how, since }: TrustReport): string {
  const day = escapeText(since ?? 'an earlier day');
  switch (how) {
    case 'trusted':
      return `Trusted (${day}).`;
    case 'untrusted':
      return 'Not trusted: until you trust it, it can only add restrictions.';
    case 'changed':
      return `Not trusted: it grants more than what you trusted on ${day}; until you trust it, it can only add restrictions.`;
    case 'harmless':
      return 'It grants nothing: it only adds restrictions, which apply without trust.';
    case 'gone':
      return `The policy that you trusted on ${day} is gone. It still applies as you trusted it, until it is back or forgotten.`;
    case 'none':
      return 'There is no policy here: nothing to trust.';
  }
}

function grants({ standing: how, grants: shown }: TrustReport): readonly string[] {
  if (shown.length === 0) return [];
  const differs = how === 'changed';
  const texts = shown.map(({ kind, what, before }) => {
    const text = cut(before === null ? what : `${what} (before: ${before})`);
    return differs ? `${SIGNS[kind]} ${text}` : text;
  });
  const width = Math.min(WIDEST, Math.max(...texts.map((text) => text.length)));
  const rows = shown.map(({ place }, index) => {
    const text = texts[index] ?? '';
    return place === null ? `  ${text}` : `  ${text.padEnd(width)}  ${escapeText(place)}`;
  });
  return [
    '',
    differs ? 'Changes (+ granted, - restriction removed, ~ new value):' : 'It grants, or replaces your own settings:',
    ...rows,
  ];
}

function restrictions({ standing: how, restrictions: count }: TrustReport): readonly string[] {
  if (count === 0 || how === 'none' || how === 'gone') return [];
  return ['', `Its ${count === 1 ? 'one ask or deny rule applies' : `${count} ask and deny rules apply`} either way.`];
}

function cut(text: string): string {
  return escapeText(text.length > LONGEST_WHAT ? `${text.slice(0, LONGEST_WHAT)}… (${text.length} characters)` : text);
}
