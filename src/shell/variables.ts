/** Variables that change how the shell itself works: what a name means, where it looks, what it evaluates. */

/** bash manual, "Shell Variables"; zsh and the dynamic linker where they differ. Assigning an integer one evaluates arithmetic. */
const SPECIAL: ReadonlySet<string> = new Set([
  // where commands, folders and start files are found
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
  // how text is split and evaluated
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
  // integers and other variables with a life of their own
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

/** The name that a word like `NAME=value`, `NAME+=value`, `NAME[0]` or `NAME` is about. */
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

/** Variables that decide where `cd` and `~` lead. */
export function movesDirectory(name: string): boolean {
  return name === 'CDPATH' || name === 'HOME' || name === 'PWD' || name === 'OLDPWD';
}
