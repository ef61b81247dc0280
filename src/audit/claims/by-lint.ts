/** A claim that holds when lint rules find nothing. */

import type { Finding } from '../../lint/text/finding.js';
import { digestOfFiles, excerptOf, lineOfFile, placeIn } from '../model/digest.js';
import { type EvidenceDraft, type Examined, judged } from '../model/examined.js';
import { patchFor } from '../model/patch.js';
import { withoutSecrets } from '../model/shown-command.js';
import { isAskedOfOwn } from '../own/lint.js';
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
    const found = judged([...against.flatMap((finding) => evidenceOf(finding, project)), ...ofOwn], '');
    if (linted.found === null || 'why' in found) return found;
    const patch = patchFor(against, linted.found);
    return patch === null ? found : { ...found, patch };
  }
  const askOwn = rules.some(isAskedOfOwn);
  const [unread] = [...(isAboutAgents(rules) ? linted.unread : []), ...(askOwn ? own.unread : [])];
  if (unread !== undefined) return { verdict: 'unproven', why: `What it says is unknown: ${unread}`, evidence: [] };
  const all = [...linted.files, ...(askOwn ? own.files : [])];
  if (all.length === 0) return { verdict: 'unproven', why: 'The project has no file that lint knows.', evidence: [] };
  const files = all.slice(0, MOST_FILES);
  const isCut = all.length > files.length;
  const more = isCut ? `, of which the first ${files.length} are listed` : '';
  const shows = `policy lint finds nothing of the kind in ${all.length} files${more}.`;
  const scan = { files, ...(isCut && { digest: digestOfFiles(all) }), matches: 0 };
  return judged([{ kind: 'scan', supports: true, shows, lookedFor: `lint rules ${rules.join(', ')}`, ...scan }], '');
}

/** Skills alone are not part of definitions and settings. */
function isAboutAgents(rules: readonly string[]): boolean {
  return !rules.every((rule) => rule.startsWith('skills/'));
}

function names(pattern: string, rule: string): boolean {
  return pattern.endsWith('/*') ? rule.startsWith(pattern.slice(0, -1)) : rule === pattern;
}

function evidenceOf({ ruleId, message, location }: Finding, project: string): readonly EvidenceDraft[] {
  const { file, line } = location;
  const place = placeIn(project, file, line);
  if (place === null) return [];
  const excerpt = excerptOf(withoutSecrets(lineOfFile(project, file, line)));
  return [{ kind: 'file', supports: false, shows: excerptOf(`${ruleId}: ${message}`), place, excerpt }];
}
