/** Commands in the options, settings and variables of other programs: `rg --pre CMD`, `git -c core.pager=CMD`, `PAGER=CMD man ls`. */
import type { Invocation, ShellWord } from '../../shell/syntax/types.js';

/** Options whose value a program runs; `marked`: only if the value begins with a match, which marks it as a command. */
const OPTIONS: ReadonlyMap<string, { readonly options: readonly string[]; readonly marked?: RegExp }> = new Map([
  ['sort', { options: ['--compress-program'] }],
  ['rg', { options: ['--pre', '--hostname-bin'] }],
  ['split', { options: ['--filter'] }],
  ['man', { options: ['-P', '--pager'] }],
  ['rsync', { options: ['-e', '--rsh', '--rsync-path'] }],
  ['scp', { options: ['-S'] }],
  ['sftp', { options: ['-S'] }],
  ['zip', { options: ['-TT', '--unzip-command'] }],
  ['nodemon', { options: ['-x', '--exec'] }],
  [
    'tar',
    { options: ['-I', '--use-compress-program', '--to-command', '--rsh-command', '-F', '--info-script', '--new-volume-script'] },
  ],
  ['ssh', { options: ['-o'], marked: /^(?:Proxy|Local|KnownHosts)Command[= ]/i }],
  [
    'git',
    {
      options: ['-c'],
      marked:
        /^(?:alias\.[^=]*=!|(?:core\.(?:pager|editor|sshcommand|fsmonitor|askpass)|pager\.[^=]*|sequence\.editor|gpg\.[^=]*program|credential\.[^=]*helper|diff\.[^=]*(?:external|command|textconv)|filter\.[^=]*)=!?)/i,
    },
  ],
]);

/** Words that contain a command after a mark: `tar --checkpoint-action=exec=CMD`, `vim -c '!CMD'`, `less '+!CMD'`. */
const MARKED: ReadonlyMap<string, RegExp> = new Map([
  ['tar', /^--checkpoint-action=exec=/],
  ['vim', /^\+?:?!/],
  ['nvim', /^\+?:?!/],
  ['vi', /^\+?:?!/],
  ['less', /^\+!/],
]);

/** Variables whose values programs run as commands. */
const VARIABLES: ReadonlySet<string> = new Set([
  ...['PAGER', 'MANPAGER', 'GIT_PAGER', 'EDITOR', 'VISUAL', 'GIT_EDITOR', 'GIT_SEQUENCE_EDITOR', 'BROWSER', 'PROMPT_COMMAND'],
  ...[
    'GIT_SSH',
    'GIT_SSH_COMMAND',
    'GIT_PROXY_COMMAND',
    'GIT_EXTERNAL_DIFF',
    'GIT_ASKPASS',
    'SSH_ASKPASS',
    'SUDO_ASKPASS',
    'RSYNC_RSH',
  ],
]);

/** Whether an option or a word of the program may contain a command. */
export function mayHoldCommands(name: string): boolean {
  return OPTIONS.has(name) || MARKED.has(name);
}

/** The commands that an invocation contains as values, one per line; null if there are none. Only ask and deny rules look at them. */
export function commandsInOptions(name: string, { argv, assignments }: Invocation): string | null {
  const texts = assignments.flatMap(({ name: variable, value }) => (VARIABLES.has(variable) && value !== null ? [value] : []));
  const known = OPTIONS.get(name);
  const marked = MARKED.get(name);
  if (known !== undefined) texts.push(...valuesOf(argv, known.options).flatMap((value) => unmarked(value, known.marked)));
  if (marked !== undefined) texts.push(...argv.flatMap(({ value }) => (value === null ? [] : unmarked(value, marked))));
  return texts.length === 0 ? null : texts.join('\n');
}

function unmarked(value: string, mark: RegExp | undefined): readonly string[] {
  if (mark === undefined) return [value];
  return mark.test(value) ? [value.replace(mark, '')] : [];
}

/** Values given as `--pre CMD`, `--pre=CMD`, `-S CMD` or `-SCMD`. */
function valuesOf(argv: readonly ShellWord[], options: readonly string[]): readonly string[] {
  return argv.flatMap(({ value }, at) => {
    if (value === null || !value.startsWith('-')) return [];
    const option = options.find((one) => value === one || value.startsWith(one.startsWith('--') ? `${one}=` : one));
    if (option === undefined) return [];
    const own = value.slice(option.length).replace(/^=/, '');
    return [own === '' ? (argv[at + 1]?.value ?? '') : own];
  });
}
