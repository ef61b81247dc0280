/** A real shell, locked up: a private root in which every program is a stub, without network, under our own tracer. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import {
  chmodSync,
  copyFileSync,
  cpSync,
  existsSync,
  linkSync,
  mkdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { FILES, HOME, LINKS, PROJECT } from './layout.js';
import { REAL_PROGRAMS, RENAMED_PROGRAMS, STUBS } from './programs.js';
import { readTrace, type Trace } from './trace.js';

/** The shells that lines can be run by; `bash` also tells its own trace. */
export const REAL_SHELLS = ['bash', 'dash', 'zsh'] as const;
export type RealShell = (typeof REAL_SHELLS)[number];

const SOURCES = 'test/oracle/sandbox';
const LOCALE = '/usr/lib/locale/C.utf8';

/** What the sandbox needs, and the Debian package that brings it. */
const NEEDED: readonly (readonly [program: string, debianPackage: string])[] = [
  ['bwrap', 'bubblewrap'],
  ['bash', 'bash'],
  ['dash', 'dash'],
  ['gcc', 'gcc libc6-dev'],
  ['ldd', 'libc-bin'],
  ['awk', 'mawk'],
];

/**
 * Builds the root folder and runs a first line, unless this machine cannot: then a sentence says why, and what to do.
 * @param root where to put the folder; replaced
 */
export async function prepareSandbox(root: string, shell: RealShell = 'bash'): Promise<string | null> {
  const reason = whyNoSandbox(shell);
  if (reason !== null) return reason;
  const sandbox = new Sandbox(root, shell);
  try {
    buildRoot(root, shell);
    const { programs } = await sandbox.run('true; cat a.txt');
    return programs.length === 2 ? null : 'The oracle cannot trace programs here (ptrace).';
  } catch (error) {
    return `The oracle cannot run here: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    sandbox.close();
  }
}

/**
 * Why there can be no sandbox on this machine, as a sentence that says what to do; null when there can be one.
 * Linux only: it rests on user namespaces and seccomp.
 */
function whyNoSandbox(shell: RealShell): string | null {
  if (process.platform !== 'linux') return 'The oracle needs Linux (user namespaces and seccomp).';
  const missing = [...NEEDED, [shell, shell] as const].filter(([program]) => whereIs(program) === null).map(([, name]) => name);
  if (missing.length > 0) return `The oracle needs programs that are not here; on Debian: apt-get install ${missing.join(' ')}`;
  const tried = spawnSync('bwrap', ['--unshare-all', '--ro-bind', '/', '/', '--proc', '/proc', '--dev', '/dev', 'true'], {
    encoding: 'utf8',
  });
  return tried.status === 0 ? null : `bubblewrap cannot make its namespaces here: ${tried.stderr.trim()}`;
}

/** Absolute path of a program of this machine, links resolved; null when there is none. */
function whereIs(program: string): string | null {
  const found = spawnSync('sh', ['-c', 'p=$(command -v "$1") && readlink -f "$p"', 'sh', program], { encoding: 'utf8' });
  return found.status === 0 ? found.stdout.trim() : null;
}

/**
 * Builds the root folder that every sandbox mounts: `usr/bin` with stubs and the few real programs, their libraries, the driver,
 * and `layout` with the files of the project. Throws when a compiler or program fails.
 * @param folder where to put it; replaced
 */
function buildRoot(folder: string, shell: RealShell): void {
  rmSync(folder, { recursive: true, force: true });
  const bin = join(folder, 'usr/bin');
  mkdirSync(bin, { recursive: true });
  compile('driver.c', join(folder, 'driver'));
  compile('stub.c', join(folder, 'stub'));
  const real = new Map<string, string>(REAL_PROGRAMS.map((name) => [name, name]));
  for (const [name, file] of Object.entries(RENAMED_PROGRAMS)) real.set(name, file);
  real.set(shell, shell);
  for (const [name, program] of real) {
    const source = whereIs(program);
    if (source === null) throw new Error(`${program} is not on this machine`);
    copyFileSync(source, join(bin, name));
    chmodSync(join(bin, name), 0o755);
    copyLibraries(source, folder);
  }
  // Without it bash would read bytes instead of characters, unlike anywhere else.
  if (existsSync(LOCALE)) cpSync(LOCALE, join(folder, LOCALE), { recursive: true });
  const modules = shell === 'zsh' ? zshModules() : null;
  if (modules !== null) cpSync(modules, join(folder, modules), { recursive: true });
  for (const name of STUBS) linkSync(join(folder, 'stub'), join(bin, name));
  for (const [path, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, 'layout', path)), { recursive: true });
    writeFileSync(join(folder, 'layout', path), text);
  }
  for (const [path, target] of Object.entries(LINKS)) symlinkSync(target, join(folder, 'layout', path));
}

/** The folder of the modules that zsh loads when it needs them, such as for `=~`; null where they are part of the program. */
function zshModules(): string | null {
  const [folder] = spawnSync('zsh', ['-fc', 'print -r -- $module_path'], { encoding: 'utf8' }).stdout.trim().split(' ');
  return folder?.startsWith('/usr/') && existsSync(folder) ? folder : null;
}

function compile(source: string, target: string): void {
  const made = spawnSync('gcc', ['-O2', '-Wall', '-static', '-o', target, join(SOURCES, source)], { encoding: 'utf8' });
  if (made.status !== 0) throw new Error(`gcc could not build ${source}:\n${made.stderr}`);
}

/** The shared libraries of a program and its loader, at the paths where it looks for them. */
function copyLibraries(program: string, folder: string): void {
  const listed = spawnSync('ldd', [program], { encoding: 'utf8' }).stdout ?? '';
  const libraries = [...listed.matchAll(/(\/\S+) \(0x/g)].map((match) => match[1] ?? '');
  if (basename(program) === 'stdbuf' || program.endsWith('/stdbuf')) libraries.push('/usr/libexec/coreutils/libstdbuf.so');
  for (const library of libraries) {
    const target = join(folder, library.startsWith('/usr/') ? library : `/usr${library}`);
    if (existsSync(target) || !existsSync(library)) continue;
    mkdirSync(dirname(target), { recursive: true });
    copyFileSync(library, target);
    chmodSync(target, statSync(library).mode & 0o777);
  }
}

/** After so many lines a sandbox is replaced by a new one. */
const LINES_PER_SANDBOX = 2000;
/** Lines that are sent ahead of their answers. */
const AHEAD = 16;

interface Waiting {
  readonly line: string;
  readonly settle: (trace: Trace) => void;
  readonly fail: (error: Error) => void;
}

/** One sandbox at a time, fed with lines; answers come in order. */
export class Sandbox {
  private child: ChildProcess | null = null;
  private received: Buffer[] = [];
  private receivedLength = 0;
  private readonly sent: Waiting[] = [];
  private readonly queue: Waiting[] = [];
  private started = 0;

  /** @param root the folder that `buildRoot` made */
  constructor(
    private readonly root: string,
    private readonly shell: RealShell = 'bash',
  ) {}

  /** Runs one line (no NUL in it) and gives what happened; rejects when the sandbox itself fails. */
  run(line: string): Promise<Trace> {
    return new Promise((settle, fail) => {
      this.queue.push({ line, settle, fail });
      this.feed();
    });
  }

  /** Ends the sandbox; lines still waiting are rejected. */
  close(): void {
    this.child?.stdin?.end();
    this.child?.kill('SIGKILL');
    this.child = null;
  }

  private feed(): void {
    while (this.queue.length > 0 && this.sent.length < AHEAD) {
      if (this.child !== null && this.started >= LINES_PER_SANDBOX) {
        if (this.sent.length > 0) return;
        this.close();
      }
      this.child ??= this.start();
      const next = this.queue.shift();
      if (next === undefined) return;
      this.sent.push(next);
      this.started++;
      const text = Buffer.from(next.line, 'utf8');
      this.child.stdin?.write(Buffer.concat([Buffer.from(`${text.length}\n`), text]));
    }
  }

  private start(): ChildProcess {
    this.started = 0;
    const child = spawn('bwrap', bubble(this.root, this.shell), { stdio: ['pipe', 'pipe', 'pipe'], env: {} });
    let complaint = '';
    child.stderr?.on('data', (chunk: Buffer) => {
      complaint = (complaint + chunk.toString('utf8')).slice(-2000);
    });
    child.stdin?.on('error', (error) => {
      complaint += ` ${error.message}`;
    });
    child.stdout?.on('data', (chunk: Buffer) => this.receive(chunk));
    const ended = (how: string) => {
      if (this.child !== child) return;
      this.child = null;
      this.received = [];
      this.receivedLength = 0;
      for (const one of this.sent.splice(0)) one.fail(new Error(`The sandbox ${how}: ${complaint}`));
    };
    child.on('error', ({ message }) => ended(`did not start (${message})`));
    child.on('close', (status) => ended(`ended with status ${status}`));
    return child;
  }

  private receive(chunk: Buffer): void {
    this.received.push(chunk);
    this.receivedLength += chunk.length;
    while (this.receivedLength >= 4) {
      const all = this.received.length === 1 ? chunk : Buffer.concat(this.received);
      this.received = [all];
      const first = this.received[0] ?? all;
      const length = first.readUInt32LE(0);
      if (first.length < 4 + length) return;
      const answer = first.subarray(4, 4 + length);
      const rest = first.subarray(4 + length);
      this.received = rest.length > 0 ? [rest] : [];
      this.receivedLength = rest.length;
      this.sent.shift()?.settle(readTrace(answer));
      if (rest.length > 0) {
        this.received = [];
        this.receivedLength = 0;
        this.receive(rest);
        return;
      }
    }
    this.feed();
  }
}

/** The arguments of bubblewrap: nothing of the host but the root folder, read-only; no capability, no network, no host process. */
function bubble(root: string, shell: RealShell): string[] {
  return [
    '--unshare-all',
    '--die-with-parent',
    '--new-session',
    '--clearenv',
    ...['--uid', '65534', '--gid', '65534', '--cap-drop', 'ALL', '--hostname', 'oracle'],
    ...['--ro-bind', join(root, 'usr'), '/usr', '--symlink', 'usr/bin', '/bin'],
    ...['--symlink', 'usr/lib', '/lib', '--symlink', 'usr/lib64', '/lib64'],
    ...['--ro-bind', join(root, 'driver'), '/driver', '--ro-bind', join(root, 'layout'), '/layout'],
    ...['--proc', '/proc', '--dev', '/dev', '--tmpfs', '/tmp', '--tmpfs', PROJECT, '--tmpfs', HOME],
    ...['--chdir', PROJECT, '/driver', shell],
  ];
}
