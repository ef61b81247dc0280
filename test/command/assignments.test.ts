/** Assignments before commands: the short harmless list, the refused ones, and everything else. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { judgeAssignments, judgeBareAssignments } from '../../src/command/model/assignments.js';
import { data } from '../../src/generated/data.js';
import { validateCommandAssignments } from '../../src/generated/validators/command-assignments.js';
import { validateCommandWrappers } from '../../src/generated/validators/command-wrappers.js';
import type { ShellAssignment } from '../../src/shell/syntax/types.js';

const assignment = (name: string, value: string | null, append = false): ShellAssignment => ({
  name,
  value,
  append,
  span: { start: 0, end: 1 },
});

/** Name, value, rating of the issue (empty for none), why. */
const ROWS: readonly (readonly [string, string | null, string, string])[] = [
  ['GIT_PAGER', 'cat', '', 'cat pages nothing'],
  ['GIT_PAGER', 'less', 'refuse', 'any other pager is a program to run'],
  ['GIT_PAGER', null, 'refuse', 'a value that nobody knows is no better'],
  ['GIT_TERMINAL_PROMPT', '0', '', 'no prompt'],
  ['GIT_TERMINAL_PROMPT', '1', 'care', 'only the exact value'],
  ['GIT_OPTIONAL_LOCKS', '0', '', 'fewer writes'],
  ['GH_PROMPT_DISABLED', '1', '', 'no prompt'],
  ['GH_PAGER', 'cat', '', 'cat pages nothing'],
  ['GH_PAGER', 'sh -c x', 'refuse', 'a program to run'],
  ['PAGER', 'cat', '', 'cat pages nothing'],
  ['PAGER', 'sh', 'refuse', 'a program to run'],
  ['CODEX_HOME', '/tmp/x', 'refuse', 'other settings'],
  ['ESBUILD_BINARY_PATH', './x', 'refuse', 'a program to run'],
  ['KUBECTL_EXTERNAL_DIFF', './x', 'refuse', 'a program to run'],
  ['COMPOSE_FILE', '../x.yml', 'refuse', 'other containers'],
  ['NODE_REDIRECT_WARNINGS', 'x', 'refuse', 'a file that is written'],
  ['NO_COLOR', '1', '', 'any simple value'],
  ['NO_COLOR', '', '', 'also none'],
  ['NO_COLOR', null, 'care', 'but not an unknown one'],
  ['NO_COLOR', '$(x)', 'care', 'nor a strange one'],
  ['FORCE_COLOR', '3', '', 'colours'],
  ['LC_ALL', 'C', '', 'a locale'],
  ['LC_ALL', 'C.UTF-8', '', 'a locale'],
  ['LC_TIME', 'de_DE.UTF-8@euro', '', 'a locale'],
  ['LC_ALL', '/tmp/evil', 'care', 'a locale by path is code and data of a stranger'],
  ['LC_ALL', '../../tmp/evil', 'care', 'also a relative one'],
  ['LANG', 'en_US.UTF-8', '', 'a locale'],
  ['LC_ALL', '', '', 'that of LANG'],
  ['LC_ALL', 'ja_JP.SJIS', 'care', 'a backslash or | may be half a letter'],
  ['LANG', 'zh_TW', 'care', 'Big5, where a locale has no charset'],
  ['LC_CTYPE', 'zh_CN.GBK', 'care', 'the same'],
  ['TZ', 'UTC', '', 'a time zone'],
  ['TZ', 'Europe/Berlin', '', 'a time zone'],
  ['TZ', 'America/Argentina/Ushuaia', '', 'a time zone'],
  ['TZ', ':/etc/passwd', 'care', 'a file'],
  ['TZ', '../x', 'care', 'a file'],
  ['CI', 'true', '', 'a word'],
  ['NODE_ENV', 'test', '', 'a word'],
  ['NODE_ENV', '-r ./x', 'care', 'no word'],
  ['COLUMNS', '80', '', 'a number'],
  ...[
    'GIT_SSH_COMMAND',
    'GIT_EXTERNAL_DIFF',
    'GIT_EDITOR',
    'GIT_PROXY_COMMAND',
    'GIT_CONFIG_COUNT',
    'GIT_CONFIG_KEY_0',
    'GIT_CONFIG',
    'GIT_ALLOW_PROTOCOL',
    'GIT_DIR',
    'GIT_INDEX_FILE',
    'GIT_OBJECT_DIRECTORY',
    'GIT_TRACE',
    'GIT_TRACE2_EVENT',
    'GIT_ASKPASS',
    'SSH_ASKPASS',
    'HOME',
    'XDG_CONFIG_HOME',
    'BROWSER',
    'GH_HOST',
    'GH_TOKEN',
    'GH_CONFIG_DIR',
    'EDITOR',
    'VISUAL',
    'LD_PRELOAD',
    'LD_LIBRARY_PATH',
    'DYLD_INSERT_LIBRARIES',
    'BASH_ENV',
    'BASH_FUNC_git%%',
    'ENV',
    'PATH',
    'NODE_OPTIONS',
    'PYTHONPATH',
    'PYTHONSTARTUP',
    'PERL5OPT',
    'RUBYOPT',
    'IFS',
    'http_proxy',
    'HTTPS_PROXY',
    'RIPGREP_CONFIG_PATH',
    'LESSOPEN',
    'PS4',
    'PROMPT_COMMAND',
    'BASH_ALIASES[git]',
  ].map((name) => [name, 'x', 'refuse', 'makes programs run, read or write something else'] as const),
  ['PORT', '3000', '', 'a number'],
  ['DEBUG', '1', '', 'on or off'],
  ['DEBUG', 'api', 'care', 'gh prints what it sends'],
  ['LANGUAGE', 'de:en', '', 'languages'],
  ['LANGUAGE', '../x', 'care', 'a folder'],
  ['RUST_LOG', 'debug', '', 'a level'],
  ...[
    'GNUMAKEFLAGS',
    'MAKEFLAGS',
    'GOCACHEPROG',
    'GOROOT',
    'GOTOOLCHAIN',
    'GOFLAGS',
    'CGO_CFLAGS',
    'PYTEST_ADDOPTS',
    'PYTEST_PLUGINS',
    'MAVEN_OPTS',
    'GRADLE_OPTS',
    'RUSTFLAGS',
    'RUSTC_WRAPPER',
    'CARGO_BUILD_RUSTC_WRAPPER',
    'DOTNET_STARTUP_HOOKS',
    'CORECLR_PROFILER_PATH',
    'PHP_INI_SCAN_DIR',
    'BUNDLE_GEMFILE',
  ].map((name) => [name, 'x', 'refuse', 'makes a build tool run something else'] as const),
  ['FOO', '1', 'care', 'not on any list'],
  ['path', '/x', 'care', 'names are case-sensitive'],
  ['__proto__', 'x', 'care', 'a name like any other'],
  ['constructor', 'x', 'care', 'a name like any other'],
];

for (const [name, value, rating, why] of ROWS) {
  test(`${name}=${value}: ${rating || 'harmless'}: ${why}`, () => {
    const issues = judgeAssignments([assignment(name, value)]);
    assert.is(issues.map((issue) => issue.rating).join(' '), rating);
    for (const issue of issues) {
      assert.is(issue.code, issue.rating === 'refuse' ? 'assignment/executes' : 'assignment/unlisted');
      assert.is(issue.word, -1);
      assert.is(issue.option, `${name}=`);
    }
    // The shell itself reads the next lines in its locale.
    const stays = rating === 'refuse' || (rating === 'care' && /^(?:LANG$|LC_)/.test(name));
    assert.is(judgeBareAssignments([assignment(name, value)]).length, stays ? 1 : 0);
  });
}

test('appending to a harmless variable is not the harmless value', () => {
  assert.is(judgeAssignments([assignment('NO_COLOR', '1', true)])[0]?.rating, 'care');
  assert.is(judgeAssignments([assignment('PATH', ':/x', true)])[0]?.rating, 'refuse');
});

test('each of several assignments is judged', () => {
  const issues = judgeAssignments([assignment('CI', '1'), assignment('FOO', '1'), assignment('PATH', '/x')]);
  assert.equal(
    issues.map((issue) => issue.rating),
    ['care', 'refuse'],
  );
});

test('the files of assignments and wrappers have the shape that their schemas say', () => {
  assert.ok(validateCommandAssignments(data('commands/assignments')));
  assert.ok(validateCommandWrappers(data('commands/wrappers')));
});

test.run();
