// What rules/ says, as entries of which a call needs few: src/generated/data.ts holds them all, .ci/rules-pack.mjs packs them for the hook.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { load } from 'js-yaml';
import { filesBelow, moduleOf, root, writeIfChanged } from './files.mjs';

const { filterData } = await moduleOf('src/decide/place/path-prefilter-data.ts');
const { SLOTS, slotOf } = await moduleOf('src/secret/word-slot.ts');
const { triggersByName } = await moduleOf('src/decide/flow/triggers.ts');

/**
 * The files of rules/ and src/runner/NAME/TABLE.yaml → one module of lazily parsed JSON, keyed by path below rules/ without its ending. A file of command grammars
 * becomes one entry per command (`commands/ls`), and one per alias that names its command, so that a call parses only what it needs.
 */
export function generateData() {
  const contents = new Map();
  const enter = (key, content, file) => {
    if (contents.has(key)) throw new Error(`${file}: ${key} is there twice`);
    contents.set(key, content);
  };
  const isYaml = (name) => name.endsWith('.yaml');
  for (const file of [...filesBelow(join(root, 'rules'), isYaml), ...filesBelow(join(root, 'src', 'runner'), isYaml)]) {
    const key = keyOf(file);
    const content = load(readFileSync(file, 'utf8'), { filename: file, maxDepth: 50, maxAliases: 20 });
    if (content.grammar === undefined) {
      enter(key, content, file);
      continue;
    }
    const { commands, ...head } = content;
    for (const [name, entry] of Object.entries(commands)) {
      enter(`commands/${name}`, { ...head, commands: { [name]: entry } }, file);
      for (const alias of [...(entry.aliases ?? []), ...(entry.likewise ?? [])])
        enter(`commands/${alias}`, { alias: name }, file);
    }
  }
  for (const [key, content] of [...contents]) for (const [name, one] of indexOf(key, content)) enter(name, one, key);
  for (const [name, one] of acrossRunners(contents)) enter(name, one, 'rules/tools');
  const entries = [...contents].map(([key, content]) => `  ${JSON.stringify(key)}: ${JSON.stringify(JSON.stringify(content))},`);
  writeIfChanged(
    'src/generated/data.ts',
    `// Generated from rules/ by .ci/build.mjs; do not edit.
const texts: Readonly<Record<string, string>> = {
${entries.join('\n')}
};
${READING}
function textOf(name: string): string | undefined {
  return Object.hasOwn(texts, name) ? texts[name] : undefined;
}

/** Names of the data entries, e.g. \`commands/git\`, but for those of single members of lists. */
export function dataNames(): readonly string[] {
  return Object.keys(texts).filter((name) => !name.startsWith('#'));
}
`,
  );
  return contents;
}

/** `rules/tools/codex.yaml` → `tools/codex`; the tables in the folder of a runner, `src/runner/codex/places.yaml` → `places/codex`. */
function keyOf(file) {
  const path = file.replaceAll('\\', '/').replace(/\.yaml$/, '');
  if (path.startsWith('rules/')) return path.slice('rules/'.length);
  const [runner, table] = path.slice('src/runner/'.length).split('/');
  return `${table}/${runner}`;
}

/**
 * The members of the long lists that a call needs one of, each as an entry of its own: `#tools/codex/shell` (in lower case),
 * `#wrappers/timeout`. A blank in a name is written as `~`.
 */
function indexOf(key, content) {
  if (key === 'commands/wrappers')
    return Object.entries(content.wrappers).map(([name, entry]) => [`#wrappers/${inKey(name)}`, entry]);
  if (key === 'builtin-denials')
    return [...triggersByName(content.entries)]
      .filter(([name]) => !/[\s~]/.test(name))
      .map(([name, spoken]) => [`#builtin/${name}`, spoken]);
  if (key === 'secrets') {
    const listers = content.listers.map((name) => [`#listers/${inKey(name)}`, 1]);
    return [['#firsts/secrets', filterData(patternsIn(content))], ...listers];
  }
  if (key === 'protected') return [['#firsts/protected', filterData([...patternsIn(content.deny), ...patternsIn(content.ask)])]];
  if (key === 'environment') return variablesOf(content);
  if (key === 'git-hazards') return hazardsBySection(content);
  if (key === 'found-names') return foundNames(content);
  if (key === 'runner-starts')
    return Object.values(content.runners).flatMap(({ names, ...start }) =>
      names.map((name) => [`#runner-starts/${inKey(name)}`, start]),
    );
  if (key === 'secret-takers') return takersByName(content);
  if (key === 'same-commands') return sameByName(content);
  if (key === 'keystrokes') return content.runners.map((runner) => [`#keystrokes/${runner}`, 1]);
  if (!key.startsWith('tools/')) return [];
  const { tools, agents: _, ...head } = content;
  const entries = new Map([[`#${key}`, head]]);
  for (const tool of tools) {
    const own = inKey(tool.name.toLowerCase());
    for (const name of [tool.name, ...(tool.aliases ?? [])]) {
      const at = `#${key}/${inKey(name.toLowerCase())}`;
      const one = at.endsWith(`/${own}`) ? tool : { alias: tool.name.toLowerCase() };
      if (entries.has(at)) throw new Error(`${key}: two tools are called ${name}`);
      entries.set(at, one);
    }
  }
  return [...entries];
}

/** See src/command/judge/same-commands.ts: what is said of the commands of one name. */
function sameByName({ same, kinds }) {
  const groups = same.map((line) => line.split(' = '));
  const called = [
    ...groups.flat().map((words) => words.split(' ')[0]),
    ...Object.keys(kinds).flatMap((names) => names.split(' ')),
  ];
  return [...new Set(called)].map((name) => {
    const own = Object.entries(kinds).find(([names]) => names.split(' ').includes(name))?.[1] ?? [];
    const about = groups.filter((group) => group.some((words) => words.split(' ')[0] === name));
    return [`#same-commands/${inKey(name)}`, { same: about, kinds: own.map((names) => names.split(' ')) }];
  });
}

/** See src/secret/takers.ts: the lines of the table by their first words, and which lists (a bit each) have a word in a slot. */
function takersByName({ takers, readers, speakers }) {
  const lines = new Map();
  for (const [words, parts] of Object.entries(takers)) {
    const [names, next] = words.split(' ');
    for (const name of names.split(','))
      lines.set(name, [...(lines.get(name) ?? []), { next: next?.split(',') ?? [], parts: parts.split(' ') }]);
  }
  const lists = [
    [...lines].map(([name, entries]) => [`#takers/${name}`, entries]),
    readers.split(' ').map((name) => [`#readers/${name}`, 1]),
    speakers.split(' ').map((name) => [`#speakers/${name}`, 1]),
  ];
  const slots = new Array(SLOTS).fill(0);
  for (const [bit, list] of lists.entries()) for (const [key] of list) slots[slotOf(key.slice(key.indexOf('/') + 1))] |= 1 << bit;
  return [['#slots/takers', { used: slots.join('') }], ...lists.flat()];
}

/**
 * What the files of rules/tools say together: the catalogue's `coveredBy` turned round (`#reach`), what all runners say about a
 * canonical tool (`#entries/Bash`), and the tool of a name that only runners use (`#foreign/exec`).
 */
function acrossRunners(contents) {
  const { tools } = contents.get('tools/canonical');
  const canonical = new Set(tools.flatMap(({ name, aliases = [] }) => [name, ...aliases]).map((name) => name.toLowerCase()));
  const named = [...contents].filter(([key]) => key.startsWith('tools/') && key !== 'tools/canonical');
  const entries = {};
  const foreign = {};
  for (const tool of named.flatMap(([, file]) => file.tools)) {
    const name = tool.name.toLowerCase();
    const own = tool.canonical ?? tool.name;
    entries[own] = [...(entries[own] ?? []), tool];
    if (canonical.has(own.toLowerCase()) && !canonical.has(name)) foreign[name] = { tool: own };
  }
  const members = (list, of) => Object.entries(of).map(([name, one]) => [`#${list}/${inKey(name)}`, one]);
  return [['#reach', reachOf(tools)], ...members('entries', entries), ...members('foreign', foreign)];
}

/** See src/call/tool-table.ts. */
function reachOf(tools) {
  const turned = (list) => {
    const reached = {};
    for (const { name, coveredBy } of tools)
      for (const other of coveredBy?.[list] ?? []) reached[other] = [...(reached[other] ?? []), name];
    return reached;
  };
  const names = (wanted) => tools.filter(wanted).map(({ name }) => name);
  return {
    names: names(() => true),
    any: turned('any'),
    restrict: turned('restrict'),
    served: Object.fromEntries(tools.flatMap(({ name, server }) => (server === undefined ? [] : [[name, server]]))),
    shells: names(({ subjects = [] }) => subjects.some(({ kind }) => kind === 'command')),
  };
}

const patternsIn = ({ anywhere, home, absolute }) => [...anywhere, ...home, ...absolute];

/** See src/enforce/facts/environment.ts: the names of all variables in one text, the patterns, and each variable as an entry of its own. */
function variablesOf({ variables, harmless }) {
  const patterns = Object.entries(variables).filter(([name]) => name.includes('*'));
  const named = Object.entries(variables).filter(([name]) => !name.includes('*'));
  for (const name of Object.keys(harmless)) if (!named.some(([one]) => one === name)) throw new Error(`${name} affects nothing`);
  return [
    ['#environment', { names: `\n${named.map(([name]) => name).join('\n')}\n`, patterns }],
    ...named.map(([name, affects]) => [`#variables/${inKey(name)}`, { affects, harmless: harmless[name] ?? [] }]),
  ];
}

/** See src/disk/git/repository.ts: an entry for every section of git's configuration. */
function hazardsBySection({ keys, harmless }) {
  const sectionOf = (pattern) => {
    const section = pattern.slice(0, Math.max(0, pattern.indexOf('.')));
    if (!/^[a-z]+$/.test(section)) throw new Error(`git-hazards: ${pattern} names no section`);
    return section;
  };
  return [...new Set(keys.map(sectionOf))].map((section) => {
    const own = Object.entries(harmless).filter(([pattern]) => sectionOf(pattern) === section);
    return [
      `#hazards/${section}`,
      { keys: keys.filter((pattern) => sectionOf(pattern) === section), harmless: Object.fromEntries(own) },
    ];
  });
}

/** See src/command/pathnames/producers.ts: what is said of each command. */
function foundNames({ listers, filters }) {
  const names = new Set([...Object.keys(listers), ...Object.keys(filters)]);
  return [...names].map((name) => [`#found-names/${inKey(name)}`, { lister: listers[name], filter: filters[name] }]);
}

export function inKey(name) {
  if (/[~\n]/.test(name)) throw new Error(`${name} cannot be the name of an entry`);
  return name.replaceAll(' ', '~');
}

/** How both modules read an entry by its name. */
export const READING = `const parsed = new Map<string, unknown>();

/** The content of one entry; undefined when there is none of that name. Parsed once. */
export function data(name: string): unknown {
  const known = parsed.get(name);
  if (known !== undefined) return known;
  const text = textOf(name);
  if (text === undefined) return undefined;
  const content: unknown = JSON.parse(text);
  parsed.set(name, content);
  return content;
}

const members = new Map<string, Map<string, unknown>>();
/** Names come from attackers: of each list so many are remembered, those of no member among them. */
const MOST_NAMES = 2000;

/** The member of that name of a list whose members are entries of their own (\`#wrappers\`); undefined when there is none. */
export function member(list: string, name: string): unknown {
  let known = members.get(list);
  if (known === undefined) {
    known = new Map();
    members.set(list, known);
  }
  const found = known.get(name);
  if (found !== undefined || known.has(name)) return found;
  const content = name.includes('~') ? undefined : data(\`\${list}/\${name.replaceAll(' ', '~')}\`);
  if (known.size >= MOST_NAMES) known.clear();
  known.set(name, content);
  return content;
}
`;
