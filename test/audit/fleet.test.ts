// Many repositories in one audit: work trees and bare git directories, broken ones among them.
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { ExaminedRepository, FleetReport, RepositoryResult } from '../../src/audit/fleet/report.js';
import { validateFleetReport } from '../../src/generated/validators/fleet-report.js';
import { policy, scratch } from '../cli/spawned.js';

const HOSTILE = '<img src=x onerror=alert(1)>|`x`\n# y';
const IDENTITY = ['-c', 'user.name=t', '-c', 'user.email=t@t.invalid'];

function git(cwd: string, ...args: readonly string[]): string {
  const { status, stdout, stderr } = spawnSync('git', [...IDENTITY, ...args], { cwd, encoding: 'utf8' });
  assert.is(status, 0, stderr);
  return stdout.trim();
}

/** A folder with a work tree, a bare copy of it, one without files for agents, and three that cannot be examined. */
const fleet = (() => {
  const root = realpathSync(scratch({}));
  const write = (path: string, text: string) => {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  };
  write('work/.claude/settings.json', '{ "permissions": { "defaultMode": "bypassPermissions" } }\n');
  write('work/policy.yaml', 'version: 1\nsecurity: { disable_bypass_permissions: true }\nbudget: { calls: 10 }\n');
  write('work/hooks/guard.sh', 'exit 0\n');
  write('plain/README.md', 'Nothing for agents.\n');
  for (const name of ['work', 'plain']) {
    git(join(root, name), 'init', '-q');
    git(join(root, name), 'add', '-A');
    git(join(root, name), 'commit', '-q', '-m', 'First');
  }
  git(root, 'clone', '-q', '--bare', 'work', 'team/bare.git');
  git(root, 'init', '-q', '--bare', 'empty.git');
  git(root, 'clone', '-q', '--bare', 'plain', 'torn.git');
  rmSync(join(root, 'torn.git', 'objects'), { recursive: true });
  mkdirSync(join(root, 'torn.git', 'objects'));
  write('bad-policy/.git/HEAD', 'ref: refs/heads/main\n');
  write('bad-policy/policy.yaml', 'version: 1\nallow: 7\n');
  return root;
})();

function audited(...args: readonly string[]): FleetReport {
  const { stdout, stderr } = policy(['audit', ...args, '--format', 'json'], { cwd: fleet });
  assert.is.not(stdout, '', stderr);
  const report = JSON.parse(stdout) as FleetReport;
  assert.ok(validateFleetReport(report), JSON.stringify(validateFleetReport.errors));
  return report;
}

function examined(result: RepositoryResult | undefined): ExaminedRepository {
  assert.is(result?.problem, null);
  return result as ExaminedRepository;
}

test('every repository of a folder is in the report, and broken ones stop no other', () => {
  const { repositories } = audited('--repos', '.', '--jobs', '2');
  const byName = new Map(repositories.map((one) => [one.repository, one]));
  assert.equal([...byName.keys()], ['bad-policy', 'empty.git', 'plain', 'team/bare.git', 'torn.git', 'work']);
  const work = examined(byName.get('work'));
  const bare = examined(byName.get('team/bare.git'));
  assert.is(bare.commit, git(join(fleet, 'work'), 'rev-parse', 'HEAD'));
  assert.is(work.commit, null);
  assert.equal(bare.findings, work.findings);
  assert.ok(
    bare.findings.some(
      ({ control, claim, place }) => control === 'AS-3' && claim === 'modes' && place?.startsWith('.claude/settings.json:'),
    ),
  );
  assert.not.ok(bare.findings.some(({ control }) => control === 'AS-1' || control === 'AS-9'));
  assert.is(examined(byName.get('plain')).claims, 0);
  for (const name of ['bad-policy', 'empty.git', 'torn.git']) assert.type(byName.get(name)?.problem, 'string', name);
  assert.match(byName.get('bad-policy')?.problem ?? '', /^its policy cannot be used: .*allow/);
});

test('a list has comments, paths in JSON, and what is not there', () => {
  const list = join(realpathSync(scratch({})), 'list.txt');
  writeFileSync(list, `# ours\nplain\n\nplain\n"team/bare.git"\n${JSON.stringify(HOSTILE)}\n`);
  const { repositories } = audited('--repos', list);
  assert.equal(
    repositories.map(({ repository, problem }) => [repository, problem === null]),
    [
      ['plain', true],
      ['team/bare.git', true],
      [HOSTILE, false],
    ],
  );
  for (const format of ['markdown', 'html']) {
    const { stdout, status } = policy(['audit', '--repos', list, '--format', format], { cwd: fleet });
    assert.is(status, 1);
    assert.not.match(stdout, format === 'html' ? /<img/ : /^# y/m);
    assert.match(stdout, /3 repositories: 1 without a gap, 1 with gaps, 1 could not be examined\./);
  }
});

const BROKEN_HEADS = {
  'garbage/.git/HEAD': 'garbage',
  'garbage/README.md': '',
  'empty/.git/HEAD': '',
  'away/.git': 'gitdir: /nope\n',
};

test('what is no repository, and a line that is no path, could not be examined, each with one reason, and stops no other', () => {
  const root = realpathSync(
    scratch({
      'loose/AGENTS.md': 'Be careful.\n',
      'file.txt': '',
      'half/.git/config': '',
      'home/own/.git/HEAD': 'ref: refs/heads/main\n',
      ...BROKEN_HEADS,
    }),
  );
  for (const name of ['nothing', 'holder', 'bare-checkout', '~odd']) mkdirSync(join(root, name));
  cpSync(join(fleet, 'plain'), join(root, 'holder', 'inner'), { recursive: true });
  writeFileSync(join(root, 'holder', 'AGENTS.md'), 'Be careful.\n');
  cpSync(join(fleet, 'plain', '.git'), join(root, 'bare-checkout', '.git'), { recursive: true });
  writeFileSync(join(root, 'home', 'own', 'README.md'), '');
  const good = join(fleet, 'plain');
  const rows: readonly (readonly [line: string | Buffer, problem: RegExp | null])[] = [
    ['nothing', /^it is not a git repository$/],
    ['garbage', /^its \.git is broken \(its HEAD names neither a branch nor a commit\)/],
    ['empty', /^its \.git is broken \(its HEAD names neither a branch nor a commit\)/],
    ['away', /^its \.git is broken \(the git directory that it names does not exist\)/],
    ['half', /^its \.git is broken \(it has no HEAD\); clone it again, or remove \.git /],
    ['loose', null],
    ['holder', /^it is not a repository, but contains another one; --repos FOLDER/],
    ['bare-checkout', /^nothing is checked out in it; its git directory/],
    ['bare-checkout/.git', null],
    ['file.txt', /^it is a file, not a folder$/],
    ['gone', new RegExp(`^there is no folder ${root}/gone$`)],
    [good, null],
    ['~/own', null],
    ['~odd', /^only ~\/ is known, .*\.\/~odd$/],
    ['ta\tb', /control character/],
    ['"a\\u0000b"', /NUL character/],
    ['"open', /quotation mark/],
    ['""', /^it names no path$/],
    ['x'.repeat(5_000), /longer than a path/],
    [Buffer.from([0x61, 0xff]), /not UTF-8/],
  ];
  const lines = rows.map(([line]) => Buffer.concat([Buffer.from(line), Buffer.from('\n')]));
  const list = Buffer.concat([...lines, Buffer.from(`\n# ours\n  \r\n./loose/\n${good}\n`)]);
  writeFileSync(join(root, 'list.txt'), list);
  const circumstances = { cwd: root, env: { HOME: join(root, 'home') } };
  const read = policy(['audit', '--repos', 'list.txt', '--format', 'jsonl'], circumstances);
  const piped = policy(['audit', '--repos', '-', '--format', 'jsonl'], { ...circumstances, input: list });
  for (const [{ stdout, stderr, status }, source] of [
    [read, 'list.txt'],
    [piped, '-'],
  ] as const) {
    assert.is(status, 1);
    const results = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as RepositoryResult);
    assert.is(results.length, rows.length);
    for (const [at, [line, problem]] of rows.entries()) {
      const told = results[at]?.problem ?? null;
      if (problem === null) assert.is(told, null, String(line));
      else assert.match(told ?? '', problem, String(line));
    }
    assert.is(
      stderr,
      `${source}:24: ./loose/ is already in line 6; it is examined once\n${source}:25: ${good} is already in line 12; it is examined once\n`,
    );
  }
  const { stdout } = policy(['audit', '--repos', 'list.txt', '--format', 'markdown'], circumstances);
  assert.match(stdout, new RegExp(`${rows.length} repositories: 3 without a gap, 1 with gaps, 16 could not be examined`));
  assert.is((stdout.match(/^- `/gm) ?? []).length, 16);
});

test('a broken git directory: each with what is wrong with it', () => {
  const root = realpathSync(scratch({}));
  git(root, 'init', '-q', '--bare', 'new.git');
  for (const name of ['branch.git', 'objects.git', 'head.git', 'config.git'])
    git(root, 'clone', '-q', '--bare', join(fleet, 'plain'), name);
  writeFileSync(join(root, 'branch.git/HEAD'), 'ref: refs/heads/gone\n');
  rmSync(join(root, 'objects.git/objects'), { recursive: true });
  mkdirSync(join(root, 'objects.git/objects'));
  writeFileSync(join(root, 'head.git/HEAD'), 'x\n');
  writeFileSync(join(root, 'config.git/config'), '[[[\n');
  const problems = Object.fromEntries(audited('--repos', root).repositories.map((one) => [one.repository, one.problem ?? '']));
  const told = (name: string) => problems[join(root, name)] ?? '';
  assert.is(told('new.git'), 'it has no commit yet');
  assert.is(told('branch.git'), 'its HEAD names a missing branch, but there are others');
  assert.is(told('objects.git'), 'git does not have the commit that its HEAD names; clone it again');
  assert.match(told('head.git'), /^git cannot read it: not a git repository/);
  assert.match(told('config.git'), /^git cannot read it: bad config line 1 /);
});

test('results come one by one from standard input, and an interrupted audit goes on', () => {
  const { stdout } = policy(['audit', '--repos', '-', '--format', 'jsonl'], { cwd: fleet, input: 'plain\nwork\n' });
  const lines = stdout
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as RepositoryResult);
  assert.equal(
    lines.map(({ repository }) => repository),
    ['plain', 'work'],
  );
  const journal = join(realpathSync(scratch({})), 'results.jsonl');
  const first = audited('--repos', '.', '--resume', journal);
  const kept = readFileSync(journal, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"team/bare.git"'));
  assert.is(kept.length, 1);
  // Killed in the middle of a line: one result is there, another in part.
  writeFileSync(journal, `${kept[0]?.replace('"agents":0', '"agents":41')}\n{"toolVersion":"0.1.0","result":{"reposi`);
  const again = audited('--repos', '.', '--resume', journal);
  assert.equal(
    again.repositories.map((one) => ('agents' in one ? one.agents : null)),
    first.repositories.map((one) => (one.repository === 'team/bare.git' ? 41 : 'agents' in one ? one.agents : null)),
  );
  assert.equal(audited('--repos', '.', '--resume', journal).repositories, again.repositories);
  // Killed in the middle of the first line.
  writeFileSync(journal, '{"toolVersion":"0.1.0","result":{"reposi');
  audited('--repos', '.', '--resume', journal);
  assert.is(readFileSync(journal, 'utf8').split(/\n(?=\{)/).length, first.repositories.length + 1);
});

for (const [file, text, runner] of [
  ['.env', 'QWEN_CODE_SAFE_MODE=1\n', 'qwen-code'],
  ['.qwen/.env', '# local\nexport QWEN_CODE_SIMPLE="true"\n', 'qwen-code'],
  ['.gemini/.env', 'BASH_ENV=./x.sh\n', 'gemini-cli'],
] as const)
  test(`${file} of a repository, which sets what keeps ${runner} from its hook: in a work tree and in a bare one`, () => {
    const root = realpathSync(scratch({ [`repository/${file}`]: text, 'repository/README.md': 'x\n' }));
    git(join(root, 'repository'), 'init', '-q');
    git(join(root, 'repository'), 'add', '-A');
    git(join(root, 'repository'), 'commit', '-q', '-m', 'First');
    git(root, 'clone', '-q', '--bare', 'repository', 'bare.git');
    // A file above the repositories is the machine's.
    writeFileSync(join(root, '.env'), 'QWEN_CODE_SAFE_MODE=1\n');
    const { repositories } = audited('--repos', root);
    assert.is(repositories.length, 2);
    for (const one of repositories) {
      const found = examined(one).findings.filter(({ claim }) => claim === 'variables');
      assert.equal(
        found.map(({ control, place }) => [control, place]),
        [['AS-3', `${file}:${text.startsWith('#') ? 2 : 1}`]],
      );
    }
  });

test('a formatter of a team is no gap, in a fleet as in an audit of the repository alone', () => {
  const root = realpathSync(scratch({}));
  cpSync('test/fixtures/demo-repo', join(root, 'demo'), { recursive: true });
  git(join(root, 'demo'), 'init', '-q');
  const [demo] = audited('--repos', root).repositories;
  assert.equal(
    examined(demo).findings.filter(({ claim }) => claim === 'surroundings'),
    [],
  );
});

test('a tree that names other places writes nothing there, and its links are not followed', () => {
  const root = realpathSync(scratch({ secret: 'outside-4711' }));
  const bare = join(root, 'evil.git');
  git(root, 'init', '-q', '--bare', bare);
  const put = (input: string, ...args: readonly string[]) => {
    const { status, stdout, stderr } = spawnSync('git', [...IDENTITY, `--git-dir=${bare}`, ...args], { input, encoding: 'utf8' });
    assert.is(status, 0, stderr);
    return stdout.trim();
  };
  const settings = put('{ "permissions": { "defaultMode": "bypassPermissions" } }\n', 'hash-object', '-w', '--stdin');
  const link = put(join(root, 'secret'), 'hash-object', '-w', '--stdin');
  const outside = put(`100644 blob ${settings}\tpwned.md\n120000 blob ${link}\tCLAUDE.md\n`, 'mktree');
  const claude = put(`100644 blob ${settings}\tsettings.json\n`, 'mktree');
  const top = put(`040000 tree ${outside}\t..\n040000 tree ${claude}\t.claude\n120000 blob ${link}\tAGENTS.md\n`, 'mktree');
  put('', 'update-ref', 'HEAD', put('x', 'commit-tree', top));
  const { stdout } = policy(['audit', '--repos', bare, '--format', 'json'], { cwd: root });
  const [result] = (JSON.parse(stdout) as FleetReport).repositories;
  assert.ok(examined(result).findings.some(({ control }) => control === 'AS-3'));
  assert.not.ok(existsSync(join(root, 'pwned.md')));
  assert.not.match(stdout, /outside-4711/);
});

test('a work tree is not taken for the git directory that it holds', () => {
  const root = realpathSync(
    scratch({ 'mask/.claude/settings.json': '{ "permissions": { "defaultMode": "bypassPermissions" } }' }),
  );
  git(join(root, 'mask'), 'init', '-q');
  for (const name of ['objects', 'refs', 'HEAD'])
    cpSync(join(fleet, 'plain', '.git', name), join(root, 'mask', name), { recursive: true });
  const { stdout } = policy(['audit', '--repos', 'mask', '--format', 'json'], { cwd: root });
  const result = examined((JSON.parse(stdout) as FleetReport).repositories[0]);
  assert.is(result.commit, null);
  assert.ok(result.findings.some(({ control, claim }) => control === 'AS-3' && claim === 'modes'));
});

test('a folder that is both a git directory and a project is not examined', () => {
  const root = realpathSync(
    scratch({ 'mask/.claude/settings.json': '{ "permissions": { "defaultMode": "bypassPermissions" } }' }),
  );
  for (const name of ['objects', 'refs', 'HEAD'])
    cpSync(join(fleet, 'plain', '.git', name), join(root, 'mask', name), { recursive: true });
  const { stdout, status } = policy(['audit', '--repos', 'mask', '--format', 'json'], { cwd: root });
  assert.is(status, 1);
  assert.match((JSON.parse(stdout) as FleetReport).repositories[0]?.problem ?? '', /also contains files for coding agents/);
});

test('nothing of a bare repository is passed over in silence: what is too large, what git does not have, what is too much', () => {
  const root = realpathSync(scratch({}));
  const settings = (size: number) => {
    const text = `{ "permissions": { "defaultMode": "bypassPermissions" }, "x": "${'a'.repeat(size)}" }`;
    return scratch({ '.claude/settings.json': text });
  };
  const large = settings(1_100_000);
  const lacking = settings(1);
  const many = scratch({});
  for (const [folder, name] of [
    [large, 'large.git'],
    [lacking, 'lacking.git'],
    [many, 'many.git'],
  ] as const) {
    git(folder, 'init', '-q');
    git(folder, 'add', '-A');
    if (folder === many) {
      const id = git(folder, 'hash-object', '-w', '-t', 'blob', '/dev/null');
      const input = Array.from({ length: 10_001 }, (_, index) => `100644 ${id}\tagents/${index}.md\n`).join('');
      assert.is(spawnSync('git', ['update-index', '--index-info'], { cwd: folder, input }).status, 0);
    }
    git(folder, 'commit', '-q', '-m', 'First');
    git(root, 'clone', '-q', '--bare', folder, name);
  }
  const id = git(lacking, 'rev-parse', 'HEAD:.claude/settings.json');
  rmSync(join(root, 'lacking.git', 'objects', id.slice(0, 2), id.slice(2)));
  const { stdout } = policy(['audit', '--repos', '.', '--format', 'json'], { cwd: root });
  const [notRead, ...broken] = [...(JSON.parse(stdout) as FleetReport).repositories].sort((left) =>
    left.repository === 'large.git' ? -1 : 1,
  );
  const inWorkTree = policy(['audit', '--repos', large, '--format', 'json'], { cwd: root }).stdout;
  assert.equal(examined(notRead).findings, examined((JSON.parse(inWorkTree) as FleetReport).repositories[0]).findings);
  assert.ok(examined(notRead).findings.length > 0);
  assert.match(broken.map(({ problem }) => problem).join(), /does not have the content of \.claude\/settings\.json/);
  assert.match(broken.map(({ problem }) => problem).join(), /more than 10000 files/);
});

test('a file of results that is none is refused, and an entry that no audit wrote does not count', () => {
  const root = realpathSync(scratch({ 'j.jsonl': '{"toolVersion":"0.1.0","result":{"repository":"plain","problem":null}}\n' }));
  assert.is(examined(audited('--repos', 'plain', '--resume', join(root, 'j.jsonl')).repositories[0]).claims, 0);
  const readme = join(root, 'README.md');
  writeFileSync(readme, '# Readme\n');
  const other = policy(['audit', '--repos', 'plain', '--resume', readme], { cwd: fleet });
  assert.is(other.status, 3);
  assert.match(other.stderr, /README\.md contains something other than results/);
  assert.is(readFileSync(readme, 'utf8'), '# Readme\n');
  // A pipe would wait, and /dev/zero never end.
  const { status, stderr } = policy(['audit', '--repos', 'plain', '--resume', '/dev/null'], { cwd: fleet });
  assert.is(status, 3);
  assert.match(stderr, /is not a regular file/);
});

test('flags that do not go together, and what is no list, are named', () => {
  for (const [args, message] of [
    [['--repos', '.', '--runner', 'codex'], /leave out --runner/],
    [['--jobs', '2'], /--jobs needs --repos/],
    [['--repos', '.', '--jobs', '0'], /--jobs is a whole number/],
    [['--repos', 'nowhere'], /--repos nowhere is neither a folder nor a readable list/],
    [['--repos', join(fleet, 'plain', '.git', 'refs')], /has no repository in it/],
    [['--repos', join(fleet, 'empty.git', 'config'), '--jobs', '0'], /--jobs is a whole number/],
    [['--repos', '/dev/null'], /--repos \/dev\/null is neither a folder nor a readable list/],
  ] as const) {
    const { status, stderr } = policy(['audit', ...args], { cwd: fleet });
    assert.is(status, 3, args.join(' '));
    assert.match(stderr, message);
  }
});

test.run();
