/** Credentials in git's configuration: passwords and tokens in URLs, headers of requests, and settings named after one. */
import { basename } from 'node:path';
import type { CredentialFact } from '../decide/facts.js';
import { secretSpans } from '../secret/find.js';
import { type ConfigEntry, readConfig } from './git-config.js';
import { gitDirectory, locateRepository } from './git-directory.js';
import { pathIn } from './inside.js';
import { realPath } from './real-path.js';

/** `https://user:password@host`: whatever stands between the colon and the last `@` of the authority. */
const PASSWORD = /[a-z][a-z0-9+.-]*:\/\/[^\s/?#@:]*:[^\s/?#]+@/i;
/** A user name that is a token by itself. */
const LONG_USER = /:\/\/(?=[^\s/?#@:]*\d)[\w.~%+-]{20,}@/;
/** Variables that hold a credential whatever its form. */
const NAMED = /(?:pass|passwd|password|token|secret|api-?key|extraheader)$/;
const EMPTY: ReadonlySet<string> = new Set(['', 'true', 'false', 'yes', 'no', '0', '1']);

function isCredential({ key, value }: ConfigEntry): boolean {
  if (NAMED.test(key) && !EMPTY.has(value.toLowerCase())) return true;
  // A URL is also part of a key: `url.https://token@host/.insteadOf`.
  return [key, value].some((text) => PASSWORD.test(text) || LONG_USER.test(text) || secretSpans(text).length > 0);
}

/** The settings of a file that hold a credential; a file that cannot be read may hold one. The values themselves are not given. */
export function credentialsIn(file: string): readonly CredentialFact[] {
  const read = readConfig(file);
  if (!read.ok) return [{ key: null, file, line: read.line }];
  // A quoted part of a key may be the credential itself.
  return read.entries.filter(isCredential).map(({ key, line }) => ({ key: plainKey(key), file, line }));
}

function plainKey(key: string): string | null {
  return key.includes('://') || secretSpans(key).length > 0 ? null : key;
}

/** The names that git's configuration has in a git directory and in a home. */
const CONFIG_FILES: ReadonlySet<string> = new Set(['config', 'config.worktree', '.gitconfig']);

/** Whether the file at a real path is a configuration of git that holds a credential. */
export function isCredentialFile(path: string): boolean {
  const name = basename(path);
  if (!CONFIG_FILES.has(name)) return false;
  const isOwn = name === '.gitconfig' || path.includes('/.git/') || path.endsWith('/git/config');
  return isOwn && credentialsIn(path).length > 0;
}

/** The credentials in the configuration that git goes by in a directory: the repository's and the user's. */
export function gitCredentials(directory: string, home: string): readonly CredentialFact[] {
  const located = locateRepository(realPath(directory) ?? directory);
  const folders = located === null ? [] : gitDirectory(located.top, located.sound).folders;
  const files = folders.flatMap((folder) => [pathIn(folder, 'config'), pathIn(folder, 'config.worktree')]);
  return [...files, pathIn(home, '.gitconfig'), pathIn(home, '.config/git/config')].flatMap(credentialsIn);
}
