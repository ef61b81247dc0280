/** One repository of a fleet, examined by its files alone: no hook is started, and this machine's settings are ignored. */
import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { RUNNERS } from '../../call/tool-call.js';
import { statOf } from '../../disk/stat-of.js';
import { findFiles } from '../../lint/files/read-files.js';
import { runnerOfKind } from '../../lint/places/file-kind.js';
import { systemCode } from '../../log/files/log-error.js';
import { openWorkspace } from '../../project/workspace.js';
import { allRunners } from '../../runner/runners.js';
import { hookVariablesOfProject } from '../controls/as-3.js';
import { examineControl } from '../controls/examine.js';
import { controlResult } from '../controls/score.js';
import { auditSubject } from '../gather.js';
import { type ClaimResult, type ControlResult, type Place, SEVERITIES } from '../model/report.js';
import { scratchFolder } from '../scratch/folder.js';
import { scratchState } from '../scratch/state.js';
import { CHECKLISTS, type ChecklistControl, checklist } from '../subject/checklist.js';
import { type WrittenTree, writeBareTree } from './bare-tree.js';
import type { ExaminedRepository, FleetFinding, RepositoryResult } from './report.js';
import { folderOf, isBare, whyNoWorkTree } from './repositories.js';

export interface FleetOptions {
  /** Where git looks up which repositories the user marked as safe, and what `~` stands for. */
  readonly home: string;
  readonly toolVersion: string;
  /** Milliseconds since 1970. */
  readonly now: () => number;
}

const MOST_FINDINGS = 100;

/** An unpacked archive can look like a git directory, and hide its own files behind the commits in it. */
const AMBIGUOUS = 'it is a git directory, but also contains files for coding agents';

/** Never throws: an error in a repository becomes its result. */
export async function examineRepository(repository: string, options: FleetOptions): Promise<RepositoryResult> {
  const { path: scratch, remove } = scratchFolder('fleet');
  try {
    const folder = folderOf(repository, options.home);
    const stat = statOf(folder);
    if (stat === undefined) return { repository, problem: `there is no folder ${folder}` };
    if (!stat.isDirectory()) return { repository, problem: 'it is a file, not a folder' };
    if (!isBare(folder)) {
      const problem = whyNoWorkTree(folder, findFiles(folder).files.length);
      return problem === null ? await examine(repository, realpathSync(folder), null, scratch, options) : { repository, problem };
    }
    if (findFiles(folder).files.length > 0) return { repository, problem: AMBIGUOUS };
    const project = join(scratch, 'project');
    mkdirSync(project);
    const tree = writeBareTree(folder, project, options.home);
    return await examine(repository, project, tree, scratch, options);
  } catch (error) {
    return { repository, problem: sentenceOf(error) };
  } finally {
    remove();
  }
}

/** Reduces a file system error to its code: the rest of the message is for programmers. */
function sentenceOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return 'syscall' in error ? `it cannot be read (${systemCode(error)})` : error.message;
}

async function examine(
  repository: string,
  project: string,
  tree: WrittenTree | null,
  scratch: string,
  { toolVersion, now }: FleetOptions,
): Promise<RepositoryResult> {
  const home = join(scratch, 'home');
  mkdirSync(home);
  // An empty PATH would mean the folder in which a program is started, and a relative one would make every command doubtful.
  const environment = { PATH: join(scratch, 'bin'), HOME: home };
  // The report is about what the repository's own policy would allow, so it is read as if somebody had trusted it.
  const opened = openWorkspace({
    ...{ cwd: project, project, home, platform: process.platform, environment },
    ...{ withAgents: true, trustProject: true, managedDirectory: join(scratch, 'managed') },
  });
  if (!opened.ok) return { repository, problem: `its policy cannot be used: ${opened.problems[0]?.message ?? ''}` };
  const { workspace } = opened;
  const found = findFiles(project);
  const about = {
    repository,
    commit: tree?.commit ?? null,
    hasPolicy: workspace.policy.sources.length > 0,
    agents: workspace.agents.length,
    files: found.files.length,
  };
  const places = { home, project, machine: '', environment };
  const switched = allRunners().filter((runner) => hookVariablesOfProject(runner, places).length > 0);
  // If no file is for a coding agent, nothing is missing.
  if (found.files.length === 0 && switched.length === 0) return summary([], about);
  const named = new Set([...found.files.map(({ kind }) => runnerOfKind(kind)), ...switched.map(({ id }) => id)]);
  const entries = CHECKLISTS.flatMap((id) => checklist(id).controls).flatMap(shownByFiles);
  const state = scratchState(join(scratch, 'state'));
  try {
    const subject = await auditSubject(
      {
        workspace,
        checklists: CHECKLISTS,
        runners: RUNNERS.filter((runner) => named.has(runner)),
        home,
        environment,
        stateDirectory: join(scratch, 'state'),
        settings: [],
        managedDirectory: join(scratch, 'managed'),
        own: null,
        probes: false,
        runHooks: false,
        patches: false,
        toolVersion,
        now,
        found: tree === null ? found : { ...found, exists: tree.has },
      },
      entries,
      state,
    );
    const controls: ControlResult[] = [];
    for (const entry of entries) controls.push(controlResult(entry, await examineControl(subject, entry)));
    return summary(controls, about);
  } finally {
    state.remove();
  }
}

/** Keeps the claims that files alone decide; empty if a control has only other claims. */
function shownByFiles(entry: ChecklistControl): readonly ChecklistControl[] {
  const claims = entry.claims.filter(({ level, scope }) => level === 'defined' && scope !== 'machine');
  return claims.length === 0 ? [] : [{ ...entry, claims }];
}

function summary(
  controls: readonly ControlResult[],
  about: Pick<ExaminedRepository, 'repository' | 'commit' | 'hasPolicy' | 'agents' | 'files'>,
): ExaminedRepository {
  const claims = controls.flatMap((control) => control.claims.map((claim) => ({ control, claim })));
  const decided = claims.filter(({ claim: { verdict } }) => verdict === 'met' || verdict === 'unmet');
  const findings = decided
    .filter(({ claim }) => claim.verdict === 'unmet')
    .map(({ control, claim }) => findingOf(control, claim))
    .sort((left, right) => SEVERITIES.indexOf(left.severity) - SEVERITIES.indexOf(right.severity));
  return {
    ...about,
    problem: null,
    met: decided.length - findings.length,
    claims: decided.length,
    findings: findings.slice(0, MOST_FINDINGS),
  };
}

function findingOf({ id, evidence }: ControlResult, claim: ClaimResult): FleetFinding {
  const against = evidence.find((piece) => !piece.supports && claim.evidence.includes(piece.id));
  const place: Place | null = against !== undefined && 'place' in against ? against.place : null;
  return {
    control: id,
    claim: claim.id,
    severity: claim.severity,
    message: claim.gap ?? '',
    place: place === null ? null : `${place.file}:${place.line}`,
  };
}
