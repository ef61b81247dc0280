/** What evidence rests on, in a few words: a claim says no more than what was looked at shows. */
import type { ClaimProof, Evidence } from './report.js';

const MOST_NAMES = 3;
/** Settings and files are written down, checks and decisions come from running this program, probes from running the installed hook. */
const PROOF_OF: Readonly<Record<Evidence['kind'], ClaimProof>> = {
  file: 'implemented',
  setting: 'implemented',
  scan: 'implemented',
  check: 'verified',
  decision: 'verified',
  probe: 'tested',
};

/** Returns the kind of the strongest piece. */
export function proofOf(evidence: readonly Evidence[]): ClaimProof {
  const found = new Set(evidence.map(({ kind }) => PROOF_OF[kind]));
  return (['tested', 'verified', 'implemented'] as const).find((one) => found.has(one)) ?? 'unverified';
}

/** `policy.yaml; 5 test calls to the hook in .claude/settings.json:11`; null without evidence. */
export function lookedAt(evidence: readonly Evidence[]): string | null {
  const of = <Kind extends Evidence['kind']>(kind: Kind) =>
    evidence.filter((piece): piece is Extract<Evidence, { kind: Kind }> => piece.kind === kind);
  const [probes, decisions] = [of('probe'), of('decision')];
  const hooks = names(probes.map(({ place }) => `${place.file}:${place.line}`));
  const parts = [
    ...of('scan').map(
      ({ files, lookedFor, shows }) =>
        `${/\b\d+ files\b/.exec(shows)?.[0] ?? names(files.map(({ file }) => file))} for ${lookedFor}`,
    ),
    names(of('file').map(({ place }) => place.file)),
    names(of('setting').map(({ key, place }) => `${key}${place === null ? ' (the default)' : ` in ${place.file}`}`)),
    names(of('check').map(({ command, check }) => `\`${command}\` (${check})`)),
    counted(decisions.length, 'decision of the policy', 'decisions of the policy'),
    probes.length === 0 ? '' : `${counted(probes.length, 'test call', 'test calls')} to the hook in ${hooks}`,
  ].filter((part) => part !== '');
  return parts.length === 0 ? null : parts.join('; ');
}

/** What a person can try again. */
export function validationOf(evidence: readonly Evidence[]): string {
  if (evidence.length === 0) return 'nothing was tried.';
  const probes = evidence.filter(({ kind }) => kind === 'probe');
  const held = probes.filter(({ supports }) => supports).length;
  const calls =
    probes.length === 0 ? 'no hook answered a test call' : `${held} of ${probes.length} test calls were answered as expected`;
  return `${calls}; \`policy audit --verify FILE\` repeats this for a JSON report.`;
}

function names(all: readonly string[]): string {
  const each = [...new Set(all)];
  const more = each.length > MOST_NAMES ? ` and ${each.length - MOST_NAMES} more` : '';
  return `${each.slice(0, MOST_NAMES).join(', ')}${more}`;
}

function counted(count: number, one: string, many: string): string {
  return count === 0 ? '' : `${count} ${count === 1 ? one : many}`;
}
