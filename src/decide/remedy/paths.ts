/** File rules that might allow a call: the folder that a person would name, then the file. */

import type { ResolvedPath } from '../place/paths.js';
import { type Choice, type OfferedRule, offered } from './offer.js';
import { isPrintable } from './text.js';

const MOST_LENGTH = 300;

/** Folders that everyone may write to: a rule for one of their files covers the whole folder. */
const TEMPORARY = ['/tmp', '/private/tmp', '/var/tmp'];
/** Folders that also contain settings of the machine or of processes: only the file itself is offered. */
const SYSTEM = ['/etc', '/private/etc', '/proc', '/sys', '/dev', '/root', '/boot', '/run', '/var/run', '/private/var/run'];

/** Folders whose files the system starts, by itself or by name. */
const STARTED = /\/(?:s?bin|LaunchAgents|LaunchDaemons|StartupItems|autostart|systemd|cron(?:tabs|\.\w+)?|profile\.d)\//;

/**
 * In the project, the top-level folder that contains the file, then the file; elsewhere, the file's folder, or the project that
 * contains it as far as the path shows (`~/work/other/**`), then the file.
 * @param tool `Read`, `Edit` or another tool whose rules are about paths
 */
export function pathOffers(tool: string, { real, locations, reference }: ResolvedPath, home: string): Choice {
  const where = real ?? locations[0];
  if (where === undefined) return [];
  if (where.project !== null) return choice(tool, projectFolder(where.project), `/${where.project}`);
  const isFolder = reference.recursive || reference.listing;
  const folder = outsideFolder(where.absolute, home, isFolder);
  return choice(tool, folder === null ? null : `/${folder}/**`, isFolder ? null : `/${where.absolute}`);
}

function choice(tool: string, folder: string | null, file: string | null): Choice {
  const rules: OfferedRule[] = [];
  if (folder !== null && isLiteral(folder))
    rules.push(
      ...offered(tool, folder, 'path', 'folder', `${VERBS[tool] ?? 'the same with'} every file below ${shownFolder(folder)}`),
    );
  if (file !== null && file !== folder && isLiteral(file)) rules.push(...offered(tool, file, 'path', 'file', null));
  return rules;
}

const VERBS: Readonly<Record<string, string>> = { Read: 'reading', Edit: 'changing' };

function shownFolder(pattern: string): string {
  return pattern === '/**'
    ? 'the project'
    : pattern
        .replace(/\/\*\*$/, '')
        .replace(/^\/(?!\/)/, '')
        .replace(/^\/\//, '/');
}

function projectFolder(path: string): string | null {
  if (path === '') return '/**';
  return path.includes('/') ? `/${path.slice(0, path.indexOf('/'))}/**` : null;
}

/** The folder to offer for a file outside the project; null if only the file itself may be named. */
function outsideFolder(path: string, home: string, isFolder: boolean): string | null {
  const temporary = TEMPORARY.find((folder) => path === folder || path.startsWith(`${folder}/`));
  if (temporary !== undefined) return temporary;
  const folder = isFolder ? path : path.slice(0, path.lastIndexOf('/'));
  if (STARTED.test(`${folder}/`)) return null;
  if (home !== '/' && path.startsWith(`${home}/`)) {
    const names = folder
      .slice(home.length + 1)
      .split('/')
      .filter((name) => name !== '');
    if (names.length === 0) return null;
    if (names[0]?.startsWith('.')) return names.length > 1 ? folder : null;
    return `${home}/${names.slice(0, 2).join('/')}`;
  }
  if (SYSTEM.some((one) => folder === one || folder.startsWith(`${one}/`))) return null;
  return folder === home || folder.split('/').length < 3 || home.startsWith(`${folder}/`) ? null : folder;
}

function isLiteral(pattern: string): boolean {
  const words = pattern.replace(/\/\*\*$/, '');
  return pattern.length <= MOST_LENGTH && !/[*?[\]{}()!\\"']/.test(words) && isPrintable(words);
}
