/** Files of a folder that Python loads instead of its own modules when it runs there, because it searches that folder first. */
import { join } from 'node:path';
import { shadowsModule } from '../../command/languages/python-names.js';
import { folderEntries } from '../../disk/folder-entries.js';

/** Variables that do not affect which code is loaded; docker images set the last ones. */
const HARMLESS =
  /^PYTHON(?:UNBUFFERED|DONTWRITEBYTECODE|UTF8|HASHSEED|IOENCODING|NOUSERSITE|SAFEPATH|FAULTHANDLER|_VERSION|_PIP_VERSION|_SHA256|_SETUPTOOLS_VERSION|_GET_PIP_\w+)$/;
const MODULE = /\.(?:py[cdowz]?|so|dylib|dll|sl)$/i;
const PACKAGE = /^__init__\./;

/** Returns a function that lists these files; null if the environment may add others, or the folder cannot be listed. */
export function moduleReader(
  environment: Readonly<Record<string, string | undefined>>,
): (folder: string) => readonly string[] | null {
  const adds = Object.keys(environment).some((name) => /^PYTHON/i.test(name) && !HARMLESS.test(name));
  return (folder) => {
    const entries = adds ? null : folderEntries(folder);
    if (entries === null) return null;
    const found = entries.filter(
      (entry) => shadowsModule(entry.name) && (MODULE.test(entry.name) || isPackage(join(folder, entry.name))),
    );
    return found.map(({ name }) => name);
  };
}

/** Whether a folder is a package that shadows a module: one without `__init__` is a package only if no other has that name. */
function isPackage(path: string): boolean {
  return folderEntries(path)?.some(({ name }) => PACKAGE.test(name)) !== false;
}
