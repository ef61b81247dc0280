/** What a runner requires a person to approve before it runs a hook; without that approval, calls proceed silently. */
import { dirname, isAbsolute, join } from 'node:path';
import { type FolderTrust, traitsOf } from '../../../call/traits.js';
import { isInside } from '../../../disk/inside.js';
import { realPath } from '../../../disk/real-path.js';
import { readSetting, whyUnread } from '../../../disk/setting.js';
import { codexStanding, readCodexTrust } from '../../../install/codex-trust.js';
import { hookPath, type InstallPlaces } from '../../../install/target.js';
import type { Runner } from '../../../runner/hook/runner.js';
import { launcherOf } from '../../../runner/launched.js';
import { type CheckResult, type DoctorCheck, fine, problem, worthKnowing } from '../found/check.js';
import type { DoctorSubject, ExaminedRunner } from '../found/subject.js';

export const trust: DoctorCheck = {
  id: 'trust',
  examine: (subject) =>
    subject.examined.flatMap((one) => {
      const { trustsEachHook, folderTrust } = traitsOf(one.runner.id);
      if (trustsEachHook) return trustOfHooks(subject, one);
      return folderTrust === undefined ? [] : trustOfFolder(subject, one, folderTrust);
    }),
};

/** Codex trusts each hook by its hash and, for hooks of a project, the project as well. */
function trustOfHooks({ places }: DoctorSubject, { runner, hooks, sources }: ExaminedRunner): readonly CheckResult[] {
  const trust = readCodexTrust(runner, places);
  return sources.flatMap(({ scope, file, text }) => {
    if (text === null || !hooks.some((hook) => hook.file === file)) return [];
    const standing = codexStanding({ file, text, scope }, trust);
    if (standing === null) return [fine(runner.id, `${traitsOf(runner.id).title} trusts the hook in ${file}`)];
    const { kind, message, fix } = standing;
    const said = (kind === 'open' || kind === 'part' ? problem : worthKnowing)(runner.id, message, fix);
    return [kind === 'open' || kind === 'former' ? { ...said, lead: true } : said];
  });
}

function trustOfFolder({ places }: DoctorSubject, { runner, hooks }: ExaminedRunner, named: FolderTrust): readonly CheckResult[] {
  if (!hooks.some(({ scope }) => scope === 'project')) return [];
  const { project, home } = places;
  const files = named.files.map((path) => join(home, path));
  const isTrusted = files.some((file) =>
    named.levels === undefined ? isListed(file, named.lists, project) : isBelowTrusted(file, named.levels, project),
  );
  if (isTrusted) return [];
  const { id } = runner;
  const what = `${traitsOf(id).title} runs hooks of ${project} only in a trusted folder, and ${files.join(' and ')} ${files.length === 1 ? 'does' : 'do'} not name it`;
  return [problem(id, what, `start ${launcherOf(id)?.program ?? id} there and trust the folder, or policy install ${id} --user`)];
}

function isListed(file: string, lists: readonly string[], project: string): boolean {
  return lists
    .flatMap((name) => {
      const list = readSetting(file, 'json', [name]);
      return Array.isArray(list) ? (list as unknown[]) : [];
    })
    .some((folder) => typeof folder === 'string' && `${project}/`.startsWith(`${folder.replace(/\/$/, '')}/`));
}

/** The nearest folder that a file names with one of these words. */
function isBelowTrusted(file: string, levels: Readonly<Record<string, 'below' | 'itself'>>, project: string): boolean {
  const folders = readSetting(file, 'json', []);
  const agreed = new Map(Array.isArray(folders) ? (folders as [string, unknown][]) : []);
  for (let folder = project; ; folder = dirname(folder)) {
    const level = agreed.get(folder);
    const reach = typeof level === 'string' && Object.hasOwn(levels, level) ? levels[level] : undefined;
    if (reach === 'below' || (reach === 'itself' && folder === project)) return true;
    if (folder === dirname(folder)) return false;
  }
}

const COPILOT_FILES = ['config.json', 'settings.json'];

function copilotFolders(files: readonly string[]): readonly unknown[] {
  return files.flatMap((file) =>
    ['trusted_folders', 'trustedFolders'].flatMap((name) => {
      const list = readSetting(file, 'json', [name]);
      return Array.isArray(list) ? (list as unknown[]) : [];
    }),
  );
}

/** Whether Copilot CLI may trust a folder, one above it or one in the project; true also where that cannot be told. */
export function trustedByCopilot(runner: Runner, places: InstallPlaces, cwd: string): boolean {
  // Any value of the variable but this one trusts nothing (`copilot help environment`).
  if (places.environment.COPILOT_ALLOW_ALL?.trim().toLowerCase() === 'true') return true;
  const hooks = hookPath(runner, 'user', places);
  const files = COPILOT_FILES.map((name) => join(dirname(dirname(hooks ?? '')), name));
  if (hooks === null || files.some((file) => whyUnread(file, 'json') !== null)) return true;
  return copilotFolders(files).some((folder) => {
    if (typeof folder !== 'string' || !isAbsolute(folder)) return true;
    const real = realPath(folder) ?? folder;
    return real === cwd || isInside(cwd, real) || isInside(real, places.project);
  });
}
