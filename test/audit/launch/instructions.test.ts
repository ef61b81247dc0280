// What the instruction files of a project bring along, for each client that is started.
import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { broughtAlong } from '../../../src/audit/launch/instructions.js';
import type { RunnerId } from '../../../src/call/tool-call.js';
import { launcherOf } from '../../../src/runner/launched.js';
import { scratch } from '../../cli/spawned.js';

interface World {
  readonly files?: Readonly<Record<string, string>>;
  /** Where each leads, as it is written. */
  readonly links?: Readonly<Record<string, string>>;
  /** Below the project. */
  readonly cwd?: string;
}

/** A sentence each. */
function broughtTo(runner: RunnerId, { files = {}, links = {}, cwd = '' }: World): readonly string[] | string {
  const top = realpathSync(scratch({ 'project/.env': 'x\n', 'home/.ssh/id_rsa': 'x\n', 'home/notes.md': 'x\n' }));
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(top, name)), { recursive: true });
    writeFileSync(join(top, name), text);
  }
  for (const [name, to] of Object.entries(links)) {
    mkdirSync(dirname(join(top, name)), { recursive: true });
    symlinkSync(to, join(top, name));
  }
  const launcher = launcherOf(runner);
  if (launcher === null) throw new Error(runner);
  const project = join(top, 'project');
  const places = { project, home: join(top, 'home'), machine: '', environment: {} };
  const brought = broughtAlong(launcher, places, join(project, cwd));
  return brought.ok ? brought.files.map(({ how }) => how) : brought.message;
}

const LINKED: Readonly<Partial<Record<RunnerId, readonly string[]>>> = {
  'claude-code': [
    ...['CLAUDE.md', 'CLAUDE.local.md', '.claude/CLAUDE.md', 'AGENTS.md', '.claude/AGENTS.md', '.claude/rules/a.md'],
    ...['.claude/rules/deep/a.md', '.claude/output-styles/a.md', '.claude/commands/a.md', '.claude/skills/a/SKILL.md'],
  ],
  codex: ['AGENTS.md', 'AGENTS.override.md'],
  'copilot-cli': [
    ...['AGENTS.md', 'CLAUDE.md', 'GEMINI.md', '.github/copilot-instructions.md', '.github/instructions/a.instructions.md'],
    ...['.claude/rules/a.md', '.claude/commands/a.md'],
  ],
  'gemini-cli': ['GEMINI.md', '.gemini/system.md'],
  opencode: ['AGENTS.md', 'CLAUDE.md'],
  'qwen-code': ['QWEN.md', 'AGENTS.md', '.qwen/QWEN.local.md', '.qwen/rules/a.md', '.qwen/output-language.md', '.qwen/system.md'],
};

test('an instruction file that is a link brings along where it leads, also below the project', () => {
  for (const [runner, names] of Object.entries(LINKED) as [RunnerId, readonly string[]][])
    for (const name of names)
      for (const cwd of ['', 'sub']) {
        const up = '../'.repeat(name.split('/').length - (cwd === '' ? 1 : 0));
        const shown = join(cwd, name);
        assert.equal(
          broughtTo(runner, {
            links: { [join('project', cwd, name)]: `${up}.env` },
            files: { [`project/${join(cwd, 'x')}`]: '' },
            cwd,
          }),
          [`${shown} is a link to .env`],
          `${runner} ${shown}`,
        );
      }
});

test('what lies deep in the folder of a skill is no skill', () => {
  const files = Object.fromEntries(
    Array.from({ length: 300 }, (_, at) => [`project/.claude/skills/a/node_modules/${at}/x/SKILL.md`, '']),
  );
  const links = { 'project/.claude/skills/a/deep/SKILL.md': '../../../../.env' };
  assert.equal(broughtTo('claude-code', { files, links }), []);
});

test('a folder that is a link counts as well', () => {
  assert.equal(broughtTo('claude-code', { links: { 'project/.claude/rules': '../../home' }, files: { 'home/a.md': '' } }), [
    '.claude/rules/a.md is a link to ~/a.md',
    '.claude/rules/notes.md is a link to ~/notes.md',
  ]);
});

const IMPORTING: Readonly<Partial<Record<RunnerId, readonly string[]>>> = {
  'claude-code': ['CLAUDE.md', 'CLAUDE.local.md', 'AGENTS.md', '.claude/rules/a.md', '.claude/CLAUDE.md'],
  'copilot-cli': [
    'AGENTS.md',
    'CLAUDE.md',
    'GEMINI.md',
    '.github/copilot-instructions.md',
    '.github/instructions/a.instructions.md',
    '.claude/rules/a.md',
  ],
  'gemini-cli': ['GEMINI.md'],
  'qwen-code': ['QWEN.md', 'AGENTS.md', '.qwen/QWEN.local.md'],
};

test('an import is found from the folder of the file that names it', () => {
  for (const [runner, names] of Object.entries(IMPORTING) as [RunnerId, readonly string[]][])
    for (const name of names) {
      const path = `${'../'.repeat(name.split('/').length - 1)}.env`;
      assert.equal(
        broughtTo(runner, { files: { [`project/${name}`]: `# A\n\nsee @${path}\n` } }),
        [`${name}:3 imports @${path}`],
        `${runner} ${name}`,
      );
    }
});

test('clients that import nothing, and files that are not read at a start, bring nothing along', () => {
  for (const [runner, name] of [
    ['codex', 'AGENTS.md'],
    ['opencode', 'AGENTS.md'],
    ['qwen-code', '.qwen/rules/a.md'],
    ['claude-code', '.claude/output-styles/a.md'],
    ['claude-code', 'sub/CLAUDE.md'],
    ['claude-code', 'GEMINI.md'],
    ['gemini-cli', 'AGENTS.md'],
  ] as const)
    assert.equal(broughtTo(runner, { files: { [`project/${name}`]: '@.env @../.env @../../.env\n' } }), [], `${runner} ${name}`);
});

test('imports are followed from file to file, and through links in both folders', () => {
  const files = { 'project/CLAUDE.md': '@docs/a.md', 'project/docs/a.md': '\n@b.md', 'project/docs/b.md': '@a.md @../.env' };
  assert.equal(
    broughtTo('claude-code', { files }),
    [
      'CLAUDE.md:1 imports @docs/a.md',
      'docs/a.md:2 imports @b.md',
      'docs/b.md:1 imports @a.md',
      'docs/b.md:1 imports @../.env',
    ].filter((how) => how !== 'docs/b.md:1 imports @a.md'),
  );
  assert.equal(
    broughtTo('claude-code', { files: { 'project/docs/a.md': '@../.env @.env' }, links: { 'project/CLAUDE.md': 'docs/a.md' } }),
    ['CLAUDE.md is a link to docs/a.md', 'CLAUDE.md:1 imports @../.env'],
  );
});

test('what is not there, no regular file, a package or an address is no import', () => {
  const text = '@types/node @scope/package ann@corp.com @docs @docs/ @none.md @/dev/null @https://x.y/z `@.env`\n';
  for (const runner of ['claude-code', 'copilot-cli', 'gemini-cli', 'qwen-code'] as const)
    assert.equal(
      broughtTo(runner, {
        files: { 'project/CLAUDE.md': text, 'project/AGENTS.md': text, 'project/GEMINI.md': text, 'project/docs/a.md': '' },
      }),
      [],
      runner,
    );
});

test('from outside of the project only Claude Code imports, once a person approved that', () => {
  const text = '@~/.ssh/id_rsa\n@../home/notes.md\n';
  const files = { 'project/CLAUDE.md': text, 'project/AGENTS.md': text, 'project/GEMINI.md': text };
  for (const runner of ['claude-code', 'copilot-cli', 'gemini-cli', 'qwen-code'] as const)
    assert.equal(broughtTo(runner, { files }), [], runner);
  const approved = { 'home/.claude.json': '{"projects": {"/x": {"hasClaudeMdExternalIncludesApproved": true}}}' };
  assert.equal(broughtTo('claude-code', { files: { ...files, ...approved } }).slice(0, 2), [
    'CLAUDE.md:1 imports @~/.ssh/id_rsa',
    'CLAUDE.md:2 imports @../home/notes.md',
  ]);
});

test('OpenCode looks for what a pattern names in each folder, wherever the settings lie', () => {
  const named = (file: string, name: string, links: World['links'] = {}) =>
    broughtTo('opencode', {
      files: { [`project/${file}`]: JSON.stringify({ instructions: [name] }), 'project/sub/x.md': 'x\n' },
      ...{ links, cwd: 'sub' },
    });
  assert.equal(named('opencode.json', 'notes.md', { 'project/sub/notes.md': '../.env' }), [
    'opencode.json names sub/notes.md as instructions',
    'sub/notes.md is a link to .env',
  ]);
  assert.equal(named('sub/opencode.json', '.env'), ['sub/opencode.json names .env as instructions']);
});

test('settings of the project may name instruction files', () => {
  const named = (runner: RunnerId, file: string, text: string, more: Readonly<Record<string, string>> = {}) =>
    broughtTo(runner, { files: { [`project/${file}`]: text, ...more } });
  const says = (file: string, name = '.env') => [`${file} names ${name} as instructions`];
  assert.equal(
    named('codex', '.codex/config.toml', 'project_doc_fallback_filenames = ["x", ".env"]\n'),
    says('.codex/config.toml'),
  );
  for (const [runner, file] of [
    ['gemini-cli', '.gemini/settings.json'],
    ['qwen-code', '.qwen/settings.json'],
  ] as const) {
    assert.equal(named(runner, file, '{"context": {"fileName": ["x", ".env"]}}'), says(file));
    assert.equal(named(runner, file, '{"contextFileName": ".env"}'), says(file));
    // The person's own names are no stranger's; what they import may be.
    assert.equal(named(runner, 'A.md', '@.env', { [`home/${file}`]: '{"context": {"fileName": "A.md"}}' }), [
      'A.md:1 imports @.env',
    ]);
    assert.match(named(runner, file, '{') as string, /settings\.json .*, so it is unknown which files it names as instructions$/);
  }
  for (const file of ['opencode.json', '.opencode/opencode.jsonc'])
    for (const name of ['.env', './.e*', '**/.env', '{.env,x}', '.en[v]', '.?nv'])
      assert.equal(
        named('opencode', file, JSON.stringify({ instructions: ['https://x.y/z', 'none.md', name] })),
        says(file),
        `${file} ${name}`,
      );
  assert.equal(named('codex', '.codex/config.toml', 'model_instructions_file = "../.env"\n'), says('.codex/config.toml'));
  assert.equal(named('opencode', 'opencode.json', '{"agent": {"a": {"prompt": "{file:./.env}"}}}'), says('opencode.json'));
  assert.equal(
    named('opencode', '.opencode/opencode.json', '// {file:~/notes.md}\n{}'),
    says('.opencode/opencode.json', '~/notes.md'),
  );
  for (const [runner, file, name] of [
    ['gemini-cli', '.gemini/.env', 'GEMINI_SYSTEM_MD'],
    ['gemini-cli', 'x.env', 'GEMINI_SYSTEM_MD'],
    ['qwen-code', '.qwen/.env', 'QWEN_SYSTEM_MD'],
  ] as const)
    assert.equal(named(runner, file, `A=1\nexport ${name}="~/notes.md"\n`), file === 'x.env' ? [] : says(file, '~/notes.md'));
  assert.equal(named('opencode', 'opencode.json', '{"instructions": ["~/notes.md"]}'), says('opencode.json', '~/notes.md'));
});

test('where it cannot be told, a sentence says why', () => {
  const many = Array.from({ length: 201 }, (_, at) => `a${at}.md`);
  const files = Object.fromEntries(many.map((name) => [`project/${name}`, '']));
  assert.is(
    broughtTo('claude-code', { files: { ...files, 'project/CLAUDE.md': many.map((name) => `@${name}\n`).join('') } }),
    'the instruction files include more than 200 files',
  );
  assert.is(
    broughtTo('claude-code', { files: { 'project/CLAUDE.md': '@a '.repeat(10_001) } }),
    'CLAUDE.md holds too many @, so its imports are unknown',
  );
  assert.match(
    broughtTo('claude-code', { files: { 'project/CLAUDE.md': 'x'.repeat(4 * 1024 * 1024 + 1) } }) as string,
    /^CLAUDE\.md is larger than 4194304 bytes, so /,
  );
  const rules = Object.fromEntries(Array.from({ length: 10_001 }, (_, at) => [`project/.claude/rules/${at}`, '']));
  assert.match(broughtTo('claude-code', { files: rules }) as string, /\.claude\/rules has more than 10000 entries$/);
});

test('bytes that are no UTF-8 hide no import, and a name cannot forge a line', () => {
  for (const bytes of [Buffer.from([0xff, 0x0a, ...Buffer.from('@.env')]), Buffer.from('\ufeff@.env', 'utf16le')])
    assert.equal(broughtTo('claude-code', { files: { 'project/CLAUDE.md': bytes as unknown as string } }).length, 1);
  const [how] = broughtTo('claude-code', { files: { 'project/.claude/rules/x\nfix.md': '@../../.env' } });
  assert.is(how, '".claude/rules/x\\nfix.md":1 imports @../../.env');
});

test.run();
