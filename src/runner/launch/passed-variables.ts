/** The variables of a person's environment that a run passes on to the runner. docs/run-project.md lists them. Pure. */

type Environment = Readonly<Record<string, string | undefined>>;

/** What programs need to find each other, a terminal, a language, a proxy and their own files; a star stands for any end. */
const EVERYWHERE: readonly string[] = [
  ...['PATH', 'HOME', 'USER', 'LOGNAME', 'SHELL', 'TMPDIR', 'TMP', 'TEMP', 'TZ', 'LANG', 'LANGUAGE', 'LC_*', 'XDG_*'],
  ...['TERM', 'TERM_PROGRAM', 'TERM_PROGRAM_VERSION', 'COLORTERM', 'NO_COLOR', 'FORCE_COLOR', 'COLUMNS', 'LINES', 'CI'],
  ...['EDITOR', 'VISUAL', 'PAGER', 'GPG_TTY', 'DISPLAY', 'WAYLAND_DISPLAY', 'DBUS_SESSION_BUS_ADDRESS'],
  ...['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'NO_PROXY', 'http_proxy', 'https_proxy', 'all_proxy', 'no_proxy'],
  ...['SSL_CERT_FILE', 'SSL_CERT_DIR', 'NODE_EXTRA_CA_CERTS'],
  ...['NVM_DIR', 'FNM_DIR', 'VOLTA_HOME', 'PNPM_HOME', 'BUN_INSTALL', 'ASDF_DIR', 'ASDF_DATA_DIR', 'PYENV_ROOT', 'RBENV_ROOT'],
  ...[
    'VIRTUAL_ENV',
    'CONDA_PREFIX',
    'JAVA_HOME',
    'ANDROID_HOME',
    'GOPATH',
    'GOROOT',
    'CARGO_HOME',
    'RUSTUP_HOME',
    'HOMEBREW_PREFIX',
  ],
];

/**
 * Returns the variables that the runner gets; others, such as the keys of a cloud, stay with the person.
 * @param own those that the runner itself reads (Launcher.variables)
 * @param named those that the policy names (`run.environment`)
 */
export function passedVariables(environment: Environment, own: readonly string[], named: readonly string[]): Environment {
  const known = [...EVERYWHERE, ...own, ...named];
  return Object.fromEntries(Object.entries(environment).filter(([name]) => known.some((one) => isNamed(name, one))));
}

function isNamed(name: string, known: string): boolean {
  return known.endsWith('*') ? name.startsWith(known.slice(0, -1)) : name === known;
}
