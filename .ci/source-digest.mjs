// A digest of everything that the program is made from, so that no build takes another's snapshot.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow, isSource, root } from './files.mjs';

/** 32 hexadecimal digits over package.json, src (without what is generated), rules and schemas. */
export function sourceDigest() {
  const digest = createHash('sha256');
  const sources = [
    'package.json',
    ...filesBelow(join(root, 'src'), isSource),
    ...filesBelow(join(root, 'rules'), () => true),
    ...filesBelow(join(root, 'schemas'), () => true),
  ];
  for (const file of sources)
    if (!file.startsWith(join('src', 'generated'))) digest.update(`${file}\0`).update(readFileSync(file)).update('\0');
  return digest.digest('hex').slice(0, 32);
}
