/** Credentials in git's configuration: passwords and tokens in URLs, request headers, and settings whose names indicate one. */
import type { CredentialFact } from '../../decide/ruling/facts.js';
import { secretSpans } from '../../secret/find.js';
import { realPath } from '../real-path.js';
import { type ConfigEntry, readConfig } from './config.js';
import { type ConfigOwner, repositoryConfigFiles, sharedConfigFiles, wholeConfig } from './config-files.js';
import { gitDirectory, locateRepository } from './directory.js';

/** `https://user:password@host`: everything between the colon and the last `@` of the authority. */
const PASSWORD = /[a-z][a-z0-9+.-]*:\/\/[^\s/?#@:]*:[^\s/?#]+@/i;
/** A user name that is itself a token. */
const LONG_USER = /:\/\/(?=[^\s/?#@:]*\d)[\w.~%+-]{20,}@/;
/** Variables that contain a credential whatever its form. */
const NAMED = /(?:pass|passwd|password|token|secret|api-?key|extraheader)$/;
const EMPTY: ReadonlySet<string> = new Set(['', 'true', 'false', 'yes', 'no', '0', '1']);

function isCredential({ key, value }: ConfigEntry): boolean {
  if (NAMED.test(key) && !EMPTY.has(value.toLowerCase())) return true;
  // A key may also contain a URL: `url.https://token@host/.insteadOf`.
  return [key, value].some((text) => PASSWORD.test(text) || LONG_USER.test(text) || secretSpans(text).length > 0);
}

/**
 * Whether a setting in a file contains a credential.
 * @param unread the result for a file that cannot be parsed as a configuration
 */
export function holdsCredential(file: string, unread: boolean): boolean {
  const read = readConfig(file);
  return read.ok ? read.entries.some(isCredential) : unread;
}

/** Returns the settings that contain a credential, without their values. */
function credentialFacts(entries: readonly ConfigEntry[]): readonly CredentialFact[] {
  return entries.filter(isCredential).map(({ key, file, line }) => ({ key: plainKey(key), file, line }));
}

/** Returns null for a key whose quoted part may itself be the credential. */
function plainKey(key: string): string | null {
  return key.includes('://') || secretSpans(key).length > 0 ? null : key;
}

/**
 * Returns the credentials in the configuration that git uses in a directory: the repository's, the user's and the machine's, with
 * their includes.
 */
export function gitCredentials(directory: string, owner: ConfigOwner): readonly CredentialFact[] {
  const located = locateRepository(realPath(directory) ?? directory);
  const folders = located === null ? [] : gitDirectory(located.top, located.sound).folders;
  const { entries, unclear } = wholeConfig([...repositoryConfigFiles(folders), ...sharedConfigFiles(owner)], owner.home);
  return [...credentialFacts(entries), ...unclear.map(({ file, line }) => ({ key: null, file, line }))];
}
