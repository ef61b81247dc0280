// `policy install` and `policy uninstall` as commands: what they refuse, what they leave.
import { execFile, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { hookTarget } from '../../../src/install/target.js';
import { copyProblemOf, programCopy } from '../../../src/program/program-copy.js';
import { NODE_OPTIONS } from '../../../src/runner/hook/node-options.js';
import { jsonDenial } from '../../../src/runner/hook/runner.js';
import { runnerNamed } from '../../../src/runner/runners.js';
import { COMMAND, insideAgent, policy, scratch } from '../spawned.js';
import { place } from './place.js';

const test = suite('install');
const check = insideAgent ? test.skip : test;

/** For lines whose answers count: the machine that runs the tests is busy with them. */
const UNHURRIED = ['--deadline', '25'];

check('--diff shows every line, before the summary; --dry-run changes nothing', () => {
  const { run, settings, write, home } = place();
  write(settings, '{\n  "model": "m"\n}\n');
  const { status, stdout } = run('install', 'claude-code', '--dry-run', '--diff');
  assert.is(status, 0);
  assert.match(
    stdout,
    /^--- .*settings\.json\n\+\+\+ .*settings\.json\n@@ -1,3 \+1,\d+ @@\n \{\n-\s+"model": "m"\n\+\s+"model": "m",\n\+ {2}"hooks": \{$/m,
  );
  assert.match(stdout, /^Settings file: .*settings\.json \(everything else in it stays as it is\)$/m);
  assert.match(stdout, /^Nothing was changed \(--dry-run\)\.$/m);
  assert.is(readFileSync(settings, 'utf8'), '{\n  "model": "m"\n}\n');
  assert.equal(readdirSync(home), ['.claude']);
});

check('--diff prints no credential of the lines around the change', () => {
  const { run, settings, write } = place();
  const token = `ghp_${'Zq8Lw2Rk5Tn7Yx1Vb4Mc9Hd3Jf6Gs0Pa2Qe7'.slice(0, 36)}`;
  write(settings, `{\n  "env": {\n    "GITHUB_TOKEN": "${token}",\n    "DB_PASSWORD": "hunter2-hunter2"\n  }\n}\n`);
  const { status, stdout } = run('install', 'claude-code', '--dry-run', '--diff');
  assert.is(status, 0);
  assert.match(stdout, /"GITHUB_TOKEN": "\[masked:/);
  assert.not.match(stdout, /Zq8Lw2|hunter2/);
});

/** The events of each form of settings at which the hook is put, and the first of them. */
const EVENTS: readonly (readonly [runner: string, file: string, events: RegExp])[] = [
  ['claude-code', '.claude/settings.local.json', /^PreToolUse, .*PostToolUse, .*Stop/],
  ['cursor', '.cursor/hooks.json', /^\w+(?:, \w+)+$/],
  ['opencode', '.opencode/plugins/policy.js', /^tool\.execute\.before, tool\.execute\.after, session\.idle$/],
  ['agent-code', '.agent/settings.toml', /^pre_tool_use, post_tool_use$/],
];
for (const [runner, file, events] of EVENTS)
  check(`a summary says where the hook of ${runner} goes, at which events, and how it is undone`, () => {
    const { run, cwd } = place();
    const path = join(realpathSync(cwd), file);
    const lines = run('install', runner, '--project', '--yes').stdout.trimEnd().split('\n');
    assert.is(lines[0], `Settings file:  ${path} (new)`);
    assert.match(lines[1]?.replace(/^Hook events: +/, '') ?? '', events);
    assert.equal(lines.slice(2), [
      `To undo this:   policy uninstall ${runner} --project`,
      'Whole change:   add --diff',
      `Installed: ${path}`,
      'Next: policy doctor',
    ]);
    const undone = run('uninstall', runner, '--yes').stdout.split('\n');
    assert.is(undone[0], `Settings file:  ${path} (is deleted: it contains only the hook)`);
    assert.is(undone[1], lines[1]);
    assert.equal(undone.slice(2, 4), [`To undo this:   policy install ${runner} --project`, 'Whole change:   add --diff']);
  });

check('--sandbox says what it switches on and what that costs; uninstall gives back the file', () => {
  const { run, settings, write } = place();
  const text = '{\n  "sandbox": { "enabled": false }\n}\n';
  write(settings, text);
  const { status, stdout, stderr } = run('install', 'claude-code', '--sandbox', '--yes');
  assert.is(status, 0);
  assert.match(stdout, /^Sandbox: {8}sandbox\.enabled = true, and \d more settings$/m);
  assert.match(stdout, /^In the sandbox: Commands write only in the project/m);
  assert.match(stderr, /^note: sandbox\.enabled is false in .*settings\.json, and becomes true$/m);
  assert.match(run('install', 'claude-code', '--sandbox', '--yes').stdout, /^Already installed/m);
  assert.match(run('uninstall', 'claude-code', '--yes').stdout, /^Sandbox: {8}no more sandbox\.enabled = true/m);
  assert.is(readFileSync(settings, 'utf8'), text);
});

check('--sandbox of Codex goes into a file of its own, and out of it', () => {
  const { run, home, write } = place();
  const config = join(home, '.codex/config.toml');
  write(config, 'model = "m"\n');
  assert.is(run('install', 'codex', '--sandbox', '--yes').status, 0);
  assert.match(readFileSync(config, 'utf8'), /^default_permissions = "policy"$/m);
  assert.is(run('uninstall', 'codex', '--yes').status, 0);
  assert.is(readFileSync(config, 'utf8'), 'model = "m"\n');
  assert.equal(readdirSync(join(home, '.codex')), ['config.toml']);
});

check('--sandbox is refused where there is none to switch on, and nothing is installed', () => {
  const { run, home } = place();
  const { status, stderr } = run('install', 'gemini-cli', '--sandbox', '--yes');
  assert.is(status, 3);
  assert.match(stderr, /The sandbox of gemini-cli cannot be switched on here\. Its sandbox holds the whole program/);
  assert.equal(readdirSync(home), []);
});

check('--sandbox names a file of the project that switches it off again', () => {
  const { run, cwd, write } = place();
  write(join(cwd, '.claude/settings.json'), '{ "sandbox": { "enabled": false } }\n');
  const { stderr } = run('install', 'claude-code', '--sandbox', '--yes');
  assert.match(
    stderr,
    /^PROBLEM: the sandbox has a hole: .*settings\.json:1 switches the sandbox off here \(sandbox\.enabled\)$/m,
  );
});

check('uninstall shows every line with --diff', () => {
  const { run } = place();
  run('install', 'claude-code', '--yes');
  assert.match(
    run('uninstall', 'claude-code', '--dry-run', '--diff').stdout,
    /^--- .*\n\+\+\+ \/dev\/null\n@@ -1,\d+ \+0,0 @@\n-\{$/m,
  );
  assert.not.match(run('uninstall', 'claude-code', '--dry-run').stdout, /@@/);
});

check('without a terminal and without --yes it changes nothing', () => {
  const { run, home } = place();
  const { status, stderr } = run('install', 'claude-code');
  assert.is(status, 3);
  assert.match(stderr, /no terminal to ask at; nothing was changed/);
  assert.equal(readdirSync(home), []);
});

check('the second time there is nothing to do, and nothing changes', () => {
  const { run, settings } = place();
  assert.is(run('install', 'claude-code', '--yes').status, 0);
  const text = readFileSync(settings, 'utf8');
  const { status, stdout } = run('install', 'claude-code', '--yes');
  assert.is(status, 0);
  assert.match(stdout, /^Already installed: .*settings\.json$/m);
  assert.is(readFileSync(settings, 'utf8'), text);
});

check('the copy holds every bundle and code cache that the hook and the gateway may load', () => {
  const { run, home } = place();
  run('install', 'claude-code', '--yes');
  const versions = join(home, '.local/share/policy/versions');
  const copied = readdirSync(join(versions, readdirSync(versions)[0] ?? '', 'dist'));
  const bundles = join(dirname(dirname(COMMAND)), 'dist');
  const isMadeHere = (name: string) => /\.v\d+\.\d+\.\d+-\d+-\d+\.cache$/.test(name);
  for (const name of readdirSync(bundles)) if (/\.(?:cjs|cache|pack)$/.test(name)) assert.ok(copied.includes(name), name);
  for (const name of copied.filter((one) => !isMadeHere(one))) {
    const text = readFileSync(join(bundles, name), 'latin1');
    for (const [, wanted = ''] of text.matchAll(/__dirname,\s*["'`]([\w.-]+)["'`]/g)) assert.ok(copied.includes(wanted), wanted);
  }
  // The gateway is started without the options under which caches for one node are made.
  const shipped = copied.filter((name) => /^(?!gateway).*\.cache$/.test(name) && !isMadeHere(name));
  const made = copied.filter(isMadeHere);
  assert.equal(
    made.map((name) => name.replace(/\.v\d.*/, '')),
    shipped.map((name) => name.replace(/\.node\d.*/, '')),
    'every bundle that has a shipped cache has one for this node',
  );
});

test('code caches come from the copy that the settings name, and from no other', () => {
  const bundles = scratch({});
  const built = join(dirname(dirname(COMMAND)), 'dist');
  for (const name of readdirSync(built))
    if (/\.(?:cjs|pack|js)$|\.node\d+\.cache$/.test(name)) cpSync(join(built, name), join(bundles, name));
  const versions = scratch({});
  const wanted = { bundles, versions, version: '1.0.0', node: realpathSync(process.execPath), shared: false };
  const first = programCopy({ ...wanted, installed: [] });
  assert.equal(first.nodeOptions, NODE_OPTIONS);
  first.make();
  const [name = ''] = readdirSync(versions);
  // Whole by its own list of digests, as everybody can make one.
  const planted = plantedCopy(versions, name);
  const cacheOf = (copy: string) => readFileSync(copy.replace(/hook\.cjs$/, cacheIn(dirname(copy))), 'latin1');
  const cacheIn = (folder: string) => readdirSync(folder).find((one) => /^hook-main\.v/.test(one)) ?? '';
  assert.is(programCopy({ ...wanted, installed: [first.hook] }).hook, first.hook, 'the second time nothing changes');
  assert.is(cacheOf(join(versions, planted, 'dist/hook.cjs')), 'planted');
  const another = programCopy({ ...wanted, installed: [] });
  another.make();
  assert.is.not(cacheOf(another.hook), 'planted');
  writeFileSync(join(bundles, 'hook-main.cjs'), 'another program');
  assert.is.not(dirname(programCopy({ ...wanted, installed: [first.hook] }).hook), dirname(first.hook), 'another program');
});

/** A copy beside another whose code caches are texts of ours; gives its name. */
function plantedCopy(versions: string, name: string): string {
  const digest = (content: string | Buffer) => createHash('sha256').update(content).digest('hex');
  const manifest = JSON.parse(readFileSync(join(versions, name, 'installed.json'), 'utf8'));
  const cache = Object.keys(manifest.files).find((one) => /^hook-main\.v/.test(one)) ?? '';
  manifest.files[cache] = digest('planted');
  const entries = Object.entries(manifest.files).map(([file, of]) => `${file} ${of}`);
  const planted = name.replace(/[0-9a-f]{32}$/, digest([manifest.version, ...entries].join('\n')).slice(0, 32));
  cpSync(join(versions, name), join(versions, planted), { recursive: true });
  writeFileSync(join(versions, planted, 'dist', cache), 'planted');
  writeFileSync(join(versions, planted, 'installed.json'), `${JSON.stringify(manifest, null, 2)}\n`);
  assert.is(copyProblemOf(join(versions, planted, 'dist/hook.cjs')), null);
  return planted;
}

test('where node does not make code caches, the line starts it without options', () => {
  const bundles = scratch({ 'hook.cjs': '', 'train-hook.js': 'process.exit(1);\n' });
  const wanted = { bundles, version: '1.0.0', node: realpathSync(process.execPath), shared: false, installed: [] };
  assert.equal(programCopy({ ...wanted, versions: scratch({}) }).nodeOptions, []);
  const { TMPDIR } = process.env;
  try {
    process.env.TMPDIR = join(bundles, 'missing');
    const nowhere = programCopy({ ...wanted, versions: join(bundles, 'versions') });
    assert.equal(nowhere.nodeOptions, [], 'no place for temporary files');
  } finally {
    if (TMPDIR === undefined) delete process.env.TMPDIR;
    else process.env.TMPDIR = TMPDIR;
  }
  writeFileSync(join(bundles, 'train-hook.js'), "require('node:fs').writeFileSync(`${process.argv[3]}/a.x.cache`, '');\n");
  assert.equal(programCopy({ ...wanted, versions: scratch({}) }).nodeOptions, NODE_OPTIONS);
});

check('the installed line starts the copy, from a folder outside of every repository, and judges', () => {
  const { run, settings, cwd, home } = place();
  run('install', 'claude-code', '--yes', ...UNHURRIED);
  const [group] = JSON.parse(readFileSync(settings, 'utf8')).hooks.PreToolUse;
  const command: string = group.hooks[0].command;
  assert.match(command, new RegExp(` ${home}/\\.local/share/policy/versions/[\\d.]+-[0-9a-f]{32}/dist/hook\\.cjs claude-code `));
  assert.not.match(command, / --project /);
  assert.match(command, / --config-dir \/.* --state-dir \//);
  assert.match(command, new RegExp(`node ${NODE_OPTIONS.join(' ')} /`));
  const payload = { hook_event_name: 'PreToolUse', session_id: 's', cwd, tool_name: 'Bash', tool_input: { command: 'rm -rf /' } };
  return new Promise<void>((resolve, reject) => {
    const child = execFile('/bin/sh', ['-c', command], { cwd, env: { PATH: '/usr/bin:/bin' } }, (_error, stdout, stderr) => {
      try {
        assert.is(child.exitCode, 2);
        assert.match(stderr, /^policy denied Bash: /);
        assert.is(stdout, jsonDenial(stderr.trimEnd()), 'what the client shows in place of the whole command line');
        resolve();
      } catch (error) {
        reject(error);
      }
    });
    child.stdin?.end(JSON.stringify(payload));
  });
});

check('--deadline stands in the line; installed again without it, the shipped one does', () => {
  const { run, settings } = place();
  const deadline = () => / -k 1 ([\d.]+) |' ([\d.]+) /.exec(readFileSync(settings, 'utf8'))?.slice(1).join('');
  for (const wrong of ['0', '26', 'long', '-1', '']) {
    const { status, stderr } = run('install', 'claude-code', '--yes', `--deadline=${wrong}`);
    assert.is(status, 3, wrong);
    assert.match(stderr, /--deadline must be a number of seconds between 0\.1 and 25/);
  }
  assert.is(run('install', 'claude-code', '--yes', '--deadline', '5').status, 0);
  assert.is(deadline(), '5');
  assert.is(run('install', 'claude-code', '--yes').status, 0);
  assert.is(deadline(), '1.5');
});

check('the copy, wherever it lies, is out of the reach of the calls that it judges', () => {
  const { cwd, env, home, settings } = place();
  const XDG_DATA_HOME = join(home, 'data');
  assert.is(policy(['install', 'claude-code', '--yes', ...UNHURRIED], { cwd, env: { ...env, XDG_DATA_HOME } }).status, 0);
  const versions = join(XDG_DATA_HOME, 'policy/versions');
  const copy = join(versions, readdirSync(versions)[0] ?? '');
  const [group] = JSON.parse(readFileSync(settings, 'utf8')).hooks.PreToolUse;
  const attacks: readonly (readonly [tool: string, input: Readonly<Record<string, string>>])[] = [
    ['Write', { file_path: join(copy, 'dist/hook-main.cjs'), content: '' }],
    ['Write', { file_path: join(copy, 'dist/hook-main.node99.cache'), content: '' }],
    ['Edit', { file_path: join(copy, 'installed.json'), old_string: 'a', new_string: 'b' }],
    ['Write', { file_path: join(versions, '0.0.1-x/dist/hook.cjs'), content: '' }],
    ['Bash', { command: `cp /dev/null ${join(copy, 'dist/hook.cjs')}` }],
    ['Bash', { command: `mv ${copy} ${cwd}/x` }],
    ['Bash', { command: `rm -r ${XDG_DATA_HOME}/policy` }],
    ['Bash', { command: `sed -i s/a/b/ ${settings}` }],
    ['Write', { file_path: settings, content: '{}' }],
  ];
  for (const [tool_name, tool_input] of attacks) {
    const payload = { hook_event_name: 'PreToolUse', session_id: 's', cwd, tool_name, tool_input };
    const { status, stderr } = spawnSync('/bin/sh', ['-c', group.hooks[0].command], {
      cwd,
      env: { PATH: '/usr/bin:/bin' },
      input: JSON.stringify(payload),
      encoding: 'utf8',
    });
    assert.is(status, 2, `${tool_name} ${JSON.stringify(tool_input)}: ${stderr}`);
    assert.match(stderr, /^policy denied (?:Write|Edit|Bash): /, stderr);
  }
});

check('inside a coding agent both refuse, and look all the same', () => {
  const { cwd, env, home } = place();
  const agent = { cwd, env: { ...env, CLAUDECODE: '1' } };
  for (const command of ['install', 'uninstall']) {
    const { status, stderr } = policy([command, 'claude-code', '--yes'], agent);
    assert.is(status, 3);
    assert.match(
      stderr,
      new RegExp(`^policy ${command} changes what agents may do, so a person has to run it.*Nothing was changed\\.$`, 'm'),
    );
    assert.is(policy([command, 'claude-code', '--dry-run'], agent).status, 0);
  }
  assert.equal(readdirSync(home), []);
});

check('a place for the program inside a repository is refused', () => {
  const { cwd, env } = place();
  const { status, stderr } = policy(['install', 'claude-code', '--yes'], {
    cwd,
    env: { ...env, XDG_DATA_HOME: join(cwd, 'data') },
  });
  assert.is(status, 3);
  assert.match(stderr, /lies inside the repository .*, where agents may write/);
  assert.not.ok(existsSync(join(cwd, 'data')));
  assert.not.ok(existsSync(join(env.HOME, '.claude')));
});

check('a runner without such a place says which it has', () => {
  const { run } = place();
  const { status, stderr } = run('install', 'agent-code', '--yes');
  assert.is(status, 3);
  assert.match(stderr, /agent-code has no known user place for hooks; use --project/);
});

check('two places at once are refused', () => {
  assert.match(
    place().run('install', 'codex', '--user', '--project', '--yes').stderr,
    /Give one of --user and --project, not both/,
  );
});

check('settings that were moved by the runner’s own variable are found there', () => {
  const { cwd, env, home } = place();
  const moved = join(home, 'elsewhere');
  const { status, stdout } = policy(['install', 'codex', '--yes'], { cwd, env: { ...env, CODEX_HOME: moved } });
  assert.is(status, 0);
  // Codex runs nothing untrusted: that comes first.
  assert.match(
    stdout,
    /^OPEN: Codex does not run the hook in .*elsewhere\/hooks\.json: this version of it is not trusted .* Next: start codex/,
  );
  assert.ok(existsSync(join(moved, 'hooks.json')));
  assert.not.ok(existsSync(join(home, '.codex')));
});

check('a home that is no folder is named; so is a directory that was deleted', () => {
  const { cwd, run } = place();
  const { status, stderr } = policy(['install', 'claude-code', '--yes'], { cwd, env: { HOME: '/dev/null' } });
  assert.is(status, 3);
  assert.match(stderr, /^\/dev\/null[^\n]*\n$/);
  assert.not.match(stderr, /internal/);
  assert.is(run('status').status, 0);
  const [line, ...words] = ['mkdir gone && cd gone && rmdir ../gone && exec "$@"', 'sh', process.execPath, COMMAND, 'status'];
  const gone = spawnSync('/bin/sh', ['-c', line ?? '', ...words], { cwd, encoding: 'utf8' });
  assert.is(gone.status, 3, gone.stderr);
  assert.is(gone.stderr, 'This directory was deleted; go to one that is there\n');
});

test('the project at the top of the disk has its settings there', () => {
  const runner = runnerNamed('cursor');
  assert.ok(runner);
  const places = { home: scratch({}), project: '/', machine: '', environment: {} };
  assert.is(hookTarget(runner, 'project', places).path, '/.cursor/hooks.json');
  const project = realpathSync(scratch({}));
  symlinkSync(scratch({}), join(project, '.cursor'));
  assert.throws(() => hookTarget(runner, 'project', { ...places, project }), /leads outside the project/);
});

check('uninstall takes the hook out of what it can read, names the file that it cannot, and fails', () => {
  const { run, settings, cwd, write } = place();
  const before = '{ "model": "opus" }\n';
  write(settings, before);
  run('install', 'claude-code', '--yes', ...UNHURRIED);
  const local = join(cwd, '.claude/settings.local.json');
  mkdirSync(dirname(local), { recursive: true });
  writeFileSync(local, '{ "hooks": \n');
  const looked = run('uninstall', 'claude-code', '--dry-run');
  assert.is(looked.status, 3);
  const { status, stdout, stderr } = run('uninstall', 'claude-code', '--yes');
  assert.is(status, 3, stderr);
  assert.match(stdout, /^Hook removed from: .*settings\.json$/m);
  assert.match(stderr, /^error: .*settings\.local\.json: line 2: this is not valid JSON .*; any policy hook in it stays$/m);
  assert.is(readFileSync(settings, 'utf8'), before);
  const again = run('uninstall', 'claude-code', '--yes');
  assert.is(again.status, 3, 'with nothing else to do it says the same');
  assert.match(again.stderr, /settings\.local\.json: line 2/);
  assert.is(run('uninstall', 'claude-code', '--user', '--yes').status, 0, 'a file that was not meant is not looked at');
  writeFileSync(local, '{}\n');
  assert.is(run('uninstall', 'claude-code', '--yes').status, 0);
});

check('uninstall works with a broken policy, keeps it and the log, and says so', () => {
  const { run, cwd, home } = place({ 'policy.yaml': 'version: 1\ndeny: [Bash(]\n' });
  assert.is(run('install', 'claude-code', '--yes').status, 0);
  assert.is(run('install', 'claude-code', '--project', '--yes').status, 0);
  mkdirSync(join(home, '.local/state/policy/log'), { recursive: true });
  writeFileSync(join(home, '.local/state/policy/log/decisions-2026-01-01.jsonl'), '{}\n');
  const { status, stdout } = run('uninstall', 'claude-code', '--yes');
  assert.is(status, 0);
  assert.match(stdout, /^Removed: .*\/\.claude\/settings\.json$/m);
  assert.match(stdout, /^Removed: .*\/\.claude\/settings\.local\.json$/m);
  assert.match(stdout, /^Kept: your policy, the decision log and the program/m);
  assert.not.ok(existsSync(join(home, '.claude')));
  assert.not.ok(existsSync(join(cwd, '.claude')));
  assert.ok(existsSync(join(home, '.local/state/policy/log/decisions-2026-01-01.jsonl')));
  assert.match(run('uninstall', 'claude-code', '--yes').stdout, /^Not installed: /);
});

check('uninstall --all: hooks of every project and MCP servers as they were, no copy, no state; the policy stays', () => {
  const { cwd, home, settings, write, run, env } = place({ '.mcp.json': '{ "mcpServers": { "a": { "command": "node" } } }\n' });
  const other = place();
  write(settings, '{ "model": "m" }\n');
  write(join(home, '.config/policy/policy.yaml'), 'version: 1\n');
  assert.is(run('install', 'claude-code', '--yes').status, 0);
  assert.is(run('mcp', 'install', 'claude-code', '--yes').status, 0);
  assert.is(policy(['install', 'claude-code', '--project', '--yes'], { cwd: other.cwd, env }).status, 0);
  const before = readFileSync(settings, 'utf8');
  const told = run('uninstall', '--all', '--dry-run');
  assert.is(told.status, 0, told.stderr);
  for (const named of [
    settings,
    join(other.cwd, '.claude/settings.local.json'),
    join(cwd, '.mcp.json'),
    '.local/share/policy/versions',
  ])
    assert.ok(told.stdout.includes(named), `${named}\n${told.stdout}`);
  assert.is(readFileSync(settings, 'utf8'), before);
  assert.is(run('uninstall', '--all').status, 3, 'nobody said yes');
  const done = run('uninstall', '--all', '--yes');
  assert.is(done.status, 0, done.stderr);
  assert.is(readFileSync(settings, 'utf8'), '{ "model": "m" }\n');
  assert.is(readFileSync(join(cwd, '.mcp.json'), 'utf8'), '{ "mcpServers": { "a": { "command": "node" } } }\n');
  assert.is(existsSync(join(other.cwd, '.claude')), false);
  assert.equal([existsSync(join(home, '.local/share/policy')), existsSync(join(home, '.local/state/policy'))], [false, false]);
  assert.is(existsSync(join(home, '.config/policy/policy.yaml')), true);
  assert.match(run('uninstall', '--all').stdout, /^Nothing of policy is installed here\.$/m);
});

check(
  'uninstall --all keeps the program for a hook in another configuration folder, and for a record that cannot be read',
  () => {
    const moved = place();
    const elsewhere = { ...moved.env, CLAUDE_CONFIG_DIR: join(moved.home, 'other') };
    assert.is(policy(['install', 'claude-code', '--yes'], { cwd: moved.cwd, env: elsewhere }).status, 0);
    const first = moved.run('uninstall', '--all', '--yes');
    assert.is(first.status, 3, first.stdout);
    assert.match(first.stderr, /^error: .*\/other\/settings\.json may still name the program$/m);
    assert.is(existsSync(join(moved.home, '.local/share/policy/versions')), true);
    assert.is(policy(['uninstall', '--all', '--yes'], { cwd: moved.cwd, env: elsewhere }).status, 0);
    assert.is(existsSync(join(moved.home, '.local/share/policy')), false);

    const damaged = place();
    const other = place();
    assert.is(policy(['install', 'claude-code', '--project', '--yes'], { cwd: other.cwd, env: damaged.env }).status, 0);
    const records = join(damaged.home, '.local/state/policy/installs');
    for (const name of readdirSync(records)) writeFileSync(join(records, name), '{');
    assert.is(damaged.run('uninstall', '--all', '--yes').status, 3);
    assert.is(existsSync(join(damaged.home, '.local/share/policy/versions')), true);
  },
);

check('uninstall --all keeps the program where a hook cannot be removed', () => {
  const { home, settings, write, run } = place();
  assert.is(run('install', 'claude-code', '--yes').status, 0);
  write(settings, `${readFileSync(settings, 'utf8')}}`);
  const { status, stdout } = run('uninstall', '--all', '--yes');
  assert.is(status, 3, stdout);
  assert.is(existsSync(join(home, '.local/share/policy/versions')), true);
});

check('uninstall --old deletes copies that no hook on record has started for 30 days, and none while a record is unclear', () => {
  const { home, run } = place();
  assert.is(run('install', 'claude-code', '--yes').status, 0);
  const versions = join(home, '.local/share/policy/versions');
  const [used = ''] = readdirSync(versions);
  const names = ['0.0.1-old', '0.0.2-fresh'];
  for (const name of names) mkdirSync(join(versions, name));
  const longAgo = new Date(Date.now() - 40 * 86_400_000);
  for (const name of [used, '0.0.1-old']) utimesSync(join(versions, name), longAgo, longAgo);
  assert.match(run('uninstall', '--old', '--dry-run').stdout, /^Old copy of the program: .*0\.0\.1-old\nNothing was changed/);
  assert.match(run('doctor').stdout, /One old copy of the program .*\n +fix: policy uninstall --old\n/);
  assert.is(run('uninstall', '--old').status, 3, 'nobody said yes');
  const damaged = join(home, '.local/state/policy/installs/x.json');
  writeFileSync(damaged, '{');
  assert.match(run('uninstall', '--old', '--yes').stdout, /^There is no old copy/);
  rmSync(damaged);
  assert.is(run('uninstall', '--old', '--yes').status, 0);
  assert.equal(readdirSync(versions).sort(), ['0.0.2-fresh', used].sort());
});

test.run();
