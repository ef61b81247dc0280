/** What the rows run with: packages in a folder outside of the project, a scratch folder, and processes, all of which are ended. */
import { type ChildProcess, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';

/** Node 22 runs the suite and the Inspector, which need it. */
const NODE = `node-${process.platform === 'win32' ? 'win' : process.platform}-${process.arch}`;
const OWN = '@modelcontextprotocol';
const PACKAGES = [
  ...[
    `conformance-0.1@npm:${OWN}/conformance@0.1.16`,
    `conformance-0.2@npm:${OWN}/conformance@0.2.0-alpha.12`,
    `${NODE}@22.23.5`,
  ],
  ...['sdk@1.32.2', 'client@2.4.0', 'server@2.4.0', 'node@2.1.2', 'inspector@2.12.0'].map((one) => `${OWN}/${one}`),
  ...['server-everything@2026.8.31', 'server-filesystem@2026.8.31'].map((one) => `${OWN}/${one}`),
];
const CACHE = process.env.POLICY_INTEROP_MCP ?? join(tmpdir(), 'policy-interop-mcp');
export const NODE_22 = join(CACHE, 'node_modules', NODE, 'bin/node');
/** A file of a package. */
export const packaged = (name: string, file: string) =>
  join(CACHE, 'node_modules', name.startsWith('conformance') ? name : `${OWN}/${name}`, file);
/** A script of this folder, beside the packages that it imports. */
export const script = (name: string) => join(CACHE, name);

export const base = realpathSync(mkdtempSync(join(tmpdir(), 'policy-interop-mcp-run-')));
/** The home of every process. */
const home = join(base, 'home');
/** Where it works. */
export const project = join(base, 'project');
for (const folder of [home, project]) mkdirSync(folder);
const environment = { PATH: process.env.PATH ?? '', HOME: home };

export interface Row {
  readonly name: string;
  /** What was counted. */
  readonly seen: string;
  /** What is not as it has to be. */
  readonly wrong: readonly string[];
}

export interface Said {
  /** Null: it took too long. */
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

const children = new Set<ChildProcess>();
let isClosed = false;

function started(command: readonly string[], env: Readonly<Record<string, string>>, cwd: string): ChildProcess {
  if (isClosed) throw new Error('interrupted');
  const [program = '', ...words] = command;
  const child = spawn(program, words, { cwd, env: { ...environment, ...env }, stdio: ['ignore', 'pipe', 'pipe'] });
  children.add(child);
  child.once('close', () => children.delete(child));
  return child;
}

/** Runs a program to its end. */
export async function run(command: readonly string[], seconds: number, cwd = project): Promise<Said> {
  const child = started(command, {}, cwd);
  const said = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const)
    child[name]?.setEncoding('utf8').on('data', (chunk: string) => {
      said[name] += chunk;
    });
  const timer = setTimeout(() => child.kill('SIGKILL'), seconds * 1000);
  const status = await new Promise<number | null>((done) => child.once('close', done));
  clearTimeout(timer);
  return { status, ...said };
}

/** Starts a server over HTTP; resolves to the port that it says. */
export async function listening(command: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string> {
  const child = started(command, env, project);
  let said = '';
  const port = await new Promise<string | undefined>((done) => {
    setTimeout(() => done(undefined), 30_000).unref();
    child.once('close', () => done(undefined));
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (chunk: string) => {
        said = `${said}${chunk}`.slice(0, 10_000);
        const found = /(?:localhost|127\.0\.0\.1|port)[: ](\d+)/.exec(said);
        if (found !== null) done(found[1]);
      });
  });
  if (port === undefined) throw new Error(`${command.join(' ')} does not listen: ${said}`);
  return `http://localhost:${port}/mcp`;
}

/** A port that is free now, for servers that cannot choose one. */
export function freePort(): Promise<string> {
  return new Promise((done) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => done(String(typeof address === 'object' ? address?.port : address)));
    });
  });
}

/** The gateway before a server, with the user's policy of a folder below the home. */
export function gateway(server: string, policy: string, ...more: readonly string[]): readonly string[] {
  const config = join(home, policy.replaceAll(/[^a-z]+/gi, '-').slice(0, 200));
  mkdirSync(config, { recursive: true });
  writeFileSync(join(config, 'policy.yaml'), policy);
  const folders = ['--config-dir', config, '--state-dir', join(home, 'state')];
  return [process.execPath, resolve('bin/policy.js'), 'mcp', 'gateway', '--server', server, ...folders, ...more];
}
export const LISTEN = ['--listen', '127.0.0.1:0', '--no-token'];

/** Installs what is not there yet, and puts the scripts beside it. */
export async function install(): Promise<void> {
  mkdirSync(CACHE, { recursive: true });
  const here = resolve('test/interop/mcp');
  for (const name of readdirSync(here)) if (name.endsWith('.mjs')) cpSync(join(here, name), script(name));
  const [list, mark] = [PACKAGES.join('\n'), join(CACHE, 'installed')];
  if (existsSync(mark) && readFileSync(mark, 'utf8') === list) return;
  writeFileSync(join(CACHE, 'package.json'), '{"private":true}\n');
  const flags = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error'];
  const { status, stderr } = await run([join(dirname(process.execPath), 'npm'), 'install', ...flags, ...PACKAGES], 600, CACHE);
  if (status !== 0) throw new Error(`npm could not install the packages: ${stderr}`);
  writeFileSync(mark, list);
}

/** Ends every process that still runs. The gateways end what they have started. */
export async function endAll(): Promise<void> {
  const ends = [...children].map((child) => new Promise((done) => child.once('close', done)));
  for (const child of children) child.kill();
  const timer = setTimeout(() => [...children].map((child) => child.kill('SIGKILL')), 10_000);
  await Promise.all(ends);
  clearTimeout(timer);
}

/** Ends everything and takes the scratch folder away. */
export async function close(): Promise<void> {
  isClosed = true;
  await endAll();
  rmSync(base, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
}
