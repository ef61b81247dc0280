/**
 * Lint findings in a person's own files. The audit considers few of a person's settings: the people who wrote them decide for themselves.
 */

import type { InstallPlaces } from '../../install/target.js';
import { DEFAULT_OPTIONS } from '../../lint/run.js';
import { digestOf } from '../../project/trust-record.js';
import type { Runner } from '../../runner/hook/runner.js';
import { lint } from '../../runner/lint/linter.js';
import { excerptOf } from '../model/digest.js';
import type { EvidenceDraft } from '../model/examined.js';
import { withoutSecrets } from '../model/shown-command.js';
import { type OwnFile, ownFiles } from './files.js';

export interface OwnFinding {
  readonly rule: string;
  readonly evidence: EvidenceDraft;
}

export interface LintedOwn {
  readonly findings: readonly OwnFinding[];
  readonly files: readonly { readonly file: string; readonly digest: string }[];
  /** One sentence for each existing file that cannot be read. */
  readonly unread: readonly string[];
}

export const NOTHING_OWN: LintedOwn = { findings: [], files: [], unread: [] };

/** Servers run in every project with whatever they were given; so do agents that never ask. */
const OF_SERVERS = ['mcp/unpinned-package', 'mcp/shell-wrapper', 'mcp/plain-http', 'mcp/literal-secret'];
const OF_AGENTS = ['permissions/bypass-mode', 'permissions/auto-accept-mode'];

/** Whether a rule is also applied to the person's own files. */
export function isAskedOfOwn(rule: string): boolean {
  return OF_SERVERS.includes(rule) || OF_AGENTS.includes(rule);
}

/** Comments in the files cannot disable rules, as in those of the project. */
export function lintOwn(runners: readonly Runner[], places: InstallPlaces): LintedOwn {
  const { files, unread } = ownFiles(runners, places);
  return {
    findings: findingsIn(files),
    files: files.map(({ file, source }) => ({ file, digest: digestOf(source.text ?? '') })),
    unread,
  };
}

/** Rules that compare files concern a project, and none of them is used here. */
function findingsIn(files: readonly OwnFile[]): readonly OwnFinding[] {
  const byPath = new Map(files.map(({ file, source }, at) => [`${at}/${source.path}`, { file, source }]));
  const sources = [...byPath].map(([path, { source }]) => ({ ...source, path }));
  const { unabridged, lineOf } = lint({ files: sources, incomplete: [] }, { ...DEFAULT_OPTIONS, comments: false });
  return unabridged.flatMap(({ ruleId, message, location: { file: path, line } }): OwnFinding[] => {
    const found = byPath.get(path);
    if (found === undefined) return [];
    const { file, source } = found;
    if (!OF_SERVERS.includes(ruleId) && !(source.kind.kind === 'agent' && OF_AGENTS.includes(ruleId))) return [];
    const place = { file, line, digest: digestOf(source.text ?? '') };
    const excerpt = excerptOf(withoutSecrets((lineOf(path, line) ?? '').trim()));
    const shows = excerptOf(`${ruleId}: ${message}`);
    return [{ rule: ruleId, evidence: { kind: 'file', supports: false, shows, place, excerpt } }];
  });
}
