// A person with a coding agent on PATH and a project, for tests of `policy doctor`: what `policy install` put there, and how it is changed.
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readdirSync, readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import * as assert from 'uvu/assert';
import { doctor } from '../../../src/audit/doctor/doctor.js';
import type { DoctorReport } from '../../../src/audit/doctor/found/check.js';
import type { DoctorOptions } from '../../../src/audit/doctor/found/options.js';
import { withRealPaths } from '../../../src/audit/gather.js';
import { COMMAND, policy, scratch } from '../../cli/spawned.js';
import { withHooksHere } from '../../hook/answered-here.js';
import { installedAgain } from './installed-again.js';

export interface World {
  readonly home: string;
  readonly project: string;
  readonly machine: string;
  /** Path below the home. */
  write(file: string, text: string): void;
  read(file: string): string;
  change(file: string, from: string | RegExp, to: string): void;
  install(...words: readonly string[]): void;
  examine(more?: Partial<DoctorOptions>): Promise<DoctorReport>;
  /** The same, with hooks that are processes. */
  examineStarted(more?: Partial<DoctorOptions>): Promise<DoctorReport>;
  /** The folder of the installed copy. */
  copy(): string;
}

/** A person with Claude Code on PATH, and a project. */
export function world(client = 'claude'): World {
  const base = realpathSync(
    scratch({
      'home/project/.git/HEAD': 'ref: refs/heads/main\n',
      'home/project/.git/objects/x': '',
      'home/project/.git/refs/x': '',
      'bin/lib/package.json': '{ "name": "@vendor/claude-codex-gemini-copilot", "version": "2.1.400" }\n',
      'bin/lib/cli.js': '',
      'machine/.keep': '',
    }),
  );
  chmodSync(join(base, 'bin/lib/cli.js'), 0o755);
  symlinkSync('lib/cli.js', join(base, 'bin', client));
  const home = join(base, 'home');
  const project = join(home, 'project');
  const file = (name: string) => join(home, name);
  const write = (name: string, text: string) => {
    mkdirSync(dirname(file(name)), { recursive: true });
    writeFileSync(file(name), text);
  };
  const read = (name: string) => readFileSync(file(name), 'utf8');
  const versions = file('.local/share/policy/versions');
  const examineStarted = (more: Partial<DoctorOptions> = {}) =>
    doctor({
      runners: [],
      places: {
        home,
        project,
        machine: join(base, 'machine'),
        environment: { HOME: home, PATH: `${join(base, 'bin')}:/usr/bin:/bin` },
      },
      platform: process.platform,
      userDirectory: file('.config/policy'),
      stateDirectory: file('.local/state/policy'),
      managedDirectory: join(base, 'machine', 'policy'),
      own: withRealPaths({
        node: process.execPath,
        command: COMMAND,
        hook: join(dirname(dirname(COMMAND)), 'dist', 'hook.cjs'),
        versions: [versions],
      }),
      // The whole run loads this file minutes before, and the canary is logged at the time that it is.
      now: Date.now(),
      patience: 30_000,
      ...more,
    });
  return {
    home,
    project,
    machine: join(base, 'machine'),
    write,
    read,
    change: (name, from, to) => {
      const text = read(name);
      assert.is.not(text.replace(from, to), text, `${from} is in ${name}`);
      writeFileSync(file(name), text.replace(from, to));
    },
    install: (...words) => {
      // A busy machine is no finding.
      const deadline = words.includes('--deadline') ? [] : ['--deadline', '25'];
      installedAgain(words, home, () => {
        const { status, stderr } = policy(['install', ...words, ...deadline, '--yes'], { cwd: project, env: { HOME: home } });
        assert.is(status, 0, stderr);
      });
    },
    copy: () => join(versions, readdirSync(versions)[0] ?? ''),
    examineStarted,
    examine: (more) => withHooksHere(() => examineStarted(more)),
  };
}

export const SETTINGS = '.claude/settings.json';
export const LOCAL = 'project/.claude/settings.local.json';

export function problemsOf({ results }: DoctorReport): readonly string[] {
  return results.filter(({ level }) => level === 'problem').map(({ check: id, message }) => `${id}: ${message}`);
}

/** As Codex writes it, worked out here a second time. */
export function trustInCodex({ home, read, write }: Pick<World, 'home' | 'read' | 'write'>): void {
  const file = join(home, '.codex/hooks.json');
  const { hooks } = JSON.parse(read('.codex/hooks.json')) as {
    readonly hooks: Record<string, { matcher?: string; hooks: { command: string; timeout: number }[] }[]>;
  };
  const names: Record<string, string> = {
    SessionStart: 'session_start',
    PreToolUse: 'pre_tool_use',
    PostToolUse: 'post_tool_use',
    SubagentStart: 'subagent_start',
    SubagentStop: 'subagent_stop',
    SessionEnd: 'session_end',
    Stop: 'stop',
  };
  const tables = Object.entries(hooks).flatMap(([event, groups]) =>
    groups.map(({ matcher, hooks: [handler] }, at) => {
      const hook = `{"async":false,"command":${JSON.stringify(handler?.command)},"timeout":${handler?.timeout},"type":"command"}`;
      const text = `{"event_name":"${names[event]}","hooks":[${hook}]${matcher === undefined ? '' : `,"matcher":${JSON.stringify(matcher)}`}}`;
      const hash = createHash('sha256').update(text).digest('hex');
      return `[hooks.state."${file}:${names[event]}:${at}:0"]\ntrusted_hash = "sha256:${hash}"\n`;
    }),
  );
  write('.codex/config.toml', `model = "m"\n\n${tables.join('\n')}`);
}
