/** What a repository tests and builds itself with: the commands that a starter policy allows. Every name is a stranger's text. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { parseLocated } from '../policy/located.js';
import { readText } from './read-file.js';

/** Allow rules for the shell with what they come from. */
export interface StarterGroup {
  /** One line: what the commands are and which file says so. */
  readonly comment: string;
  readonly rules: readonly string[];
}

export interface StarterCommands {
  readonly groups: readonly StarterGroup[];
  /** Files that could not be read. */
  readonly notes: readonly string[];
}

/** Scripts that check or build; whatever deploys, publishes or starts servers is for the user to add. */
const SCRIPT = /^(?:test|lint|typecheck|type-check|check|build|format)(?:[:-][a-z0-9]{1,20})?$/;
const REACHES_OUT = /deploy|publish|release|prod|migrat|push|upload/;
const MOST_SCRIPTS = 12;
const TARGETS = ['test', 'check', 'lint', 'typecheck', 'build', 'fmt'];
const LOCK_FILES: readonly (readonly [file: string, manager: string])[] = [
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['package-lock.json', 'npm'],
  ['npm-shrinkwrap.json', 'npm'],
];

/** Looks at the top of a repository; nothing is run, and what cannot be read is a note. */
export function starterCommands(project: string): StarterCommands {
  const notes: string[] = [];
  const groups = [packageScripts(project, notes), ...languages(project, notes), makeTargets(project, notes)];
  return { groups: groups.filter((group) => group !== null && group.rules.length > 0).map((group) => group ?? NONE), notes };
}

const NONE: StarterGroup = { comment: '', rules: [] };

function packageScripts(project: string, notes: string[]): StarterGroup | null {
  const text = contents(project, 'package.json', notes);
  if (text === null) return null;
  const located = parseLocated(text, 'json');
  if (!located.ok) {
    notes.push(`package.json:${located.problem.line}: ${located.problem.message} Its scripts were left out.`);
    return null;
  }
  const lock = LOCK_FILES.find(([file]) => existsSync(join(project, file)));
  const manager = lock?.[1] ?? declaredManager(located.data) ?? 'npm';
  const names = Object.keys(Object(memberOf(located.data, 'scripts')))
    .filter((name) => SCRIPT.test(name) && !REACHES_OUT.test(name))
    .slice(0, MOST_SCRIPTS);
  const short = names.includes('test') ? [`Bash(${manager} test *)`] : [];
  const from = lock === undefined ? 'package.json' : `package.json and ${lock[0]}`;
  return {
    comment: `Scripts that test, check and build (${from}). They run the repository's own code.`,
    rules: [...short, ...names.map((name) => `Bash(${manager} run ${name} *)`)],
  };
}

function declaredManager(data: unknown): string | null {
  const declared = memberOf(data, 'packageManager');
  return (typeof declared === 'string' && /^(npm|pnpm|yarn|bun)@/.exec(declared)?.[1]) || null;
}

function languages(project: string, notes: string[]): StarterGroup[] {
  const groups: StarterGroup[] = [];
  if (existsSync(join(project, 'Cargo.toml')))
    groups.push({
      comment: 'Rust (Cargo.toml).',
      rules: [
        'Bash(cargo test *)',
        'Bash(cargo check *)',
        'Bash(cargo clippy *)',
        'Bash(cargo build *)',
        'Bash(cargo fmt --check)',
      ],
    });
  if (existsSync(join(project, 'go.mod')))
    groups.push({
      comment: 'Go (go.mod).',
      rules: ['Bash(go test ./...)', 'Bash(go vet ./...)', 'Bash(go build ./...)', 'Bash(gofmt -l .)'],
    });
  const python = pythonGroup(project, notes);
  if (python !== null) groups.push(python);
  return groups;
}

function pythonGroup(project: string, notes: string[]): StarterGroup | null {
  const names = ['pyproject.toml', 'pytest.ini', 'tox.ini', 'setup.cfg', 'conftest.py'].filter((name) =>
    existsSync(join(project, name)),
  );
  const [first] = names;
  if (first === undefined) return null;
  const text = names.map((name) => contents(project, name, notes) ?? '').join('\n');
  const tests = /pytest/.test(text) || names.some((name) => name === 'pytest.ini' || name === 'conftest.py');
  const runner = existsSync(join(project, 'uv.lock'))
    ? ['Bash(uv run pytest *)']
    : ['Bash(pytest *)', 'Bash(python -m pytest *)'];
  const rules = [
    ...(tests ? runner : []),
    ...(/\[tool\.ruff/.test(text) ? ['Bash(ruff check *)'] : []),
    ...(/\[tool\.mypy|^\[mypy\]/m.test(text) ? ['Bash(mypy *)'] : []),
  ];
  return { comment: `Python (${first}).`, rules };
}

function makeTargets(project: string, notes: string[]): StarterGroup | null {
  const text = contents(project, 'Makefile', notes);
  if (text === null) return null;
  const targets = TARGETS.filter((target) => new RegExp(`^${target}[ \\t]*:(?!=)`, 'm').test(text));
  return {
    comment: 'Targets of the Makefile, without further arguments.',
    rules: targets.map((target) => `Bash(make ${target})`),
  };
}

/** A regular file's text; null when there is none. */
function contents(project: string, name: string, notes: string[]): string | null {
  const read = readText(join(project, name), { follow: false });
  if (read.ok) return read.text;
  if (read.code !== 'missing') notes.push(`${name} ${read.message}; it was left out.`);
  return null;
}

function memberOf(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name)
    ? Object.getOwnPropertyDescriptor(value, name)?.value
    : undefined;
}
