/** The packages of a JavaScript project: which managers they are installed with, their scripts, and what they depend on. */
import { join } from 'node:path';
import { parseLocated } from '../../policy/read/located.js';
import { readText } from '../files/read.js';
import type { StarterFolder } from './starter-files.js';

export type Manager = 'npm' | 'pnpm' | 'yarn' | 'bun';

/** A package.json, as far as a starter needs it. Every text in it is a stranger's. */
export interface StarterPackage {
  /** The folder it stands in; empty for the top of the project. */
  readonly path: string;
  readonly managers: readonly Manager[];
  readonly scripts: ReadonlyMap<string, string>;
  readonly dependencies: ReadonlySet<string>;
  /** The files that it installs as programs. */
  readonly programs: readonly string[];
}

const MOST_PACKAGES = 50;
const MOST_SCRIPTS = 500;
const LOCK_FILES: readonly (readonly [file: string, manager: Manager])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
];

/** The packages below a project, the outer ones first; one that cannot be read is a note. */
export function starterPackages(project: string, folders: readonly StarterFolder[], notes: string[]): readonly StarterPackage[] {
  const packages: StarterPackage[] = [];
  const managersOf = new Map<string, readonly Manager[]>();
  for (const { path, files } of folders) {
    const locks = LOCK_FILES.flatMap(([file, manager]) => (files.includes(file) ? [manager] : []));
    const above = managersOf.get(path.includes('/') ? path.slice(0, path.lastIndexOf('/')) : '') ?? [];
    const data = files.includes('package.json') ? packageData(project, path, notes) : null;
    const declared = data === null ? null : declaredManager(data);
    const own = locks.length > 0 ? [...new Set(locks)] : declared === null ? above : [declared];
    managersOf.set(path, own);
    if (data === null || packages.length === MOST_PACKAGES) continue;
    packages.push({
      path,
      managers: own.length > 0 ? own : ['npm'],
      scripts: scriptsOf(data),
      dependencies: dependenciesOf(data),
      programs: programsOf(data),
    });
  }
  return packages;
}

function packageData(project: string, path: string, notes: string[]): unknown {
  const name = path === '' ? 'package.json' : `${path}/package.json`;
  const read = readText(join(project, name), { follow: false });
  if (!read.ok) {
    notes.push(`${name} ${read.message}; it was left out.`);
    return null;
  }
  const located = parseLocated(read.text, 'json');
  if (located.ok) return located.data;
  notes.push(`${name}:${located.problem.line}: ${located.problem.message} Its scripts were left out.`);
  return null;
}

function declaredManager(data: unknown): Manager | null {
  const declared = memberOf(data, 'packageManager');
  const name = typeof declared === 'string' ? /^(npm|pnpm|yarn|bun)@/.exec(declared)?.[1] : undefined;
  return MANAGERS.find((manager) => manager === name) ?? null;
}

const MANAGERS: readonly Manager[] = ['npm', 'pnpm', 'yarn', 'bun'];

function scriptsOf(data: unknown): ReadonlyMap<string, string> {
  const entries = Object.entries(Object(memberOf(data, 'scripts'))).slice(0, MOST_SCRIPTS);
  return new Map(entries.flatMap(([name, text]) => (typeof text === 'string' ? [[name, text.slice(0, 2000)] as const] : [])));
}

function dependenciesOf(data: unknown): ReadonlySet<string> {
  return new Set(['dependencies', 'devDependencies'].flatMap((key) => Object.keys(Object(memberOf(data, key)))));
}

function programsOf(data: unknown): readonly string[] {
  const bin = memberOf(data, 'bin');
  const values = typeof bin === 'string' ? [bin] : Object.values(Object(bin));
  return values.filter((value) => typeof value === 'string').slice(0, MOST_SCRIPTS);
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
}
