// The files that the build reads and writes. Whoever starts it from where, it works at the top of the checkout.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

export const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);

/** All files below `folder` whose name passes `wanted`, sorted, as paths relative to the root. */
export function filesBelow(folder, wanted) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && wanted(entry.name))
    .map((entry) => join(relative(root, entry.parentPath), entry.name))
    .sort();
}

/** Writes only when the text differs, and in one step, so that parallel builds and watchers see whole files. */
export function writeIfChanged(file, text) {
  if (existsSync(file) && readFileSync(file, 'utf8') === text) return;
  mkdirSync(dirname(file), { recursive: true });
  const temporary = `${file}.${process.pid}`;
  writeFileSync(temporary, text);
  renameSync(temporary, file);
}

export const isSource = (name) => (name.endsWith('.ts') && !name.endsWith('.d.ts')) || name.endsWith('.js');

/** A module of src/ that the build needs, too. */
export async function moduleOf(file) {
  const { outputFiles } = await build({ entryPoints: [file], bundle: true, format: 'esm', write: false });
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}

/** 32 hexadecimal digits over package.json, src (without what is generated), rules and schemas: no build takes another's snapshot. */
export function sourceDigest() {
  const digest = createHash('sha256');
  const sources = [
    'package.json',
    ...filesBelow(join(root, 'src'), (name) => isSource(name) || name.endsWith('.yaml')),
    ...filesBelow(join(root, 'rules'), () => true),
    ...filesBelow(join(root, 'schemas'), () => true),
  ];
  for (const file of sources)
    if (!file.startsWith(join('src', 'generated'))) digest.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return digest.digest('hex').slice(0, 32);
}
