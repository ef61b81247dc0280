/** What to do about a gap, and so that something can be checked: one step with one command, in words that follow from the results alone. */
import type { RunnerId } from '../../call/tool-call.js';
import { data } from '../../generated/data.js';
import { NOT_INSTALLED } from '../claims/by-doctor.js';
import { HOOK_OFF, NO_HOOK } from '../hooks/installed-hooks.js';
import type { EvidenceDraft, Examined, ExaminedClaim } from '../model/examined.js';
import {
  type AuditFinding,
  type AuditReport,
  type ClaimResult,
  type ControlResult,
  type Recommendation,
  SEVERITIES,
  type Status,
} from '../model/report.js';
import type { Claim } from '../subject/checklist.js';

/** Returns the step for a claim; null if it holds or does not apply. */
export function stepOf(claim: Claim, { runner, found }: ExaminedClaim, examined: readonly ExaminedClaim[]): string | null {
  if (found.verdict === 'unproven') return checkLine(runner, found.why);
  return found.verdict === 'unmet' ? mitigationOf(claim, found, runner, isHookOff(examined, runner)) : null;
}

/** If something keeps the installed hook from running, installing it again does not help. */
function mitigationOf(claim: Claim, { evidence }: Examined, runner: RunnerId | null, isOff: boolean): string {
  const text = soleCommand(claim, evidence, runner) ?? ofRunner(claim.mitigation, runner);
  return isOff && text.startsWith('Run `policy install ') ? switchLine(runner) : text;
}

function isHookOff(examined: readonly ExaminedClaim[], of: RunnerId | null): boolean {
  return examined.some(({ runner, found }) => {
    const why = 'why' in found ? found.why : found.notInForce;
    const against = found.evidence.some(
      (piece) => piece.kind === 'check' && !piece.supports && (piece.check === 'switches' || piece.check === 'trust'),
    );
    return runner === of && (why?.startsWith(HOOK_OFF) === true || against);
  });
}

/** Commands that contain no words from outside this program. */
const OURS = /^policy (?:init|install|trust)(?: [a-z-]+)*$/;

/** Returns what repairs everything that the doctor checks found, if it is one command, or if no command does; null when the checklist states it. */
function soleCommand({ doctor, mitigation }: Claim, evidence: readonly EvidenceDraft[], runner: RunnerId | null): string | null {
  const fixes = new Set(evidence.flatMap((piece) => (piece.kind === 'check' && !piece.supports ? [piece.fix ?? ''] : [])));
  const [fix = '', ...others] = fixes;
  if (doctor === undefined) return null;
  if (others.length === 0 && OURS.test(fix)) return `Run \`${fix.replace(/ --user$/, '')}\`.`;
  const isMore = [...fixes].some((one) => one !== '' && !OURS.test(one));
  return isMore && !mitigation.includes('policy doctor') ? ofRunner('Follow what `policy doctor {runner}` says.', runner) : null;
}

export function ofRunner(text: string, runner: RunnerId | null): string {
  return text.replaceAll('{runner}', runner ?? 'RUNNER');
}

export function hookLine(runner: string | null, why: string): string {
  return why.startsWith(HOOK_OFF) ? switchLine(runner) : `Run \`policy install ${runner ?? 'RUNNER'}\`.`;
}

function switchLine(runner: string | null): string {
  return `Follow what \`policy doctor ${runner ?? 'RUNNER'}\` says: the hook is installed, but something prevents it from running.`;
}

/** Whether the cause is the hook: a gap states that, and what to do about it. */
export function isHookless({ unproven }: Pick<ClaimResult, 'unproven'>): boolean {
  return unproven === NO_HOOK || unproven === NOT_INSTALLED || unproven?.startsWith(HOOK_OFF) === true;
}

const { steps: CHECKS } = data('audit-checks') as { readonly steps: readonly { readonly why: string; readonly step: string }[] };

function checkLine(runner: string | null, why: string): string {
  if (isHookless({ unproven: why })) return hookLine(runner, why);
  return CHECKS.find((one) => new RegExp(one.why).test(why))?.step.replaceAll('{runner}', runner ?? 'RUNNER') ?? '';
}

/** Returns the most pressing step of a control: a gap before what was not checked. */
export function actionOf(status: Status, all: readonly ClaimResult[]): string {
  const claims = status === 'implemented' ? all : all.filter(({ required }) => required);
  const open =
    claims.find(({ verdict }) => verdict === 'unmet') ??
    claims.find(isHookless) ??
    claims.find(({ mitigation }) => mitigation !== null);
  return open?.mitigation ?? 'None';
}

/** Returns every gap, and claims that could not be checked as `info`. */
export function findingsOf(controls: readonly ControlResult[]): readonly AuditFinding[] {
  return controls.flatMap(({ id: control, notInForce, action, claims }): AuditFinding[] => {
    const idle = {
      control,
      claim: null,
      runner: null,
      severity: 'warning',
      message: notInForce ?? '',
      mitigation: action,
    } as const;
    const told = claims.flatMap((claim): AuditFinding[] => {
      const { id, runner, verdict, gap, severity, required, unproven, statement } = claim;
      const about = { control, claim: id, runner, mitigation: claim.mitigation ?? '' };
      if (gap !== null) return [{ ...about, severity, message: gap }];
      if (verdict !== 'unproven' || !required) return [];
      return [{ ...about, severity: 'info', message: `Not checked: ${statement} ${unproven}` }];
    });
    return notInForce === null ? told : [idle, ...told];
  });
}

/**
 * The order of the work: errors in week 1, warnings in week 2, what was not checked in week 3; in each, the highest risk first. One step
 * may help several claims and controls.
 */
export function recommendationsOf(
  findings: readonly AuditFinding[],
  controls: readonly ControlResult[],
): AuditReport['recommendations'] {
  const risks = new Map(controls.map(({ id, rating }) => [id, rating.score]));
  const riskOf = (finding: AuditFinding) => risks.get(finding.control) ?? 0;
  const ordered = SEVERITIES.flatMap((severity) =>
    findings
      .filter((finding) => finding.severity === severity)
      .sort((left, right) => beforeOthers(left) - beforeOthers(right) || riskOf(right) - riskOf(left)),
  );
  const steps = new Map<string, Recommendation>();
  for (const finding of ordered) {
    const { control, mitigation, severity } = finding;
    const known = steps.get(mitigation);
    if (known === undefined) {
      const step = { action: mitigation, patch: patchOf(mitigation, controls) };
      steps.set(mitigation, {
        week: SEVERITIES.indexOf(severity) + 1,
        control,
        also: [],
        ...aboutOf(finding, controls),
        ...step,
      });
    } else if (control !== known.control && !known.also.includes(control))
      steps.set(mitigation, { ...known, also: [...known.also, control] });
  }
  return [...steps.values()];
}

/** Without a hook nothing else has an effect; all settings go into the policy, so creating it comes next. */
function beforeOthers({ mitigation }: AuditFinding): number {
  return mitigation.startsWith('Run `policy install ') ? 0 : mitigation === 'Run `policy init`.' ? 1 : 2;
}

/** A check says more exactly what is wrong than the checklist can. */
function aboutOf(
  { control, claim, runner, message }: AuditFinding,
  controls: readonly ControlResult[],
): Pick<Recommendation, 'standing' | 'about'> {
  const { claims = [], evidence = [] } = controls.find(({ id }) => id === control) ?? {};
  const about = claims.find((one) => one.id === claim && one.runner === runner);
  const { unproven = null } = about ?? {};
  if (unproven !== null) return { standing: 'not checked', about: unproven };
  const check = evidence.find(({ id, kind, supports }) => kind === 'check' && !supports && about?.evidence.includes(id));
  return { standing: 'proven gap', about: check?.shows ?? message };
}

/** Combines the patches of all claims with this step. Two patches of one file would not apply one after the other, so only the first one is kept. */
function patchOf(mitigation: string, controls: readonly ControlResult[]): string | null {
  const patched = new Map<string, string>();
  for (const { claims } of controls)
    for (const { mitigation: own, patch } of claims)
      if (own === mitigation && patch !== null)
        for (const diff of patch.split(/^(?=--- a\/)/m)) {
          const [file = ''] = diff.split('\n', 1);
          if (!patched.has(file)) patched.set(file, diff);
        }
  return patched.size === 0 ? null : [...patched.values()].join('');
}
