/** `docker run -v /:/host alpine rm -rf /host`: what a container does to a mounted folder of the machine. */

import { baseName, flatten } from '../../command/model/called-commands.js';
import type { Command } from '../../command/model/command.js';
import type { ShellWord } from '../../shell/syntax/types.js';

const RUNTIMES: ReadonlySet<string> = new Set(['docker', 'podman', 'nerdctl']);

interface Mount {
  readonly from: string;
  readonly to: string;
  readonly writable: boolean;
}

/** What a container runtime's word mounts: the folder on the machine and whether the container may change it; null for any other word. */
export function mountAt(command: Command, at: number): { readonly from: string; readonly writable: boolean } | null {
  const { argv } = command.invocation;
  if (!RUNTIMES.has(baseName(command) ?? '')) return null;
  const [own, before] = [argv[at]?.text ?? '', argv[at - 1]?.text ?? ''];
  const option = /^(?:-v|--volume|--mount)(?==|$)/.exec(own)?.[0] ?? (/^(?:-v|--volume|--mount)$/.test(before) ? before : null);
  if (option === null) return null;
  const value = unquotedValue(own.startsWith('-') ? own.slice(option.length + 1) : own);
  const mount = mountOf(option, value);
  // `-v /app/node_modules` and `-v cache:/x` are volumes of the runtime itself.
  const isFolder = mount !== null && /[/~$.]/.test(mount.from) && !/(?:^|,)type=volume(?:,|$)/.test(value);
  return isFolder ? { from: mount.from, writable: mount.writable } : { from: '', writable: false };
}

/** The commands that containers run, with words that name the same files on the machine. */
export function commandsInMounts(commands: readonly Command[]): readonly Command[] {
  return flatten(commands).flatMap((command) => {
    if (command.inner.length === 0 || !RUNTIMES.has(baseName(command) ?? '')) return [];
    const mounts = mountsOf(command.invocation.argv);
    return mounts.length === 0 ? [] : flatten(command.inner).map((inner) => outside(inner, mounts));
  });
}

/** `-v FROM:TO`, `--volume=FROM:TO:ro`, `--mount type=bind,source=FROM,target=TO`. */
function mountsOf(argv: readonly ShellWord[]): readonly Mount[] {
  return argv.flatMap(({ text }, at) => {
    const [, option, glued] = /^(-v|--volume|--mount)(?:=(.*))?$/s.exec(text) ?? [];
    if (option === undefined) return [];
    const mount = mountOf(option, unquotedValue(glued ?? argv[at + 1]?.text ?? ''));
    return mount === null ? [] : [mount];
  });
}

const unquotedValue = (text: string) => text.replace(/["']/g, '');

function mountOf(option: string, value: string): Mount | null {
  const named = option === '--mount' ? value : '';
  const [first, second, modes = ''] = value.split(':');
  const from = named === '' ? first : /(?:^|,)(?:source|src)=([^,]+)/.exec(named)?.[1];
  const to = named === '' ? second : /(?:^|,)(?:target|destination|dst)=([^,]+)/.exec(named)?.[1];
  if (from === undefined || to === undefined || !to.startsWith('/')) return null;
  const writable = named === '' ? !modes.split(',').includes('ro') : !/(?:^|,)(?:readonly|ro)(?:=true|=1)?(?:,|$)/.test(named);
  return { from, to: to.replace(/\/+$/, ''), writable };
}

function outside(command: Command, mounts: readonly Mount[]): Command {
  const argv = command.invocation.argv.map((word) => {
    const path = word.value ?? word.text;
    const mount = mounts.find(({ to }) => path === to || path.startsWith(`${to}/`));
    if (mount === undefined) return word;
    const text = mount.from.replace(/\/+$/, '') + path.slice(mount.to.length);
    return { ...word, text: text === '' ? '/' : text, value: null, tilde: text.startsWith('~') };
  });
  return { ...command, invocation: { ...command.invocation, argv, redirections: [] } };
}
