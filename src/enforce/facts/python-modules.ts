/** Files of a folder that Python loads in the place of its own modules when it runs there: it looks there first. */
import { join } from 'node:path';
import { shadowsModule } from '../../command/languages/python-names.js';
import { folderEntries } from '../../disk/folder-entries.js';

/** Variables that change nothing about which code is loaded; docker images set the last ones. */
const HARMLESS =
  /^PYTHON(?:UNBUFFERED|DONTWRITEBYTECODE|UTF8|HASHSEED|IOENCODING|NOUSERSITE|SAFEPATH|FAULTHANDLER|_VERSION|_PIP_VERSION|_SHA256|_SETUPTOOLS_VERSION|_GET_PIP_\w+)$/;
const MODULE = /\.(?:py[cdowz]?|so|dylib|dll|sl)$/i;
const PACKAGE = /^__init__\./;

/** A function that tells which of them there are; null where the environment, or a folder that cannot be listed, may add others. */
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

/** A folder without a file of its own is a package only where there is no other. */
function isPackage(path: string): boolean {
  return folderEntries(path)?.some(({ name }) => PACKAGE.test(name)) !== false;
}
