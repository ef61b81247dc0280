/** Whether the project's own policy is trusted, and by what. Until then it can only add restrictions. */
import { isAbsolute } from 'node:path';
import { mainCheckout } from '../disk/git/checkouts.js';
import { repositoryOf } from '../disk/git/common-directory.js';
import { composePolicy } from '../policy/compose.js';
import { type GrantChange, grantsBeyond, grantsOf, NO_GRANTS } from '../policy/grants.js';
import type { PolicyNote, PolicyProblem } from '../policy/policy.js';
import type { SourcePosition } from '../rule/pattern/permission-rule.js';
import { type OwnFile, type PolicyPlaces, type ReadLayers, readLayers } from './policy-files.js';
import {
  digestOf,
  type ReadRecord,
  readRecord,
  recordPlaces,
  removeRecord,
  type TrustRecord,
  writeRecord,
} from './trust-record.js';

export interface TrustPlaces extends PolicyPlaces {
  readonly stateDirectory: string;
  /** `--trust-project`: a person vouches for the project's own files for this command only. */
  readonly trustProject: boolean;
  /** Considers only the files on disk, to trust or to forget them. */
  readonly asWritten?: boolean;
}

/** The trust in a project of the person at this computer. */
export interface ProjectTrust {
  readonly repository: string;
  /** The source of trust in the project's files: the flag, `trustedRepos` of a user or managed policy, or a record; null: none. */
  readonly by: 'flag' | 'trustedRepos' | 'record' | null;
  readonly record: TrustRecord | null;
  /** Path of the record, whether or not it exists. */
  readonly recordFile: string;
  /** The project's own files; empty if it has no policy. */
  readonly own: readonly OwnFile[];
  /** The grants beyond the record (without a record: all). Empty: there is nothing to ask a person. */
  readonly changes: readonly GrantChange[];
}

/** The layers of a project with their trust. */
export interface TrustedLayers extends ReadLayers {
  readonly trust: ProjectTrust;
  /** True if the project may use preset all: it is trusted, and if by a record, the record covers that preset. */
  readonly mayUseAll: boolean;
}

/** Reads the layers and marks the project's own as trusted if they are; otherwise a note or a problem states why not. */
export function readTrustedLayers(places: TrustPlaces): TrustedLayers {
  const repository = repositoryOf(places.project);
  const { folder, file } = recordPlaces(places.stateDirectory, repository.path);
  const stored = readRecord({ folder, file }, repository.path);
  const recorded = stored.state === 'found' && places.asWritten !== true ? (stored.record.texts ?? []) : [];
  const read = readLayers(places, { main: mainCheckout(places.project), recorded });
  const vouched = places.trustProject ? 'flag' : isListed(read, places.project) ? 'trustedRepos' : null;
  const trust = judge(read.own, stored, vouched, { repository: repository.path, recordFile: file });
  const own = new Set(read.own.map(({ document }) => document));
  return {
    ...read,
    layers: read.layers.map((layer) => (own.has(layer.document) ? { ...layer, trusted: trust.by !== null } : layer)),
    problems: read.problems.length > 0 || vouched !== null ? read.problems : missingPolicy(trust, read.foreign),
    notes: [...recordedNotes(read, trust), ...trustNotes(trust, stored), ...nestedNotes(read), ...read.notes],
    sources: [...read.sources, ...repository.sources, folder, file],
    trust,
    mayUseAll: vouched !== null || (trust.by === 'record' && writesPresetAll(read.own)),
  };
}

/** Whether the user's or the managed policies list the project's real path. */
function isListed({ layers }: ReadLayers, project: string): boolean {
  const managers = layers.filter(({ layer }) => layer === 'managed' || layer === 'user');
  if (managers.length === 0) return false;
  const { trustedRepos } = composePolicy(managers, { repository: project }).policy;
  return trustedRepos.some((path) => path === project || path === `${project}/`);
}

function judge(
  own: readonly OwnFile[],
  stored: ReadRecord,
  vouched: 'flag' | 'trustedRepos' | null,
  place: { readonly repository: string; readonly recordFile: string },
): ProjectTrust {
  const record = stored.state === 'found' ? stored.record : null;
  const same = record !== null && record.digest === digestOfFiles(own);
  const documents = own.map(({ document }) => document);
  const changes = same ? [] : grantsBeyond(record?.grants ?? NO_GRANTS, documents);
  const by = vouched ?? (record !== null && changes.length === 0 && own.length > 0 ? 'record' : null);
  return { ...place, by, record, own, changes };
}

/** Returns one digest over names and texts of all the files, in the order in which they apply. */
function digestOfFiles(own: readonly OwnFile[]): string {
  return digestOf(JSON.stringify(own.map(({ document, text }) => [document.file, text])));
}

/** A trusted policy must not simply disappear, or be replaced by another tool's file: its restrictions would be lost. */
function missingPolicy({ own, record }: ProjectTrust, foreign: readonly string[]): PolicyProblem[] {
  if (record === null) return [];
  const taken = foreign.find((file) => own.length === 0 || record.files.includes(file));
  const day = record.trustedAt.slice(0, 10);
  if (taken !== undefined) {
    const message = `${taken} is not a policy of ours, but this repository's policy (${record.files.join(', ')}) was trusted on ${day}; put it back, or forget it with \`policy trust\`.`;
    return [{ code: 'trust/foreign', message, source: start(taken) }];
  }
  const [first = 'policy.yaml'] = record.files;
  if (own.length > 0) return [];
  const message = `The policy that was trusted on ${day} (${record.files.join(', ')}) is gone; put it back, or forget it with \`policy trust\`.`;
  return [{ code: 'trust/policy-gone', message, source: start(first) }];
}

function trustNotes(trust: ProjectTrust, stored: ReadRecord): PolicyNote[] {
  const notes: PolicyNote[] = [];
  if (stored.state === 'unusable') {
    const message = `${trust.recordFile} ${stored.why}; it is ignored. \`policy trust\` writes a new one.`;
    notes.push({ code: 'trust/record-unusable', message });
  }
  const last = trust.own.at(-1)?.document.file;
  if (trust.by !== null || last === undefined || trust.changes.length === 0) return notes;
  const source = trust.changes[0]?.source ?? start(last);
  const files = trust.own.map(({ document }) => document.file).join(', ');
  notes.push(
    trust.record === null
      ? {
          code: 'trust/untrusted',
          message: `${files} is not trusted, so it can only add restrictions; \`policy trust\` shows what it grants, and asks.`,
          source,
        }
      : {
          code: 'trust/changed',
          message: `${files} grants more than you trusted on ${trust.record.trustedAt.slice(0, 10)}, so it can only add restrictions; \`policy trust\` shows the difference, and asks.`,
          source,
        },
  );
  return notes;
}

function recordedNotes({ isRecorded, own }: ReadLayers, { record }: ProjectTrust): PolicyNote[] {
  if (!isRecorded || record === null) return [];
  const file = own[0]?.document.file ?? 'policy.yaml';
  const message = `${file} is not in this checkout, so it holds as it was trusted on ${record.trustedAt.slice(0, 10)}; \`policy trust\` ends that.`;
  return [{ code: 'trust/recorded', message, source: start(file) }];
}

/** Notes about policies of nested packages with settings that have no effect. */
function nestedNotes({ layers, own }: ReadLayers): PolicyNote[] {
  const known = new Set(own.map(({ document }) => document));
  return layers.flatMap(({ layer, document }) => {
    if ((layer !== 'project' && layer !== 'local') || known.has(document)) return [];
    if (grantsBeyond(NO_GRANTS, [document]).length === 0) return [];
    const where = isAbsolute(document.file) ? 'is the policy of another project' : 'holds for what lies in its folder';
    const message = `${document.file} ${where}: it can only add restrictions.`;
    return [{ code: 'trust/nested', message, source: start(document.file) }];
  });
}

function writesPresetAll(own: readonly OwnFile[]): boolean {
  return own.some(({ document }) => document.settings.some(({ key, value }) => key === 'preset' && value === 'all'));
}

function start(file: string): SourcePosition {
  return { file, line: 1, column: 1 };
}

/**
 * Records that a person trusts the files from which `trust` was read. Throws LogError or WriteError with a sentence for people.
 * @param now for the record; the comparison ignores it
 */
export function recordTrust(stateDirectory: string, { repository, own }: ProjectTrust, now: Date): void {
  writeRecord(stateDirectory, {
    version: 1,
    repository,
    trustedAt: now.toISOString(),
    digest: digestOfFiles(own),
    files: own.map(({ document }) => document.file),
    texts: own.flatMap(({ document: { file, layer }, text }) => (layer === 'project' ? [{ file, text }] : [])),
    grants: grantsOf(own.map(({ document }) => document)),
  });
}

/** Removes the record; true if there was one. */
export function forgetTrust(stateDirectory: string, { repository }: ProjectTrust): boolean {
  return removeRecord(stateDirectory, repository);
}
