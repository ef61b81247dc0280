/** How each real client is started: the table of plans.json, and what no plan may ever hold. */
import { readFileSync } from 'node:fs';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { RunnerId } from '../../../src/call/tool-call.js';
import { launch as claudeCodeLauncher } from '../../../src/runner/claude-code/launch.js';
import { launch as codexLauncher } from '../../../src/runner/codex/launch.js';
import { launch as copilotCliLauncher } from '../../../src/runner/copilot-cli/launch.js';
import { launch as geminiCliLauncher } from '../../../src/runner/gemini-cli/launch.js';
import { LaunchRefused } from '../../../src/runner/launch/launch-refused.js';
import {
  knownFlags,
  type LaunchedAgent,
  type LaunchRequest,
  type ProjectServers,
  type Reach,
} from '../../../src/runner/launch/launcher.js';
import { LAUNCHED_RUNNERS, launcherOf } from '../../../src/runner/launched.js';
import { helpText, versionsOf } from './help-texts.js';
import { plansTable, type Row, rowOf } from './table.js';

const REVIEWER: LaunchedAgent = {
  name: 'reviewer',
  instructions: 'Look, and tell.',
  isOwn: false,
  tools: ['Read', 'Bash(git *)'],
};

test('every runner, version and reach: exactly this command line', () => {
  const expected = JSON.parse(readFileSync('test/runner/launch/plans.json', 'utf8')) as Record<string, Row>;
  const actual = plansTable();
  assert.equal(Object.keys(actual), Object.keys(expected));
  for (const [name, row] of Object.entries(actual)) assert.equal(row, expected[name], name);
});

/** The flags after which a client asks nobody about anything; exactly, or as the beginning of a word. */
const FORBIDDEN = [
  /^--dangerously/,
  /^--yolo/,
  /^-y$/,
  /^yolo$/,
  /=yolo$/,
  /^bypassPermissions$/,
  /=bypassPermissions$/,
  /^--allow-all$/,
];
const FORBIDDEN_TOO = [
  /^--allow-all-tools/,
  /^--full-access/,
  /^--allow-dangerously/,
  /^--bare$/,
  /^--safe-mode$/,
  /^--pure$/,
  /^--ignore-(?!rules$)/,
];

/** Requests that differ in everything that a launcher looks at. */
function* requests(goal: string | null): Generator<LaunchRequest> {
  const agents = [null, REVIEWER, { ...REVIEWER, isOwn: true }, { ...REVIEWER, instructions: '--yolo', tools: ['--yolo'] }];
  for (const reach of ['read', 'write', 'full'] as const)
    for (const agent of agents)
      for (const model of [null, 'm1'])
        for (const settings of [null, '/run/settings.json'])
          for (const withoutProject of [null, ['/p', '/']])
            yield { reach, agent, model, settings, goal, withoutProject, extra: ['--extra'] };
}

/** A help text with some of the definitions of a real one left out; `bits` says which. */
function thinned(text: string, bits: number): string {
  let nth = 0;
  return text
    .split('\n')
    .filter((line) => !/^ {0,8}-/.test(line) || ((bits >> (nth++ % 24)) & 1) === 1)
    .join('\n');
}

/** Numbers that look like chance, the same each time. */
function* bitsOf(count: number): Generator<number> {
  let state = 0x2545f491;
  for (let nth = 0; nth < count; nth += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    yield state >>> 0;
  }
}

const GOALS = ['--yolo', '-p', '--', 'two\n--allow-all\nlines', 'it\'s "quoted"', 'Fix it'];

test('no plan over any subset of the flags holds a flag that switches questions or hooks off, and the goal is one last word', () => {
  let plans = 0;
  for (const runner of LAUNCHED_RUNNERS)
    for (const version of versionsOf(runner))
      for (const bits of [0xffffff, 0, ...bitsOf(12)]) {
        const knows = knownFlags(thinned(helpText(runner, version), bits));
        for (const goal of [...GOALS, null])
          for (const request of requests(goal)) {
            const words = planned(runner, request, knows);
            if (words === null) continue;
            plans += 1;
            const what = `${runner} ${version} ${JSON.stringify(request)}: ${JSON.stringify(words)}`;
            const own = goal === null ? words : words.slice(0, -1);
            for (const word of own)
              assert.not.ok(
                [...FORBIDDEN, ...FORBIDDEN_TOO].some((pattern) => pattern.test(word)),
                `${word} in ${what}`,
              );
            if (goal === null) continue;
            const last = words.at(-1) ?? '';
            if (last.startsWith('--prompt=')) assert.ok(last.endsWith(goal), what);
            else {
              assert.ok(last.endsWith(goal), what);
              assert.is(words.at(-2), '--', what);
            }
          }
      }
  assert.ok(plans > 10_000, `${plans} plans`);
});

function planned(runner: (typeof LAUNCHED_RUNNERS)[number], request: LaunchRequest, knows: ReturnType<typeof knownFlags>) {
  try {
    return launcherOf(runner)?.plan(request, knows).arguments ?? null;
  } catch (error) {
    if (error instanceof LaunchRefused) return null;
    throw error;
  }
}

test('the name of a model or an agent that could be taken for a flag is refused', () => {
  for (const runner of LAUNCHED_RUNNERS) {
    const [newest = ''] = versionsOf(runner);
    for (const model of ['-m', '--yolo', '', ' m', 'two\nlines', '\u001b[31m'])
      assert.match(
        rowOf(runner, newest, 'write', { model }).refused ?? '',
        'cannot be passed with --model',
        `${runner} ${model}`,
      );
  }
  for (const runner of ['claude-code', 'copilot-cli'] as const) {
    const [newest = ''] = versionsOf(runner);
    const agent = { ...REVIEWER, name: '--yolo', isOwn: true };
    assert.match(rowOf(runner, newest, 'write', { agent }).refused ?? '', 'cannot be passed with --agent');
  }
});

/** What is added so that nothing of the project counts; nothing for a client that cannot. */
const CLEAN: Readonly<Record<string, readonly string[]>> = {
  'claude-code': ['--setting-sources', 'user'],
  codex: [
    ...[
      '-c',
      'projects={"/p \\"q\\"/r"={trust_level="untrusted"},"/p \\"q\\""={trust_level="untrusted"},"/"={trust_level="untrusted"}}',
    ],
    ...['-c', 'project_doc_max_bytes=0', '-c', 'skills.include_instructions=false', '--ignore-rules'],
  ],
  'copilot-cli': ['--no-custom-instructions'],
  opencode: ['OPENCODE_DISABLE_PROJECT_CONFIG', 'OPENCODE_DISABLE_CLAUDE_CODE', 'OPENCODE_DISABLE_EXTERNAL_SKILLS'],
};

test('what leaves out the project is added to the command line, and nothing else changes', () => {
  const withoutProject = ['/p "q"/r', '/p "q"', '/'];
  for (const runner of LAUNCHED_RUNNERS) {
    const [newest = ''] = versionsOf(runner);
    for (const goal of ['Fix it', null])
      for (const reach of ['read', 'write', 'full'] as const) {
        const [judged, clean] = [null, withoutProject].map((one) => rowOf(runner, newest, reach, { goal, withoutProject: one }));
        const words = ({ arguments: all = [], environment = {} }: Row) => [...all, ...Object.keys(environment)];
        const before = words(judged ?? {});
        const added = words(clean ?? {}).filter((word) => word === '-c' || !before.includes(word));
        // `codex` itself, with a person, has no such flag.
        const expected = (CLEAN[runner] ?? []).filter((word) => goal !== null || word !== '--ignore-rules');
        const codexModes = runner === 'codex' && goal !== null ? ['-c'] : [];
        assert.equal([...added].sort(), [...expected, ...codexModes].sort(), `${runner} ${reach} ${goal}`);
      }
  }
});

/** R122-R130: what the client does not know is neither passed nor left out silently. */
const FAKES: readonly (readonly [what: string, help: string, reach: Reach, end: Row])[] = [
  [
    '0.42 has a sandbox, and its --full-auto is not used',
    helpText('codex', '0.42.0'),
    'write',
    {
      arguments: 'exec --json --skip-git-repo-check --sandbox workspace-write -c approval_policy=never -- Fix it'.split(
        / (?!it$)/,
      ),
    },
  ],
  [
    'no sandbox, but --full-auto: it may write in the project (R128)',
    'Options:\n      --json\n      --skip-git-repo-check\n      --full-auto\n',
    'write',
    {
      arguments: 'exec --json --skip-git-repo-check --full-auto -c approval_policy=never -- Fix it'.split(/ (?!it$)/),
      notes: ['substituted --full-auto for --sandbox workspace-write, which this version does not know (openai/codex#4351)'],
    },
  ],
  [
    'no sandbox and no --full-auto: a note (R129)',
    'Options:\n      --json\n      --skip-git-repo-check\n',
    'write',
    {
      arguments: 'exec --json --skip-git-repo-check -c approval_policy=never -- Fix it'.split(/ (?!it$)/),
      notes: ['skipped --sandbox workspace-write: this version does not know it; the sandbox is what its configuration says'],
    },
  ],
  [
    'no sandbox: an agent that only reads is refused, --full-auto or not (R128)',
    'Options:\n      --json\n      --full-auto\n',
    'read',
    {
      refused:
        'this version of codex has no --sandbox, so a read-only run cannot be kept from writing; install a newer codex (openai/codex#4351)',
    },
  ],
  [
    'a text that speaks of --sandbox does not have it',
    'Options:\n      --json\n          Was used with --sandbox\n          --sandbox was another\n',
    'read',
    {
      refused:
        'this version of codex has no --sandbox, so a read-only run cannot be kept from writing; install a newer codex (openai/codex#4351)',
    },
  ],
  [
    'without --json in its help it is passed all the same, with a note (R125)',
    'Options:\n  -s, --sandbox <SANDBOX_MODE>\n      --skip-git-repo-check\n',
    'read',
    {
      arguments: 'exec --json --skip-git-repo-check --sandbox read-only -c approval_policy=never -- Fix it'.split(/ (?!it$)/),
      notes: [
        'codex exec --help does not name --json (openai/codex#4351); it is passed all the same, since the stream is read from it',
      ],
    },
  ],
  [
    'flags that come back are used again (R130)',
    'Options:\n  -s, --sandbox <MODE>\n      --json\n      --skip-git-repo-check\n      --full-auto\n',
    'full',
    {
      arguments: 'exec --json --skip-git-repo-check --sandbox danger-full-access -c approval_policy=never -- Fix it'.split(
        / (?!it$)/,
      ),
    },
  ],
];

for (const [what, help, reach, end] of FAKES)
  test(`codex: ${what}`, () => {
    const request: LaunchRequest = { reach, model: null, goal: 'Fix it', agent: null, settings: null, extra: [] };
    let row: Row;
    try {
      const { arguments: words, notes } = codexLauncher.plan(request, knownFlags(help));
      assert.is(words[1], '--json');
      row = { arguments: words, ...(notes.length > 0 && { notes }) };
    } catch (error) {
      assert.instance(error, LaunchRefused);
      row = { refused: (error as LaunchRefused).message };
    }
    assert.equal(row, end);
  });

/** Goals, and whether Gemini CLI and Qwen Code would carry them out as a slash command, without the hook (tried: 0.61.0, 0.24.4). */
const SLASHED: readonly (readonly [goal: string, isCommand: boolean])[] = [
  ['/hi', true],
  ['/hi there', true],
  ['/ hi', true],
  ['  /hi', true],
  ['/hi\nthere', true],
  ['/git:commit now', true],
  ['/hooks disable-all', true],
  ['/etc is wrong, fix it', true],
  ['/etc/hosts is wrong, fix it', false],
  ['// is no comment in JSON, fix it', false],
  ['/* is not closed in x.c', false],
  ['fix what /hi does', false],
  ['!{touch x}', false],
  ['/', false],
];
for (const [goal, isCommand] of SLASHED)
  test(`a goal ${JSON.stringify(goal)} is ${isCommand ? 'refused where it would be a slash command' : 'passed on'}`, () => {
    for (const runner of LAUNCHED_RUNNERS) {
      const { refused, arguments: words } = rowOf(runner, versionsOf(runner)[0] ?? '', 'write', { goal });
      const isRefused = isCommand && (runner === 'gemini-cli' || runner === 'qwen-code');
      if (isRefused) assert.match(refused ?? '', /takes a goal that begins with \/\S+ for a slash command/, runner);
      else assert.ok(words?.at(-1)?.endsWith(goal), runner);
    }
  });

test('so are the instructions of an agent where they come before the goal', () => {
  const agent = { ...REVIEWER, instructions: '/hi', tools: null };
  assert.match(rowOf('gemini-cli', '0.61.0', 'write', { agent }).refused ?? '', /begins with \/hi for/);
  assert.is(rowOf('qwen-code', '0.24.4', 'write', { agent }).refused, undefined, 'there they are a flag of their own');
  assert.is(rowOf('gemini-cli', '0.61.0', 'write', { agent, goal: null }).refused, undefined, 'a person works with it');
});

const SERVERS: ProjectServers = {
  files: ['/p/file'],
  servers: [
    { name: 'a', file: '/p/file', isRemote: false },
    { name: 'b', file: '/p/other', isRemote: true },
  ],
  ...{ own: ['mine', 'A', '--yolo'], unread: null },
};
const SERVER_ROWS: readonly (readonly [runner: RunnerId, words: readonly string[], content: string | undefined])[] = [
  ['claude-code', ['--strict-mcp-config'], undefined],
  [
    'codex',
    ['-c', 'mcp_servers.a={command="true",enabled=false}', '-c', 'mcp_servers.b={url="http://127.0.0.1:9/",enabled=false}'],
    undefined,
  ],
  ['copilot-cli', ['--disable-mcp-server=a', '--disable-mcp-server=b'], undefined],
  ['gemini-cli', ['--allowed-mcp-server-names=mine'], undefined],
  ['opencode', [], '{"mcp":{"a":{"enabled":false},"b":{"enabled":false}}}'],
];
for (const [runner, wanted, content] of SERVER_ROWS)
  test(`${runner}: servers of the project that nobody named are left out, and a note says so`, () => {
    const version = versionsOf(runner)[0] ?? '';
    const plain = rowOf(runner, version, 'write');
    const row = rowOf(runner, version, 'write', { projectServers: SERVERS });
    assert.equal(
      row.arguments?.filter((word) => word !== '-c' && !plain.arguments?.includes(word)),
      wanted.filter((word) => word !== '-c'),
    );
    for (const word of wanted) assert.ok(row.arguments?.includes(word), word);
    assert.is(row.environment?.OPENCODE_CONFIG_CONTENT, content);
    assert.match(row.notes?.join('\n') ?? '', /without asking; .*to start|without asking; to start/);
    assert.equal(rowOf(runner, version, 'write', { projectServers: { ...SERVERS, servers: [] } }).refused, undefined);
    const asPerson = { goal: null, model: null };
    assert.equal(
      rowOf(runner, version, 'write', { ...asPerson, projectServers: SERVERS }),
      rowOf(runner, version, 'write', asPerson),
    );
  });

const GOVERNED: ProjectServers = { ...SERVERS, servers: SERVERS.servers.map((one) => ({ ...one, isGoverned: true })) };

for (const [runner] of SERVER_ROWS)
  test(`${runner}: servers behind the gateway are started; one beside them that is not is left out`, () => {
    const version = versionsOf(runner)[0] ?? '';
    const plain = rowOf(runner, version, 'write');
    const all = rowOf(runner, version, 'write', { projectServers: GOVERNED });
    // Gemini CLI takes a list of those that it may start.
    if (runner === 'gemini-cli' || runner === 'claude-code') assert.not.ok(all.arguments?.includes('--strict-mcp-config'));
    else assert.equal(all, plain);
    const [first] = GOVERNED.servers;
    const mixed = { ...SERVERS, servers: [...(first === undefined ? [] : [first]), ...SERVERS.servers.slice(1)] };
    const some = rowOf(runner, version, 'write', { projectServers: mixed });
    const words = `${some.arguments?.join(' ')} ${some.environment?.OPENCODE_CONFIG_CONTENT ?? ''}`;
    if (runner === 'claude-code') assert.match(words, /--strict-mcp-config/);
    else if (runner === 'gemini-cli') assert.match(words, /--allowed-mcp-server-names=a,mine/);
    else {
      assert.not.match(words, /mcp_servers\.a|server=a|"a":/);
      assert.match(words, /mcp_servers\.b|server=b|"b":/);
    }
  });

test('Claude Code without the project: the lists of servers behind the gateway are named, others are not', () => {
  const row = (projectServers: ProjectServers) =>
    rowOf('claude-code', '2.1.330', 'write', { withoutProject: ['/p'], projectServers }).arguments ?? [];
  assert.ok(row(GOVERNED).includes('--mcp-config=/p/file'));
  assert.not.ok(row(SERVERS).some((word) => word.startsWith('--mcp-config')));
});

test('servers of one name in several files are started if all of them are behind the gateway', () => {
  const [first] = GOVERNED.servers;
  const twice = {
    ...SERVERS,
    servers: [{ ...first, name: 'a', file: '/p/file', isRemote: false, isGoverned: true as const }, ...SERVERS.servers],
  };
  assert.match(
    rowOf('codex', '0.169.0', 'write', { projectServers: twice }).arguments?.join(' ') ?? '',
    /mcp_servers\.a=.*enabled=false/,
  );
});

test('servers that cannot be left out by their names: nothing is started', () => {
  const named = (name: string): ProjectServers => ({ ...SERVERS, servers: [{ name, file: '/p/file', isRemote: false }] });
  const many = Array.from({ length: 101 }, (_, at) => ({ name: `s${at}`, file: '/p/file', isRemote: false }));
  for (const runner of ['codex', 'copilot-cli', 'gemini-cli', 'opencode', 'qwen-code'] as const) {
    const version = versionsOf(runner)[0] ?? '';
    for (const projectServers of [
      ...['', '--yolo', 'a\nb', '{env:HOME}', '__proto__', 'a"b', 'x'.repeat(101)].map(named),
      { ...SERVERS, servers: [], unread: 'it is broken' },
      { ...SERVERS, servers: many },
    ])
      assert.match(
        rowOf(runner, version, 'write', { projectServers }).refused ?? '',
        /may start the MCP servers of \/p\/file without asking, and which ones cannot be told/,
        `${runner} ${JSON.stringify(projectServers.servers[0])}`,
      );
  }
  assert.match(rowOf('codex', '0.169.0', 'write', { projectServers: named('a.b') }).refused ?? '', /"a\.b" is no plain name/);
  for (const [launcher, refused] of [
    [geminiCliLauncher, /names no --allowed-mcp-server-names/],
    [copilotCliLauncher, /names no --disable-mcp-server/],
    [claudeCodeLauncher, /names no --strict-mcp-config/],
  ] as const) {
    const old = knownFlags('  gemini hooks <command>  Manage hooks\n  --output-format <format>  How\n');
    const request: LaunchRequest = {
      ...{ reach: 'write', model: null, goal: 'Fix it', agent: null, settings: null, extra: [], projectServers: SERVERS },
    };
    assert.throws(() => launcher.plan(request, old), refused);
  }
});

test('Qwen Code is kept from the servers of a subagent by the settings of its session; nothing starts where they do not count', () => {
  const row = (change: Partial<LaunchRequest>) =>
    rowOf('qwen-code', '0.24.4', 'write', { settings: '/run/settings.json', projectServers: SERVERS, ...change });
  assert.match(row({}).notes?.join() ?? '', /left out the MCP servers a, b of \/p\/file.*qwen mcp add --scope user/);
  assert.match(
    row({ settings: null }).refused ?? '',
    /would start the MCP server a of \/p\/file .*, without asking; take `mcpServers` out of that file/,
  );
  for (const extra of [['--allowed-mcp-server-names', 'x'], ['--allowed-mcp-server-names=x']])
    assert.match(row({ extra }).refused ?? '', /; leave out --allowed-mcp-server-names, with which nothing keeps it from it/);
  const odd = { ...SERVERS, servers: [{ name: '*', file: '/p/file', isRemote: false }] };
  assert.match(row({ projectServers: odd }).refused ?? '', /"\*" is no plain name/);
  assert.is(row({ settings: null, projectServers: { ...SERVERS, servers: [] } }).refused, undefined);
  assert.is(row({ settings: null, goal: null, model: null }).refused, undefined);
  const settings = launcherOf('qwen-code')?.settings?.('/opt/policy hook', SERVERS, null) ?? '';
  assert.equal(JSON.parse(settings).mcp, { excluded: ['a', 'b'] });
});

test('a server is started that the person names', () => {
  const row = (runner: RunnerId, change: Partial<LaunchRequest>) =>
    rowOf(runner, versionsOf(runner)[0] ?? '', 'write', { projectServers: SERVERS, ...change });
  const gemini = row('gemini-cli', { extra: ['--allowed-mcp-server-names', 'a'] });
  assert.equal([gemini.arguments?.filter((word) => word.startsWith('--allowed-mcp')).length, gemini.notes], [1, undefined]);
  const copilot = row('copilot-cli', { extra: ['--additional-mcp-config', '@/p/file'] });
  assert.not.ok(copilot.arguments?.includes('--disable-mcp-server=a'));
  assert.ok(copilot.arguments?.includes('--disable-mcp-server=b'));
  const said = '{"model":"m","mcp":{"a":{"enabled":true}}}';
  const opencode = row('opencode', { environment: { OPENCODE_CONFIG_CONTENT: said } });
  assert.is(opencode.environment?.OPENCODE_CONFIG_CONTENT, '{"model":"m","mcp":{"a":{"enabled":true},"b":{"enabled":false}}}');
  for (const broken of ['{ // x\n}', '[]', '{"mcp":[]}'])
    assert.match(row('opencode', { environment: { OPENCODE_CONFIG_CONTENT: broken } }).refused ?? '', /is not plain JSON/);
  // A project that names its server as nobody would be allowed.
  const nobody = { ...SERVERS, own: [], servers: [{ name: 'none', file: '/p/file', isRemote: false }] };
  assert.ok(row('gemini-cli', { projectServers: nobody }).arguments?.includes('--allowed-mcp-server-names=none-'));
});

test('Gemini CLI and Qwen Code follow no mention of a file, and Claude Code says which it follows', () => {
  for (const runner of ['gemini-cli', 'qwen-code'] as const) {
    const { arguments: words = [], notes = [] } = rowOf(runner, versionsOf(runner)[0] ?? '', 'write', { goal: 'see @.env' });
    assert.is(words.at(-1), '--prompt=see \\@.env');
    assert.ok(
      notes.some((note) => note.includes('kept from reading what the goal mentions')),
      runner,
    );
  }
  const { arguments: words, mentions } = rowOf('claude-code', versionsOf('claude-code')[0] ?? '', 'write', { goal: 'see @.env' });
  assert.equal([words?.at(-1), mentions], ['see @.env', ['.env']]);
});

test('what an agent is told comes as its own flag where there is one, else before the goal', () => {
  const told = (runner: (typeof LAUNCHED_RUNNERS)[number], agent: LaunchedAgent, change: Partial<LaunchRequest> = {}) => {
    const row = rowOf(runner, versionsOf(runner)[0] ?? '', 'write', { agent, ...change });
    return { words: row.arguments ?? [], notes: row.notes ?? [] };
  };
  const before = 'Look, and tell.\n\nFix it';
  const own = { ...REVIEWER, isOwn: true };
  assert.is(told('codex', REVIEWER).words.at(-1), before);
  assert.is(told('gemini-cli', REVIEWER).words.at(-1), `--prompt=${before}`);
  assert.is(told('opencode', own).words.at(-1), before);
  assert.is(told('copilot-cli', REVIEWER).words.at(-1), `--prompt=${before}`);
  assert.equal(told('copilot-cli', own).words.slice(-3), ['--agent', 'reviewer', '--prompt=Fix it']);
  assert.equal(told('qwen-code', REVIEWER).words.slice(-2), ['--append-system-prompt=Look, and tell.', '--prompt=Fix it']);
  assert.equal(told('claude-code', own).words.slice(-4), ['--agent', 'reviewer', '--', 'Fix it']);
  assert.equal(told('claude-code', REVIEWER).words.slice(-4), [
    '--tools=Read,Bash',
    '--append-system-prompt=Look, and tell.',
    '--',
    'Fix it',
  ]);
  for (const runner of ['codex', 'gemini-cli', 'copilot-cli', 'opencode'] as const) {
    const { words, notes } = told(runner, REVIEWER, { goal: null });
    assert.not.ok(
      words.some((word) => word.includes('Look, and tell.')),
      runner,
    );
    assert.match(notes.join(), 'skipped the instructions of the agent', runner);
  }
});

test('settings of a session hold the hook and keep hooks on', () => {
  for (const runner of LAUNCHED_RUNNERS) {
    const launcher = launcherOf(runner);
    assert.is(launcher?.settings !== undefined, launcher?.takesSettings, runner);
    if (launcher?.settings === undefined) continue;
    const settings = JSON.parse(launcher.settings('/opt/policy hook', null, null)) as {
      readonly disableAllHooks: unknown;
      readonly hooks: { readonly PreToolUse: unknown };
    };
    assert.is(settings.disableAllHooks, false, runner);
    assert.match(JSON.stringify(settings.hooks.PreToolUse), '/opt/policy hook', runner);
  }
});

test.run();
