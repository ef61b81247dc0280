/** A claim that holds when lint rules find nothing. */

import { digestOfFiles, excerptOf } from '../model/digest.js';
import { type Examined, judged } from '../model/examined.js';
import { patchFor } from '../model/patch.js';
import { isAskedOfOwn } from '../own/lint.js';
import { lineEvidence, scanEvidence } from '../subject/evidence.js';
import type { AuditSubject } from '../subject/subject.js';

/** At most this many files are listed; beyond that they are only counted. */
const MOST_FILES = 50;

/**
 * Findings of the rules (`GROUP/*` names a whole group) are evidence against the claim; the files without findings are evidence
 * for it. Some rules also examine the person's own files.
 */
export function byLint(
  { linted, own, project }: Pick<AuditSubject, 'linted' | 'own' | 'project'>,
  rules: readonly string[],
): Examined {
  const isMeant = (rule: string) => rules.some((one) => names(one, rule));
  const against = linted.findings.filter(({ ruleId }) => isMeant(ruleId));
  const ofOwn = own.findings.filter(({ rule }) => isMeant(rule)).map(({ evidence }) => evidence);
  if (against.length + ofOwn.length > 0) {
    const found = judged(
      [...against.flatMap((one) => lineEvidence(project, one.location, excerptOf(`${one.ruleId}: ${one.message}`))), ...ofOwn],
      '',
    );
    if (linted.found === null || 'why' in found) return found;
    const patch = patchFor(against, linted.found);
    return patch === null ? found : { ...found, patch };
  }
  const askOwn = rules.some(isAskedOfOwn);
  const [unread] = [...(isAboutAgents(rules) ? linted.unread : []), ...(askOwn ? own.unread : [])];
  if (unread !== undefined) return judged([], `Its contents are unknown: ${unread}`);
  const all = [...linted.files, ...(askOwn ? own.files : [])];
  if (all.length === 0) return judged([], 'The project has no file that lint knows.');
  const files = all.slice(0, MOST_FILES);
  const isCut = all.length > files.length;
  const more = isCut ? `, of which the first ${files.length} are listed` : '';
  const shows = `policy lint has no such finding in ${all.length} files${more}.`;
  const scan = scanEvidence(true, shows, `lint rules ${rules.join(', ')}`, files);
  return judged([isCut ? { ...scan, digest: digestOfFiles(all) } : scan], '');
}

/** Skills alone are not part of definitions and settings. */
function isAboutAgents(rules: readonly string[]): boolean {
  return !rules.every((rule) => rule.startsWith('skills/'));
}

function names(pattern: string, rule: string): boolean {
  return pattern.endsWith('/*') ? rule.startsWith(pattern.slice(0, -1)) : rule === pattern;
}
