/** Commands that fetch a package and run it (`npx`, `uvx`, `docker run` …): the package, and whether its version is pinned. */
import { programName } from './servers.js';

export interface FetchedPackage {
  /** As written. */
  readonly text: string;
  /** The index of its word in the command. */
  readonly index: number;
  readonly isPinned: boolean;
  /** A container image, which is fetched only if it is missing. */
  readonly isImage: boolean;
}

/** Options of these programs whose value is the next word. */
const WITH_VALUE: ReadonlySet<string> = new Set([
  ...['-p', '--package', '-c', '--call', '--from', '--with', '--python', '--registry', '--index', '--index-url', '--prefix'],
  ...['-e', '--env', '--env-file', '-v', '--volume', '--mount', '--name', '--network', '--net'],
  ...['-w', '--workdir', '-u', '--user'],
  ...['--entrypoint', '-l', '--label', '--platform', '--add-host', '-m', '--memory', '--cpus', '--pull', '--spec'],
]);

/** Programs that run the package named by their first operand, identified by the words before it. */
const FETCHING: readonly { readonly words: readonly string[]; readonly named: readonly string[]; readonly form: Form }[] = [
  { words: ['npx'], named: ['-p', '--package'], form: 'npm' },
  { words: ['bunx'], named: ['-p', '--package'], form: 'npm' },
  { words: ['bun', 'x'], named: [], form: 'npm' },
  { words: ['pnpx'], named: ['-p', '--package'], form: 'npm' },
  { words: ['pnpm', 'dlx'], named: ['-p', '--package'], form: 'npm' },
  { words: ['yarn', 'dlx'], named: ['-p', '--package'], form: 'npm' },
  { words: ['npm', 'exec'], named: ['-p', '--package'], form: 'npm' },
  { words: ['uvx'], named: ['--from'], form: 'python' },
  { words: ['uv', 'tool', 'run'], named: ['--from'], form: 'python' },
  { words: ['pipx', 'run'], named: ['--spec'], form: 'python' },
  { words: ['docker', 'run'], named: [], form: 'image' },
  { words: ['podman', 'run'], named: [], form: 'image' },
];
type Form = 'npm' | 'python' | 'image';

/** Null for a command that fetches nothing, or runs a file of the project. */
export function fetchedPackage(command: readonly string[]): FetchedPackage | null {
  const words = command.map((word, index) => (index === 0 ? programName(word) : word));
  const start = words[0] === 'cmd' && /^\/c$/i.test(words[1] ?? '') ? 2 : 0;
  const found = FETCHING.find((one) => one.words.every((word, index) => words[start + index] === word));
  if (found === undefined) return null;
  const index = packageIndex(words, start + found.words.length, found.named);
  const text = index === null ? undefined : words[index]?.replace(/^--(?:package|from|spec)=/, '');
  if (index === null || text === undefined || text === '' || isLocal(text)) return null;
  return { text, index, isPinned: isPinned(text, found.form), isImage: found.form === 'image' };
}

function packageIndex(words: readonly string[], from: number, named: readonly string[]): number | null {
  for (let index = from; index < words.length; index++) {
    const word = words[index] ?? '';
    const [option = ''] = word.split('=');
    if (named.includes(option)) return word.includes('=') ? index : index + 1;
    if (word === '--') continue;
    if (!word.startsWith('-')) return index;
    if (WITH_VALUE.has(word)) index++;
  }
  return null;
}

/** `./server`, `/opt/server`, `${VAR}`. */
function isLocal(text: string): boolean {
  return /^[./~$%]|^\$|^file:/.test(text) || text.includes('${');
}

/** A complete version, a commit or a digest; not a range, a tag or nothing. */
function isPinned(text: string, form: Form): boolean {
  if (form === 'image') return /@sha256:[0-9a-f]{64}$/.test(text) || /:v?\d+\.\d+[\w.+-]*$/.test(text);
  if (/^(?:git\+|https?:|github:)/.test(text) || text.includes('#'))
    return /[@#][0-9a-f]{7,40}$/.test(text) || /@v?\d+\.\d+\.\d+/.test(text);
  if (form === 'python') return /(?:==|@)v?\d+\.\d+/.test(text);
  return /.@v?\d+\.\d+\.\d+[\w.+-]*$/.test(text);
}
