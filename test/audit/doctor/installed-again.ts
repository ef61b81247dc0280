/** What `policy install` left in one home, put into others: it writes the whole program each time, which takes longer than most checks. */
import { createHash } from 'node:crypto';
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { scratch } from '../../cli/spawned.js';

interface Written {
  readonly text: string;
  readonly mode: number;
}

/** By the path below the home. */
type Files = ReadonlyMap<string, Written>;

interface Left {
  readonly home: string;
  readonly files: Files;
}

const VERSIONS = '.local/share/policy/versions';
const RECEIPTS = '.local/state/policy/installs';
/** By the words of the command. */
const known = new Map<string, Left>();
let program: string | undefined;

/** Installs in a home as `install` does: with it the first time, and where a file that it writes is there already. */
export function installedAgain(words: readonly string[], home: string, install: () => void): void {
  const key = words.join(' ');
  const left = known.get(key);
  if (left !== undefined && [...left.files.keys()].every((file) => !existsSync(join(home, file)))) {
    put(left, home);
    return;
  }
  const before = filesIn(home);
  install();
  const files = new Map([...filesIn(home)].filter(([file, { text }]) => before.get(file)?.text !== text));
  if ([...files.keys()].every((file) => !before.has(file))) known.set(key, { home, files });
  program ??= join(scratch({}), 'versions');
  if (!existsSync(program)) cpSync(join(home, VERSIONS), program, { recursive: true });
}

function put({ home: other, files }: Left, home: string): void {
  const isThere = existsSync(join(home, VERSIONS));
  if (!isThere) mkdirSync(join(home, VERSIONS), { recursive: true, mode: 0o700 });
  if (!isThere && program !== undefined) cpSync(program, join(home, VERSIONS), { recursive: true });
  const settings = [...files].filter(([file]) => !file.startsWith(RECEIPTS));
  const receipts = [...files].filter(([file]) => file.startsWith(RECEIPTS));
  for (const [file, { text, mode }] of settings) write(join(home, file), text.replaceAll(other, home), mode);
  for (const [, { text, mode }] of receipts) {
    const receipt = JSON.parse(text.replaceAll(other, home)) as { readonly path: string };
    const after = `sha256:${sha256(readFileSync(receipt.path, 'utf8'))}`;
    const name = `${sha256(receipt.path).slice(0, 32)}.json`;
    write(join(home, RECEIPTS, name), `${JSON.stringify({ ...receipt, after }, null, 2)}\n`, mode);
  }
}

function write(file: string, text: string, mode: number): void {
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  writeFileSync(file, text, { mode });
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

/** All of a home but the copies of the program. */
function filesIn(home: string, folder = ''): Files {
  const found = new Map<string, Written>();
  for (const name of readdirSync(join(home, folder))) {
    const file = join(folder, name);
    const stat = lstatSync(join(home, file));
    if (stat.isDirectory() && file !== VERSIONS) for (const [path, written] of filesIn(home, file)) found.set(path, written);
    if (stat.isFile()) found.set(file, { text: readFileSync(join(home, file), 'utf8'), mode: stat.mode & 0o777 });
  }
  return found;
}
