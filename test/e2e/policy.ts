/** `policy` as a person types it who uses a client: in the folder of the project, with the client on PATH. */
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { runnerNamed } from '../../src/runner/runners.js';
import type { Client, Scope } from './client.js';

export interface Said {
  readonly status: number | null;
  readonly text: string;
}

/** A file of settings and the folder around it, before anybody installed a hook. */
interface Found {
  readonly text: string | null;
  readonly beside: readonly string[];
}

export interface Folders {
  readonly home: string;
  readonly project: string;
  readonly path: string;
}

/** Somebody who installs the hook for a client and takes it out again. */
export interface Person {
  /** The settings that the hook goes into. */
  readonly file: string;
  /**
   * Throws when it fails.
   * @param program the entry of another build of `policy`; without it, this one
   */
  install(program?: string): void;
  doctor(): Said;
  /** `policy init` in the project. */
  init(): void;
  /** `policy mcp install`. */
  wrap(): void;
  /** Takes it out; then null when the settings are byte for byte what they were before, else what is different. */
  uninstall(): string | null;
}

/** How somebody installs it. */
export interface Wish {
  readonly scope: Scope;
  /** Seconds that the hook may take; null: what is shipped. */
  readonly deadline: number | null;
  readonly sandbox?: boolean;
}

/** @param path as in the variable PATH */
export function personOf(client: Client, { scope, deadline, sandbox = false }: Wish, { home, project, path }: Folders): Person {
  const place = runnerNamed(client.runner)?.places[scope]?.path ?? '';
  const file = join(scope === 'user' ? home : project, place);
  const found = look(file);
  const run = (program: string, words: readonly string[]): Said => {
    const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], {
      ...{ cwd: project, env: { HOME: home, PATH: path }, encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
    });
    return { status, text: stdout + stderr };
  };
  const here = resolve('bin/policy.js');
  const must = (program: string, ...words: readonly string[]): void => {
    const { status, text } = run(program, words);
    if (status !== 0) throw new Error(`policy ${words.join(' ')}: ${text}`);
  };
  const patience = deadline === null ? [] : ['--deadline', String(deadline)];
  return {
    file,
    install: (program = here) =>
      must(program, 'install', client.runner, `--${scope}`, '--yes', ...patience, ...(sandbox ? ['--sandbox'] : [])),
    doctor: () => run(here, ['doctor', client.runner]),
    init: () => must(here, 'init', '--yes'),
    wrap: () => must(here, 'mcp', 'install', client.runner, '--yes'),
    uninstall: () => {
      must(here, 'uninstall', client.runner, '--yes');
      return difference(found, look(file), basename(file));
    },
  };
}

function look(file: string): Found {
  return {
    text: existsSync(file) ? readFileSync(file, 'latin1') : null,
    beside: existsSync(dirname(file)) ? readdirSync(dirname(file)) : [],
  };
}

function difference(found: Found, now: Found, name: string): string | null {
  if (now.text !== found.text) return `${name} was ${JSON.stringify(found.text)} and is ${JSON.stringify(now.text)}`;
  // What the client disconnected beside it is none of ours.
  const kept = now.beside.filter((one) => one.includes(name) && one.includes('policy') && !found.beside.includes(one));
  return kept.length === 0 ? null : `beside ${name} there is ${kept.join(', ')}`;
}
