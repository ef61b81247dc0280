/** Scratch folders for tests that need real files. */
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Makes a folder with the given files (`-> target` as content makes a symbolic link), runs `use`, and removes it. */
export function withFiles<Result>(files: Readonly<Record<string, string>>, use: (folder: string) => Result): Result {
  const folder = scratchFolder(files);
  try {
    return use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Makes a folder with such files, which the caller removes. */
export function scratchFolder(files: Readonly<Record<string, string>>): string {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'policy-test-')));
  for (const [name, content] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(name.endsWith('/') ? path : dirname(path), { recursive: true });
    if (name.endsWith('/')) continue;
    if (content.startsWith('-> ')) symlinkSync(content.slice(3), path);
    else writeFileSync(path, content);
  }
  return folder;
}
