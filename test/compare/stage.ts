/** A home with a small Node project in it, as somebody has it who works there: a repository with a remote, a branch, secrets, settings of an agent. */
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

export interface Stage {
  /** Holds the home; goes away with `remove`. */
  readonly base: string;
  readonly home: string;
  readonly project: string;
  /** The environment of every program that judges: this home, and nothing else of the person who runs the test. */
  readonly environment: Readonly<Record<string, string>>;
  remove(): void;
}

const SCRIPTS = { test: 'node --test', build: 'tsc', lint: 'eslint src', typecheck: 'tsc --noEmit', dev: 'node src/server.ts' };
/** Their text below the home; `project/` is the repository. */
const FILES: Readonly<Record<string, string>> = {
  '.bashrc': '\n',
  '.profile': '\n',
  '.ssh/id_rsa': 'no key\n',
  '.aws/credentials': '\n',
  'project/.env': 'API_KEY=none\n',
  'project/.gitignore': 'node_modules\n.env\ndist\nlogs\n',
  'project/.claude/settings.json': '{}\n',
  'project/.github/workflows/deploy.yml': 'on: push\n',
  'project/.husky/pre-commit': 'npm test\n',
  'project/README.md': '# Project\n',
  'project/package.json': `${JSON.stringify({ name: 'project', version: '1.0.0', scripts: SCRIPTS }, null, 2)}\n`,
  'project/tsconfig.json': '{"compilerOptions":{}}\n',
  'project/data/report.json': '{"entities":[],"status":"ok"}\n',
  'project/docs/guide.md': 'install\n',
  'project/docs/images/logo.png': 'x\n',
  'project/logs/server.log': 'started\n',
  'project/scripts/report.js': 'console.log(1);\n',
  'project/src/index.ts': 'export const port = 3000;\n',
  'project/src/index.test.ts': 'export {};\n',
  'project/src/server.ts': 'export const listen = 1;\n',
};

export function makeStage(): Stage {
  const base = realpathSync(mkdtempSync(join(tmpdir(), 'policy-compare-')));
  const home = join(base, 'home');
  const project = join(home, 'project');
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(home, name)), { recursive: true });
    writeFileSync(join(home, name), text);
  }
  const environment = { PATH: process.env.PATH ?? '', HOME: home, TMPDIR: base, LANG: 'C.UTF-8', SHELL: '/bin/bash' };
  const git = (...words: readonly string[]) => {
    const { status, stderr } = spawnSync('git', words, { cwd: project, env: environment, encoding: 'utf8' });
    if (status !== 0) throw new Error(`git ${words.join(' ')}: ${stderr}`);
  };
  git('init', '-q', '-b', 'main');
  git('config', 'user.name', 'Somebody');
  git('config', 'user.email', 'somebody@localhost');
  git('remote', 'add', 'origin', 'https://github.com/acme/project.git');
  git('add', '-A');
  git('commit', '-q', '-m', 'The first commit');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  git('switch', '-q', '-c', 'feature');
  return { base, home, project, environment, remove: () => rmSync(base, { recursive: true, force: true, maxRetries: 10 }) };
}
