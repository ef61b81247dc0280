/** offer → the printed `policy allow …` line, read by a shell → the same call passes; what is shown before is that call. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { inputFromText } from '../../../src/call/subject.js';
import type { Shell, ToolCall } from '../../../src/call/tool-call.js';
import { enforceDry } from '../../../src/enforce/enforce.js';
import { CLEAN_REPOSITORY } from '../../cli/spawned.js';
import { seed } from '../../seed.js';
import { withFiles } from '../scratch.js';
import { type Asked, allowing, askAbout, openedIn, wordsByShell } from './offered.js';

const REPOSITORY = {
  ...CLEAN_REPOSITORY,
  'package.json': '{"scripts":{"build":"x","docs":"x"}}',
  'policy.yaml': 'version: 1\npreset: safe\n',
  'scripts/a.js': '',
  'tools/b.py': '',
  'x.sh': '',
};

/** Arguments as a person types them, each with what is special about it. */
const ARGUMENTS: readonly string[] = [
  "'x>=1'",
  "'a(b)'",
  "'a;b'",
  "'a&b'",
  "'#x'",
  '"a > b"',
  "'a|b'",
  "'<x>'",
  "'a && b'",
  "';'",
  "'('",
  "')'",
  "'a)b('",
  `"it's"`,
  `'say "x"'`,
  `'say "x"'"'"'s'`,
  `"it's \\$5"`,
  "'$HOME'",
  "'a\\b'",
  "'\\'",
  'a\\ b',
  "'  two  spaces '",
  "''",
  "'{a,b}'",
  "'[x]'",
  "'~'",
  "'!x'",
  "'=ls'",
  "'A=1'",
  "'x:y'",
  "'ä ö'",
  '日本',
  "'https://h.example/a?b=c&d'",
  "'%s^@'",
];
/** What no pattern can say: a wildcard, a line break, a character that does not show; and what may be code. */
const UNSAYABLE: readonly string[] = ["'`x`'", "'a*b'", "'*'", "'a?b'", "$'a\\nb'", "$'a\\tb'", "'a\u200bb'"];

const COMMANDS: readonly string[] = [
  'frob',
  'frob sub',
  'npx frob',
  'pip install',
  'docker run img',
  'node -e',
  'python3 -c',
  './x.sh',
  'npm run docs --',
  'cargo run --',
];

const LINES: readonly string[] = [
  'timeout 5 make test',
  'timeout 5 frob "a>b"',
  'env CI=1 frob "a;b"',
  'nohup frob x',
  'nice -n 5 frob "a b"',
  'time frob "a(b)"',
  'ls src | xargs frob "a&b"',
  'ls src | xargs -n1 node scripts/a.js',
  'make lint && make test',
  'make lint; frob "a>b"',
  'make "a b" || frob "(x)"',
  'npm run docs && npm run build',
  'npm run docs 2>&1 | tail -5',
  'frob x > src/out.txt',
  'frob "a>b" > /tmp/out.txt',
  'cd src && frob "a b"',
  'FOO=1 make test',
  'FOO="a b" make test',
  "FOO='a>b' make test",
  'node scripts/a.js --x "a>b"',
  'cd scripts && node a.js',
  'python3 tools/b.py "a(b)"',
  'bash x.sh "a;b"',
  'gh pr view 12',
  'gh run view 1 --log',
  'curl -s https://api.example.com/repos?a=b',
  'curl -s "https://api.example.com/repos?a=b&c=d"',
  'curl -sS -H "Accept: x" https://api.example.com/a',
  'curl -X POST http://localhost:3000/a -d "{\\"a\\": 1}"',
  'wget -qO- https://api.example.com/a',
  'cat /usr/share/doc/x/readme',
  'cat /etc/hostname',
  'ls > /tmp/a',
  'make -C src all',
  'rm -rf dist',
  'git push origin feature/x',
  "git tag 'v(1)'",
  'docker compose up -d',
  'kubectl get pods',
  'terraform plan',
  'pytest -k "a and (b or c)"',
  'go test -run "^A(b|c)$" ./...',
  'npx prettier --write .',
  'npx jest -t "it is (a) b"',
];

const SERVERS: readonly string[] = ['github', 'serena', 'my-server', 'a_b', 'Slack'];
const SERVER_TOOLS: readonly string[] = [
  'get_issue',
  'list_issues',
  'find_symbol',
  'search',
  'create_issue',
  'run',
  'delete_all',
];

/** Inputs of tools of MCP servers, each with what is special about its values. */
const INPUTS: readonly (readonly [tool: string, input: Record<string, unknown>])[] = [
  ['github__create_issue', { owner: 'acme', repo: 'app', title: 'A, b: c', body: 'x' }],
  ['slack__send_message', { channel: 'C0912', text: 'hello' }],
  ['slack__send_message', { channel: '#general, "all"', text: 'hello' }],
  ['slack__send_message', { channel: 'a*b', text: 'hello' }],
  ['slack__send_message', { channel: ['a', 'b'], text: 'hello' }],
  ['slack__send_message', { channel: 'a\u200bb', text: 'hello' }],
  ['slack__send_message', { channel: "it's", text: 'hello' }],
  ['jira__move', { projectId: 42, boardId: '42', environment: 'false' }],
  ['k8s__apply', { target: { namespace: 'prod', cluster: 'a b' }, manifest: 'x: y' }],
  ['files__write_file', { path: 'docs/a.md', content: 'x' }],
  ['files__write_file', { path: 'docs/a, b.md', content: 'x' }],
  ['files__write_file', { path: '/tmp/x/a.md', content: 'x' }],
  ['playwright__browser_navigate', { url: 'http://localhost:3000/a?b=c' }],
  ['playwright__browser_navigate', { url: 'https://example.com/a,b' }],
  ['db__query', { host: 'db.internal', database: 'dev', sql: 'select 1' }],
  ['sh__run', { command: 'make test' }],
  ['sh__run', { command: 'make "a, b"' }],
  ['x__frob', { base: '"', branch: '\\', list: ' x ', repo: 'a)' }],
  ['x__frob', { Repo: 'a', repo: 'b' }],
];

const OTHER: readonly (readonly [tool: string, input: string])[] = [
  ['Edit', '/usr/share/x/a.ts'],
  ['Write', 'Makefile'],
  ['Read', '/etc/hosts'],
  ['Read', '/usr/share/x/a b.txt'],
  ['WebFetch', 'https://docs.example.com/a?b'],
  ['WebSearch', 'x'],
  ['Agent', 'Explore'],
  ['Skill', 'review'],
];

const EACH = 3;

/** Each argument behind three of the commands, others every day: with all ten they would be ten times the same. */
function typedWith(given: readonly string[]): readonly string[] {
  return given.flatMap((argument, at) =>
    Array.from({ length: EACH }, (_, more) => `${COMMANDS[(seed + at * EACH + more) % COMMANDS.length]} ${argument}`),
  );
}

function callsIn(cwd: string): readonly ToolCall[] {
  const shell = (command: string, named: Shell = 'union'): ToolCall => ({
    tool: 'Bash',
    input: { command },
    cwd,
    headless: false,
    shell: named,
  });
  const lines = [...typedWith([...ARGUMENTS, ...UNSAYABLE]), ...LINES];
  const plain = (tool: string, input: Record<string, unknown>): ToolCall => ({
    tool,
    input,
    cwd,
    headless: false,
    shell: 'union',
  });
  return [
    ...lines.map((line) => shell(line)),
    ...lines.filter((_, at) => at % 7 === 0).flatMap((line) => [shell(line, 'bash'), shell(line, 'zsh')]),
    // In a folder of the project paths of rules are still those from its top.
    ...['node a.js', './a.js "a;b"', 'make "a>b"', 'rm -rf dist', 'frob ../x'].map((line) => ({
      ...shell(line),
      cwd: `${cwd}/scripts`,
    })),
    ...SERVERS.flatMap((server) => SERVER_TOOLS.map((tool) => plain(`mcp__${server}__${tool}`, { query: 'x' }))),
    ...INPUTS.map(([tool, input]) => plain(`mcp__${tool}`, input)),
    ...OTHER.map(([tool, input]) => plain(tool, inputFromText(tool, input))),
    plain('PowerShell', { command: 'Remove-Item x' }),
  ];
}

const subjectOf = ({ tool, input }: ToolCall) => `${tool} ${JSON.stringify(input)}`;

test('every offer for 180 asked calls is taken by policy allow, and then the call passes', () =>
  withFiles(REPOSITORY, (cwd) => {
    const workspace = openedIn(cwd);
    const asked = callsIn(cwd)
      .map((call) => askAbout(workspace, call))
      .filter(({ decision }) => decision.decision !== 'allow');
    const offered: { readonly asked: Asked; readonly line: string }[] = asked.flatMap((one) =>
      one.lines.map(({ line }) => ({ asked: one, line })),
    );
    const words = wordsByShell(offered.map(({ line }) => line));
    assert.is(words.length, offered.length);
    const wrong: string[] = [];
    for (const [at, { asked: one, line }] of offered.entries()) {
      const { refused, printed, after } = allowing(workspace, words[at] ?? []);
      if (refused.length > 0) wrong.push(`${line}: ${refused.join('; ')}`);
      else if (!printed.slice(1).every((text) => / → allow/.test(text)) || printed.length < 2)
        wrong.push(`${line} shows ${printed.join(' | ')}`);
      if (enforceDry(after, one.call).decision !== 'allow') wrong.push(`${line} does not allow ${subjectOf(one.call)}`);
    }
    for (const { call, lines, sentence } of asked)
      if (lines.length === 0 && !/^no .+/.test(sentence ?? '')) wrong.push(`${subjectOf(call)}: no sentence`);
    assert.equal(wrong, []);
    assert.ok(asked.length >= 180, `${asked.length} asked`);
  }));

test('what stands in quotes does not keep a command from being offered', () =>
  withFiles(REPOSITORY, (cwd) => {
    const workspace = openedIn(cwd);
    const call = (command: string): ToolCall => ({ tool: 'Bash', input: { command }, cwd, headless: false, shell: 'union' });
    const without = typedWith(ARGUMENTS).filter((line) => {
      const { decision, lines } = askAbout(workspace, call(line));
      return decision.decision !== 'allow' && lines.length === 0;
    });
    assert.equal(without, []);
  }));

test.run();
