/** The verification of an audit report's evidence as text: the verdict last, and before it only what no longer holds. */
import type { Verification, VerifiedClaim, VerifiedControl } from '../../audit/verify/verification.js';
import { escapeText } from '../printing/escape.js';
import { percent } from './acceptance.js';

/** Returns lines with a final line break; everything from the report and the project is escaped. */
export function verificationAsText(verification: Verification): string {
  const { report, project, toolVersion, confirmed, score, changes, notCompared, controls, sentence } = verification;
  const lines = [
    `${report.file} of ${report.generatedAt}, about ${project}; verified with policy ${toolVersion}`,
    '',
    ...controls.flatMap(controlLines),
    ...changes.map((change) => `! ${change}`),
    '',
    `Not compared: ${notCompared.join('; ')}.`,
    `Score ${percent(score.now)} (in the report ${percent(score.was)}); ${word(confirmed.now)} (in the report ${word(confirmed.was)}).`,
    sentence,
  ];
  return `${lines.map(escapeText).join('\n')}\n`;
}

function controlLines(control: VerifiedControl): readonly string[] {
  const { id, title, claims } = control;
  const evidence = claims.flatMap((claim) => claim.evidence);
  const held = evidence.filter(({ state }) => state === 'holds').length;
  return [
    `${id.padEnd(6)} ${held} of ${evidence.length} hold, ${statusWords(control)}: ${title}`,
    ...claims.flatMap((claim) => claimLines(id, claim)),
  ];
}

function statusWords({ status, inForce }: VerifiedControl): string {
  const was = statusWord(status.was, inForce.was);
  const now = statusWord(status.now, inForce.now);
  return was === now ? was : `${now}, in the report ${was}`;
}

function statusWord(status: string, isInForce: boolean): string {
  return isInForce ? status : `${status} and not in force`;
}

function claimLines(control: string, { id, runner, verdict, evidence, added }: VerifiedClaim): readonly string[] {
  const about = `${control}/${id}${runner === null ? '' : `/${runner}`}`;
  return [
    ...evidence.flatMap(({ id: number, state, what }) => (what === null ? [] : [`  ${state.padEnd(12)} ${number}: ${what}`])),
    ...added.filter(({ supports }) => !supports).map(({ shows }) => `  ${'new'.padEnd(12)} against ${about}: ${shows}`),
    ...(verdict.was === verdict.now
      ? []
      : [`  ${'verdict'.padEnd(12)} ${about} is ${verdict.now ?? 'not examined'} now; it was ${verdict.was}`]),
  ];
}

function word(isConfirmed: boolean): string {
  return isConfirmed ? 'confirmed' : 'not confirmed';
}
