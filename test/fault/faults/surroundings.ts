/** Limits, environment, directories: what the client hands down to the hook. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fault, Group } from '../fault.js';
import { type FaultWorld, OWNER } from '../world.js';

function limit(name: string, ulimit: string, more: Partial<Fault> = {}): Fault {
  return { name: `limit: ${name} (ulimit ${ulimit})`, start: () => ({ within: `ulimit ${ulimit}` }), ...more };
}

function environment(name: string, variables: Readonly<Record<string, string>>): Fault {
  return { name: `environment: ${name}`, start: (start) => ({ environment: { ...start.environment, ...variables } }) };
}

/** The line names a program of the system that is not there. */
function missingProgram(what: string, path: RegExp): Fault {
  return { name: `system: no ${what}`, start: ({ line }) => ({ line: line.replace(path, '/nonexistent/program') }) };
}

/** A name space of its own, in which something can be mounted without being root. */
function noNamespaces(): string | null {
  const { status } = spawnSync('unshare', ['-Urm', 'mount', '-t', 'tmpfs', 'none', '/mnt'], { ...OWNER });
  return status === 0 ? null : 'user name spaces are not allowed here';
}

/** What greets in a file that bash may run before a line. */
function greeting({ home }: FaultWorld): void {
  writeFileSync(join(home, '.bashrc'), 'echo welcome\n');
}

/** A shell that traces itself on standard error. */
function noisyEnvironment(name: string, variables: Readonly<Record<string, string>>): Fault {
  return { ...environment(name, variables), noisy: true };
}

export const surroundings: Group = {
  title: 'Surroundings',
  faults: [
    limit('no file descriptors', '-n 3', { noisy: true, notInZsh: true }),
    limit('few file descriptors', '-n 12'),
    limit('some file descriptors', '-n 20'),
    limit('little memory', '-v 200000'),
    limit('no room in files', '-f 0'),
    limit('a small stack', '-s 128'),
    {
      name: 'limit: no further process (ulimit -u 1)',
      ...{ slow: true, noisy: true, notInZsh: true },
      missing: () => (OWNER !== null && process.platform === 'linux' ? null : 'it counts all processes of a user: needs root'),
      // dash knows no `ulimit -u`.
      start: ({ line, shell }) => ({ line: `ulimit -u 1 2>/dev/null || ulimit -p 1\n${line}`, shell }),
    },
    limit('a second of processor time', '-t 1'),
    limit('no room for data', '-d 2000'),
    {
      ...limit('no timers', '-i 0', { ...{ slow: true, hangs: true } }),
      missing: () => (process.platform === 'linux' ? null : 'there is no such limit'),
      plant: ({ node }) => writeFileSync(node, '#!/bin/sh\nexec sleep 60\n'),
    },
    missingProgram('timeout', /\/usr\/bin\/(?:timeout|perl)/),
    missingProgram('env', /\/usr\/bin\/env/),
    {
      name: 'system: no /proc',
      missing: noNamespaces,
      start: () => ({ before: `exec unshare -Urm sh -c 'mount -t tmpfs none /proc && exec "$0" -c "$1"' "$0" "$1"` }),
    },
    {
      name: 'system: no /dev',
      missing: noNamespaces,
      start: () => ({ before: `exec unshare -Urm sh -c 'mount -t tmpfs none /dev && exec "$0" -c "$1"' "$0" "$1"` }),
    },
    {
      name: 'environment: a variable that no program can be started with (200 KB)',
      start: () => ({ within: 'V=$(printf "%200000d" 1); export V' }),
    },
    environment('what programs read on their own', {
      ...{ OPENSSL_CONF: '/dev/full', SSL_CERT_FILE: '/dev/zero', NODE_COMPILE_CACHE: '/dev/null', UV_THREADPOOL_SIZE: '0' },
      ...{ PERL5OPT: '-Mnonexistent', PERL5LIB: '/nonexistent', MALLOC_PERTURB_: '7', TZ: ':/dev/zero', POSIXLY_CORRECT: '1' },
    }),
    limit('no core', '-c 0'),
    environment('NODE_OPTIONS that node refuses', { NODE_OPTIONS: '--no-such-option' }),
    environment('NODE_OPTIONS that load a module', { NODE_OPTIONS: '--require /nonexistent.cjs' }),
    environment('NODE_EXTRA_CA_CERTS, NODE_PATH and a debugger', {
      ...{ NODE_EXTRA_CA_CERTS: '/nonexistent', NODE_PATH: '/nonexistent', NODE_V8_COVERAGE: '/nonexistent', NODE_DEBUG: 'fs' },
    }),
    environment('an empty PATH', { PATH: '' }),
    environment('a PATH into the project', { PATH: '.:bin' }),
    environment('an odd LANG', { LANG: 'xx_XX.UTF-16', LC_ALL: '\u00ff\u00fe' }),
    environment('HOME elsewhere', { HOME: '/nonexistent' }),
    { name: 'environment: HOME unset', start: ({ environment: { HOME: _, ...rest } }) => ({ environment: rest }) },
    environment('TMPDIR missing', { TMPDIR: '/nonexistent' }),
    environment('XDG folders redirected', {
      XDG_CONFIG_HOME: '/nonexistent',
      XDG_STATE_HOME: '/nonexistent',
      XDG_CACHE_HOME: '/nonexistent',
    }),
    environment('IFS of letters', { IFS: 'xit0' }),
    environment('variables that the line itself uses', { r: '0', PATH: '/usr/bin', POLICY_ENVIRONMENT: 'x' }),
    environment('LD_PRELOAD of nothing', { LD_PRELOAD: '/nonexistent.so' }),
    environment('100 KB of variables', Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`V${at}`, 'x'.repeat(1000)]))),
    noisyEnvironment('BASH_ENV, ENV and SHELLOPTS', { BASH_ENV: '/nonexistent', ENV: '/nonexistent', SHELLOPTS: 'xtrace' }),
    {
      ...{ name: 'environment: a file that bash runs first prints a greeting (BASH_ENV)', noisy: true },
      plant: greeting,
      start: ({ environment: given }, { home }) => ({ environment: { ...given, BASH_ENV: join(home, '.bashrc') } }),
    },
    {
      ...{ name: 'environment: no shell around it, and .bashrc prints a greeting', noisy: true },
      plant: greeting,
      start: ({ environment: { SHLVL: _, ...rest } }) => ({ environment: rest }),
    },
    noisyEnvironment('bash traces itself on standard output', { SHELLOPTS: 'xtrace', BASH_XTRACEFD: '1' }),
    { name: 'environment: empty', start: () => ({ environment: {} }) },
    {
      name: 'the working directory was deleted',
      start: (_start, { base }) => ({ before: `mkdir '${base}/gone' && cd '${base}/gone' && rmdir '${base}/gone'` }),
    },
    {
      name: 'the working directory is not readable',
      start: (_start, { base }) => ({ before: `mkdir -p '${base}/dark' && cd '${base}/dark' && chmod 000 .` }),
    },
    {
      name: 'the project was deleted',
      plant: ({ project }) => rmSync(project, { recursive: true }),
      start: (_start, { home }) => ({ cwd: home }),
    },
    { name: 'the project is no repository any more', plant: ({ project }) => rmSync(join(project, '.git'), { recursive: true }) },
    {
      name: "the project's .git is a directory of nothing",
      plant: ({ project }) => [rmSync(join(project, '.git'), { recursive: true }), mkdirSync(join(project, '.git'))],
    },
    { name: 'the file mask forbids everything', start: () => ({ before: 'umask 777' }) },
    { name: 'the lowest priority', start: () => ({ before: 'renice -n 19 -p $$ >/dev/null 2>&1 || :' }) },
  ],
};
