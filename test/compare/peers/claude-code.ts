/**
 * Claude Code: the real client, whose model is a program on the loopback interface that calls the shell with one line after the other.
 * Without a person each of its questions is a refusal. Its shell is a script that runs nothing and says that it was started; all of it
 * happens in a sandbox (bubblewrap) without a network, where only the stage can be written.
 */
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import type { Peer, Verdict } from '../peer.js';
import { outputOf } from '../programs.js';
import type { Stage } from '../stage.js';

const VERSION = '2.1.331';
const DRIVER = resolve('build/test/compare/peers/claude-code-session.js');
/** Lines in one session: a conversation is sent again with each turn. */
const AT_A_TIME = 60;
/** Where Debian and others install it. */
const BUBBLEWRAP = '/usr/bin/bwrap';

/** As people write them: the commands that one meets every day, each with any arguments. */
const ALLOW_LIST = [
  'ls',
  'cat',
  'head',
  'tail',
  'grep',
  'rg',
  'find',
  'wc',
  'jq',
  'sed',
  'awk',
  'sort',
  'echo',
  'ps',
  'lsof',
  'curl',
]
  .concat(['mkdir', 'touch', 'cp', 'sleep', 'xargs'])
  .concat(['status', 'diff', 'log', 'show', 'branch', 'add', 'commit', 'fetch', 'stash'].map((verb) => `git ${verb}`))
  .concat(['gh run', 'gh pr', 'gh issue', 'npm test', 'npm run', 'npx tsc', 'npx eslint', 'npx jest', 'node scripts/report.js'])
  .map((words) => `Bash(${words} *)`);

function claudeCode(configuration: string, allow: readonly string[]): Peer {
  return {
    ...{ name: 'Claude Code', version: VERSION, configuration, packages: [`@anthropic-ai/claude-code@${VERSION}`] },
    judge: async (lines, stage, installed) => {
      if (!existsSync(BUBBLEWRAP)) throw new Error('it needs bubblewrap, so that no line can do harm');
      const program = join(installed, `node_modules/@anthropic-ai/claude-code-${process.platform}-${process.arch}/claude`);
      mkdirSync(join(stage.home, '.claude'), { recursive: true });
      writeFileSync(join(stage.home, '.claude/settings.json'), JSON.stringify({ permissions: { allow } }));
      const verdicts: Verdict[] = [];
      for (let at = 0; at < lines.length; at += AT_A_TIME)
        verdicts.push(...(await session(program, lines.slice(at, at + AT_A_TIME), stage)));
      return verdicts;
    },
  };
}

async function session(program: string, lines: readonly string[], stage: Stage): Promise<readonly Verdict[]> {
  const sandbox = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--bind', stage.base, stage.base];
  const args = [...sandbox, '--unshare-all', '--die-with-parent', '--chdir', stage.project, process.execPath, DRIVER, program];
  const input = JSON.stringify(lines);
  const output = await outputOf(BUBBLEWRAP, args, { cwd: stage.project, environment: stage.environment, input });
  return JSON.parse(output) as Verdict[];
}

export const claudeCodeDefault = claudeCode('no rules, mode `default`', []);
export const claudeCodeAllowList = claudeCode(
  `an allow list of ${ALLOW_LIST.length} prefixes such as \`Bash(git log *)\``,
  ALLOW_LIST,
);
