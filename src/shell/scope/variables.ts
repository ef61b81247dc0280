/** Variables that change how the shell itself works: what names mean, where it looks, what it evaluates. */

/** bash manual, "Shell Variables"; zsh and the dynamic linker where they differ. Assigning to an integer variable evaluates arithmetic. */
const SPECIAL: ReadonlySet<string> = new Set([
  // where commands, directories and start files are found
  'PATH',
  'HOME',
  'CDPATH',
  'PWD',
  'OLDPWD',
  'DIRSTACK',
  'ENV',
  'ZDOTDIR',
  'FIGNORE',
  'GLOBIGNORE',
  'EXECIGNORE',
  'INPUTRC',
  // how strings are split and evaluated
  'IFS',
  'POSIXLY_CORRECT',
  'SHELLOPTS',
  'SHELL',
  'TIMEFORMAT',
  'TEXTDOMAIN',
  'TEXTDOMAINDIR',
  'PROMPT_COMMAND',
  'MAIL',
  'MAILCHECK',
  'MAILPATH',
  'histchars',
  'auto_resume',
  // integers and other variables with special behaviour
  'RANDOM',
  'SRANDOM',
  'SECONDS',
  'LINENO',
  'OPTIND',
  'OPTARG',
  'OPTERR',
  'FUNCNEST',
  'FUNCNAME',
  'TMOUT',
  'COLUMNS',
  'LINES',
  'UID',
  'EUID',
  'PPID',
  'GROUPS',
  'COMP_WORDBREAKS',
  'COPROC',
  'REPLY',
  // zsh
  'NULLCMD',
  'READNULLCMD',
  'path',
  'fpath',
  'FPATH',
  'cdpath',
  'mailpath',
  'module_path',
  'MODULE_PATH',
  'psvar',
  'prompt',
  'argv',
  'status',
  'signals',
  'options',
  'aliases',
  'functions',
  'commands',
  'builtins',
  'precmd_functions',
  'preexec_functions',
  'chpwd_functions',
  'zshexit_functions',
]);

const SPECIAL_PREFIX = /^(?:BASH|LD_|DYLD_|HIST|PS\d|[RS]?PROMPT\d?$|COMP_)/;

/** Whether assigning this variable changes how the shell works. */
export function isSpecialVariable(name: string): boolean {
  return SPECIAL.has(name) || SPECIAL_PREFIX.test(name);
}

/** The name in a word like `NAME=value`, `NAME+=value`, `NAME[0]` or `NAME`. */
export function assignedName(word: string): string {
  for (let at = 0; at < word.length; at++) {
    const code = word.charCodeAt(at);
    if (code === PLUS || code === EQUALS || code === BRACKET) return word.slice(0, at);
  }
  return word;
}

const PLUS = 43;
const EQUALS = 61;
const BRACKET = 91;

/** Whether the variable affects where `cd` and `~` lead. */
export function movesDirectory(name: string): boolean {
  return name === 'CDPATH' || name === 'HOME' || name === 'PWD' || name === 'OLDPWD';
}

/** Uppercase names that lines use for their own strings; others may belong to the environment that programs read. */
const OWN_CAPITALS: ReadonlySet<string> = new Set(
  (
    'FILE FILES DIR NAME BRANCH SHA COMMIT VERSION TAG COUNT OUT OUTPUT RESULT ROOT BASE MSG MESSAGE LINE KEY VALUE ID URL PR ' +
    'MB MERGE_BASE BASE_SHA HEAD_SHA PREV PREVIOUS LAST LATEST OLD NEW START END TOTAL CHANGED CHANGED_FILES DEFAULT_BRANCH'
  ).split(' '),
);

/** Lowercase names with special behaviour in zsh (zshparam, zshmodules), in addition to those in SPECIAL. */
const ZSH_SMALL: ReadonlySet<string> = new Set(
  (
    'manpath watch fignore pipestatus dirstack history historywords jobdirs jobstates jobtexts keymaps widgets parameters modules ' +
    'mapfile nameddirs userdirs usergroups errnos sysparams termcap terminfo reswords patchars galiases saliases functrace ' +
    'funcstack funcfiletrace funcsourcetrace region_highlight'
  ).split(' '),
);

/**
 * Whether a line may use this name for its own strings: setting it changes nothing for the shell or for programs. Lowercase names
 * or a single capital, since the environment uses capitals; the few lowercase names that programs or zsh read are excluded.
 */
export function isOwnVariable(name: string): boolean {
  if (isSpecialVariable(name) || ZSH_SMALL.has(name)) return false;
  if (/^(?:_$|npm_|dis_|zsh_|zle_|.*_proxy$|.*_functions$)/.test(name)) return false;
  return /^[a-z_][a-z0-9_]*$/.test(name) || /^[A-Z]$/.test(name) || OWN_CAPITALS.has(name);
}
