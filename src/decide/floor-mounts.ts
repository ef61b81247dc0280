/** `docker run -v /:/host alpine rm -rf /host`: what a container does to a folder of the machine that it was given. */
import type { Command } from '../command/command.js';
import type { ShellWord } from '../shell/command-line.js';
import { baseName, flatten } from './floor-names.js';

const RUNTIMES: ReadonlySet<string> = new Set(['docker', 'podman', 'nerdctl']);

interface Mount {
  readonly from: string;
  readonly to: string;
}

/** The commands that containers run, their words as the machine would name the same files. */
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
    const value = (glued ?? argv[at + 1]?.text ?? '').replace(/["']/g, '');
    const named = option === '--mount' ? value : '';
    const from = named === '' ? value.split(':')[0] : /(?:^|,)(?:source|src)=([^,]+)/.exec(named)?.[1];
    const to = named === '' ? value.split(':')[1] : /(?:^|,)(?:target|destination|dst)=([^,]+)/.exec(named)?.[1];
    return from === undefined || to === undefined || !to.startsWith('/') ? [] : [{ from, to: to.replace(/\/+$/, '') }];
  });
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
