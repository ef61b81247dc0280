/**
 * Reads an audit report that anybody may have written: bounded in size and depth, and checked against the schema. Nothing named
 * in it is opened, started or looked up.
 */
import { isFields } from '../../call/fields.js';
import { validateAuditReport } from '../../generated/validators/audit-report.js';
import type { AuditReport } from '../model/report.js';

/** The maximum size of a report in bytes; the report of a large project has less than one million. */
export const LARGEST_REPORT = 32 * 1_048_576;
/** Reports are nested less than ten levels deep; the comparison recurses once for each level. */
const DEEPEST = 50;
const FORMAT = 1;

export type ReadReport = { readonly ok: true; readonly report: AuditReport } | { readonly ok: false; readonly why: string };

/** `why` follows the name of the file in a sentence. */
export function readReport(text: string): ReadReport {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    const isCut = text.trimStart().startsWith('{') && !text.trimEnd().endsWith('}');
    return refused(
      isCut
        ? 'is cut off: its end is missing; write it again with policy audit --format json'
        : 'is not JSON; policy audit --format json writes a readable report',
    );
  }
  if (!isReport(data)) return refused('is not a report of policy audit');
  if (data.version !== FORMAT) return refused(`has format version ${shownVersion(data.version)}; this program reads ${FORMAT}`);
  if (isDeeper(data, DEEPEST)) return refused(`is nested deeper than ${DEEPEST} levels`);
  if (validateAuditReport(data)) return { ok: true, report: data as unknown as AuditReport };
  const [error] = validateAuditReport.errors ?? [];
  return refused(`is not a report that policy audit writes: ${error?.instancePath || 'it'} ${error?.message ?? 'is wrong'}`);
}

function refused(why: string): ReadReport {
  return { ok: false, why };
}

/** Whether it is meant to be one of our reports, whatever else is wrong with it. */
function isReport(data: unknown): data is Readonly<Record<string, unknown>> {
  return isFields(data) && isFields(data.meta) && data.meta.tool === 'policy' && Array.isArray(data.controls);
}

function shownVersion(version: unknown): string {
  return typeof version === 'number' ? String(version) : 'unknown';
}

/** Whether anything is more than `most` levels deep; iterates level by level, so that no depth is too much for it. */
function isDeeper(data: unknown, most: number): boolean {
  let level: unknown[] = [data];
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth > most) return true;
    const below: unknown[] = [];
    for (const one of level)
      if (typeof one === 'object' && one !== null) for (const value of Object.values(one)) below.push(value);
    level = below;
  }
  return false;
}
