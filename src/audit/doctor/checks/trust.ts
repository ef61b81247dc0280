/** What a runner wants a person to have agreed to before it runs a hook; without it, calls go on without a word. */
import { dirname, isAbsolute, join } from 'node:path';
import { isInside } from '../../../disk/inside.js';
import { realPath } from '../../../disk/real-path.js';
import { readSetting, whyUnread } from '../../../disk/setting.js';
import { codexStanding, readCodexTrust } from '../../../install/codex-trust.js';
import { hookPath, type InstallPlaces } from '../../../install/target.js';
import type { Runner } from '../../../runner/hook/runner.js';
import { type CheckResult, type DoctorCheck, fine, note, problem } from '../found/check.js';
import type { DoctorSubject, ExaminedRunner } from '../found/subject.js';

export const trust: DoctorCheck = {
  id: 'trust',
  examine: (subject) => subject.examined.flatMap((one) => TRUST[one.runner.id]?.(subject, one) ?? []),
};

const TRUST: Readonly<Record<string, (subject: DoctorSubject, one: ExaminedRunner) => readonly CheckResult[]>> = {
  codex: ofCodex,
  'gemini-cli': ofGemini,
  'copilot-cli': ofCopilot,
};

/** Each hook by its hash, and for hooks of a project the project, too. */
function ofCodex({ places }: DoctorSubject, { runner, hooks, sources }: ExaminedRunner): readonly CheckResult[] {
  const trust = readCodexTrust(runner, places);
  return sources.flatMap(({ scope, file, text }) => {
    if (text === null || !hooks.some((hook) => hook.file === file)) return [];
    const standing = codexStanding({ file, text, scope }, trust);
    if (standing === null) return [fine('codex', `Codex trusts the hook in ${file}`)];
    const { kind, message, fix } = standing;
    const said = (kind === 'open' || kind === 'part' ? problem : note)('codex', message, fix);
    return [kind === 'open' || kind === 'former' ? { ...said, lead: true } : said];
  });
}

function ofGemini({ places }: DoctorSubject, { hooks }: ExaminedRunner): readonly CheckResult[] {
  if (!hooks.some(({ scope }) => scope === 'project')) return [];
  const file = join(places.home, '.gemini', 'trustedFolders.json');
  const folders = readSetting(file, 'json', []);
  const agreed = new Map(Array.isArray(folders) ? (folders as [string, unknown][]) : []);
  for (let folder = places.project; ; folder = dirname(folder)) {
    const level = agreed.get(folder);
    if (level === 'TRUST_FOLDER' || (level === 'TRUST_PARENT' && folder === places.project)) return [];
    if (folder === dirname(folder)) break;
  }
  const what = `Gemini CLI runs hooks of ${places.project} only in a trusted folder, and ${file} does not name it`;
  return [problem('gemini-cli', what, 'start gemini there and trust the folder, or policy install gemini-cli --user')];
}

function ofCopilot({ places }: DoctorSubject, { hooks }: ExaminedRunner): readonly CheckResult[] {
  if (!hooks.some(({ scope }) => scope === 'project')) return [];
  const files = COPILOT_FILES.map((name) => join(places.home, '.copilot', name));
  const trusted = copilotFolders(files);
  if (trusted.some((folder) => typeof folder === 'string' && `${places.project}/`.startsWith(`${folder.replace(/\/$/, '')}/`)))
    return [];
  const what = `Copilot CLI runs hooks of ${places.project} only in a trusted folder, and ${files.join(' and ')} do not name it`;
  return [problem('copilot-cli', what, 'start copilot there and trust the folder, or policy install copilot-cli --user')];
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
