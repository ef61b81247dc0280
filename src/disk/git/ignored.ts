/** Whether git ignores a file at the top of a project, by the simplest forms of patterns: for a hint only. */
import { join } from 'node:path';
import { globMatch } from '../../rule/pattern/wildcard.js';
import { readText } from '../read.js';
import { repositoryTop } from './directory.js';

/** True outside of a repository, and if a line of .gitignore or .git/info/exclude names the file. */
export function isIgnored(project: string, file: string): boolean {
  if (repositoryTop(project) === null) return true;
  return ['.gitignore', '.git/info/exclude'].some((name) => {
    const read = readText(join(project, name), { follow: false });
    const lines = read.ok ? read.text.split(/\r?\n/) : [];
    return lines.some((line) => /^\/?[^/!#]+$/.test(line.trim()) && globMatch(line.trim().replace(/^\//, ''), file));
  });
}
