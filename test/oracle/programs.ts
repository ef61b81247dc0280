/** The programs of the sandbox: which are there in person, and which are played by the stub. */

/**
 * Real programs: launchers, whose inner commands must be seen to start, and tools that have a language of their own in which a
 * command or a file to write could hide. All others are the stub, which does nothing.
 */
export const REAL_PROGRAMS = ['bash', 'env', 'xargs', 'find', 'timeout', 'nice', 'nohup', 'setsid', 'stdbuf', 'flock'].concat([
  'sed',
  'awk',
  'sort',
  'uniq',
]);

/** `sh` is dash, as on Debian. */
export const RENAMED_PROGRAMS: Readonly<Record<string, string>> = { sh: 'dash', dash: 'dash' };

/** What a person runs to look at a project; nothing here changes anything without options that the generator does not use for it. */
export const READERS: ReadonlySet<string> = new Set(
  `ls cat head tail wc grep rg sort uniq cut tr nl tac rev diff cmp stat file du df pwd date basename dirname realpath readlink
   find sed which echo printf true false test [ seq uname whoami id comm paste fold od cksum md5sum sha1sum sha256sum tree jq
   strings column expr git env timeout nice nohup stdbuf xargs time`
    .split(/\s+/)
    .filter((name) => name !== ''),
);

/** Subcommands of git that only read. */
export const GIT_READERS: ReadonlySet<string> = new Set([
  'status',
  'log',
  'diff',
  'show',
  'rev-parse',
  'ls-files',
  'blame',
  'describe',
]);

/** Names that stand for a command nobody knows; rules of the oracle's policy allow some of them. */
const MARKERS: readonly string[] = ['P', 'PWNED', 'm1', 'm2', 'zz', 'zzz'];

/** Everything that the stub plays. */
export const STUBS: readonly string[] = [
  ...new Set([
    ...READERS,
    ...MARKERS,
    ...`sudo doas su ssh docker kubectl watch parallel chroot strace busybox script npx npm pnpm yarn node python3 perl ruby
        gh make cargo go tee cp mv rm touch mkdir rmdir ln chmod chown dd truncate tar zip gzip curl wget nc less more man vim
        mapfile foo nope PWN PWN1 ionice chrt unbuffer command kill sleep mktemp install split evil git-x ed ex tput clear`
      .split(/\s+/)
      .filter((name) => name !== ''),
  ]),
].filter((name) => !REAL_PROGRAMS.includes(name) && !Object.hasOwn(RENAMED_PROGRAMS, name));
