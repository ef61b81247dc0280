/** What a repository tests, builds and runs itself with: the commands that a starter policy allows. Every name is untrusted text. */
import { join } from 'node:path';
import { readText } from '../files/read.js';
import { type StarterFolder, starterFolders } from './starter-files.js';
import { type Manager, type StarterPackage, starterPackages } from './starter-packages.js';
import { ownScripts } from './starter-scripts.js';
import { PYTHON_TOOLS, SCRIPT_TOOLS, STACKS } from './starter-stacks.js';

/** Rules for the shell with what they come from. */
export interface StarterGroup {
  /** One line: what the commands are and which file says so. */
  readonly comment: string;
  /** Allow rules. */
  readonly rules: readonly string[];
  /** Ask rules that take something out of them. */
  readonly asks?: readonly string[];
}

export interface StarterCommands {
  readonly groups: readonly StarterGroup[];
  /** Files that could not be read. */
  readonly notes: readonly string[];
}

const OWN_CODE = "They run the repository's own code, which agents may edit.";

/** Scripts that check or build; whatever deploys, publishes or changes what others use is for the user to add. */
const CHECKS =
  /^(?:test|tests|unit|integration|e2e|spec|coverage|lint|stylelint|eslint|typecheck|type-check|types|tsc|check|checks|validate|verify|ci|build|compile|bundle|format|fmt|prettier|codegen|generate|bench|benchmark)(?:[:-][a-z0-9]{1,20}){0,2}$/;
/** Scripts that start the project on this machine. */
const STARTS = /^(?:dev|develop|start|serve|preview|watch|storybook|api|server|dashboard|docs)(?:[:-][a-z0-9]{1,20}){0,2}$/;
const REACHES_OUT = /deploy|publish|release|prod|migrat|push|upload|sync|remote/;
const MOST_SCRIPTS = 24;
const TARGETS = ['test', 'tests', 'check', 'lint', 'typecheck', 'build', 'fmt', 'format', 'dev', 'run', 'docs'];
const MOST_READ = 20;

/** Looks at the files of a repository; nothing is run, and what cannot be read is a note. */
export function starterCommands(project: string, tick?: (what: string) => void): StarterCommands {
  const notes: string[] = [];
  const folders = starterFolders(project, tick);
  const packages = starterPackages(project, folders, notes);
  const names = new Set(folders.flatMap(({ files }) => files));
  const top = folders[0]?.files ?? [];
  const groups: StarterGroup[] = [
    scriptGroup(packages, CHECKS, 'Scripts that test, check and build'),
    scriptGroup(packages, STARTS, 'Scripts that start the project here'),
    scriptTools(packages, names),
    ...STACKS.filter(({ files }) => [...names].some((name) => files.test(name))).map(({ comment, commands }) => ({
      comment,
      rules: shellRules(commands),
    })),
    pythonTools(project, folders, names, notes),
    targets(project, top, ['Makefile', 'makefile', 'GNUmakefile'], 'make', notes),
    targets(project, top, ['justfile', 'Justfile', '.justfile'], 'just', notes),
    scriptFolders(project, folders, packages),
  ];
  return { groups: groups.filter(({ rules }) => rules.length > 0), notes };
}

function shellRules(commands: readonly string[]): readonly string[] {
  return [...new Set(commands)].map((command) => `Bash(${command})`);
}

function scriptGroup(packages: readonly StarterPackage[], wanted: RegExp, what: string): StarterGroup {
  const scripts = new Map<string, Set<Manager>>();
  for (const { scripts: own, managers } of packages)
    for (const name of own.keys()) {
      if (!wanted.test(name) || REACHES_OUT.test(name)) continue;
      if (scripts.size === MOST_SCRIPTS && !scripts.has(name)) continue;
      scripts.set(name, new Set([...(scripts.get(name) ?? []), ...managers]));
    }
  const managers = [...new Set([...scripts.values()].flatMap((some) => [...some]))];
  const commands = managers.flatMap((manager) => {
    const names = [...scripts].filter(([, some]) => some.has(manager)).map(([name]) => name);
    return [...names.flatMap((name) => shortForm(manager, name)), ...names.map((name) => `${manager} run ${name} *`)];
  });
  const from = packages.length > 1 ? `${packages.length} package.json files` : 'package.json';
  return { comment: `${what} (${from}, ${managers.join(' and ')}). ${OWN_CODE}`, rules: shellRules(commands) };
}

/** Without `run`: pnpm and yarn start any script so, npm and bun few of them. */
function shortForm(manager: Manager, name: string): readonly string[] {
  const always = name === 'test' || (name === 'start' && manager !== 'bun');
  return always || manager === 'pnpm' || manager === 'yarn' ? [`${manager} ${name} *`] : [];
}

function scriptTools(packages: readonly StarterPackage[], names: ReadonlySet<string>): StarterGroup {
  const found = SCRIPT_TOOLS.filter(
    ({ dependency, files }) =>
      packages.some(({ dependencies }) => [...dependencies].some((name) => dependency.test(name))) ||
      [...names].some((name) => files.test(name)),
  );
  const managers = new Set(packages.flatMap((one) => one.managers));
  const modules = packages.some(({ scripts }) => [...scripts.values()].some((text) => EXPERIMENTAL.test(text)));
  const commands = found.flatMap((tool) => [
    ...tool.commands.map((command) => `npx ${command}`),
    ...(managers.has('bun') ? tool.commands.map((command) => `bunx ${command}`) : []),
    ...(tool.name === 'jest' && modules ? ['NODE_OPTIONS=--experimental-vm-modules npx jest *'] : []),
  ]);
  const shown = found.map(({ name }) => name).join(', ');
  return { comment: `Tools that the project is configured for (${shown}). ${OWN_CODE}`, rules: shellRules(commands) };
}

/** How jest is told to load modules, in the scripts of a project. */
const EXPERIMENTAL = /NODE_OPTIONS=['"]?--experimental-vm-modules['"]? /;

function pythonTools(
  project: string,
  folders: readonly StarterFolder[],
  names: ReadonlySet<string>,
  notes: string[],
): StarterGroup {
  const told = folders.flatMap(({ path, files }) =>
    files.filter((name) => /^(?:pyproject\.toml|setup\.cfg|tox\.ini|pytest\.ini)$/.test(name)).map((name) => join(path, name)),
  );
  const text = told
    .slice(0, MOST_READ)
    .map((name) => contents(project, name, notes) ?? '')
    .join('\n');
  const found = PYTHON_TOOLS.filter((tool) => tool.text.test(text) || [...names].some((name) => tool.files.test(name)));
  const runners = [...(names.has('uv.lock') ? ['uv run '] : []), ...(names.has('poetry.lock') ? ['poetry run '] : [])];
  const commands = found
    .flatMap((tool) => tool.commands)
    .flatMap((command) => [
      ...runners.map((runner) => `${runner}${command}`),
      command,
      ...(command === 'pytest *' ? ['python -m pytest *', 'python3 -m pytest *'] : []),
    ]);
  return { comment: `Python (${told[0] ?? 'its configuration'}). ${OWN_CODE}`, rules: shellRules(commands) };
}

function targets(
  project: string,
  top: readonly string[],
  files: readonly string[],
  program: string,
  notes: string[],
): StarterGroup {
  const file = files.find((name) => top.includes(name));
  const text = file === undefined ? null : contents(project, file, notes);
  const names = TARGETS.filter(
    (target) => text !== null && new RegExp(`^@?${target}(?:[ \\t][^:=\\n]{0,200})?:(?!=)`, 'm').test(text),
  );
  return {
    comment: `Targets of the ${file}, without further arguments. ${OWN_CODE}`,
    rules: shellRules(names.map((target) => `${program} ${target}`)),
  };
}

function scriptFolders(project: string, folders: readonly StarterFolder[], packages: readonly StarterPackage[]): StarterGroup {
  const { rules, asks } = ownScripts(project, folders, packages);
  return { comment: `Programs and scripts of the project, by folder. ${OWN_CODE}`, rules, asks };
}

/** A regular file's text; null when there is none. */
function contents(project: string, name: string, notes: string[]): string | null {
  const read = readText(join(project, name), { follow: false });
  if (read.ok) return read.text;
  if (read.code !== 'missing') notes.push(`${name} ${read.message}; it was left out.`);
  return null;
}
