/** Which variables of the environment are a concern, and for which commands. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { hazardousVariables } from '../../../src/enforce/facts/environment.js';

const rows: readonly (readonly [string, string, string | null])[] = [
  ['PATH', '/usr/bin:/bin', null],
  ['PATH', '/usr/bin:', '*'],
  ['PATH', ':/usr/bin', '*'],
  ['PATH', '/usr/bin::/bin', '*'],
  ['PATH', '', '*'],
  ['PATH', '/usr/bin:node_modules/.bin', '*'],
  ['PATH', '/usr/bin:C:/x', '*'],
  ['LD_LIBRARY_PATH', '/opt/lib', null],
  ['LD_LIBRARY_PATH', '', null],
  ['LD_LIBRARY_PATH', '/opt/lib:', '*'],
  ['LD_LIBRARY_PATH', 'lib', '*'],
  ['LD_PRELOAD', '/x.so', '*'],
  ['LD_PRELOAD', '', null],
  ['GCONV_PATH', '/x', '*'],
  ['BASH_FUNC_ls%%', '() { evil; }', '*'],
  ['__BASH_FUNC<ls>()', '() { evil; }', '*'],
  ['BASH_FUNC_which%%', '() { x; }', 'which'],
  ['ENV', './evil', '*'],
  ['ENV', 'production', null],
  ['PS4', '$(evil)', '*'],
  ['PS4', '+ ', null],
  ['SHELLOPTS', 'xtrace', '*'],
  ['CDPATH', '/elsewhere', '*'],
  ['GIT_TRACE', '1', null],
  ['GIT_TRACE', '/home/me/.bashrc', 'git'],
  ['GIT_TRACE2_EVENT', 'af_unix:/x', 'git'],
  ['GIT_TRACE2_PARENT_SID', '20260101T000000.0Z-H0-P1/x', null],
  ['GIT_CONFIG', 'x', 'git'],
  ['GIT_ATTR_SOURCE', 'HEAD', 'git'],
  ['GIT_ASKPASS', './evil', 'git'],
  ['GIT_ASKPASS', '/bin/true', null],
  ['RIPGREP_CONFIG_PATH', '.ripgreprc', 'rg'],
  ['PERL5OPT', '-Mevil', 'perl'],
  ['TAR_OPTIONS', '--to-command=sh', 'tar'],
  ['LESSOPEN', '| ./evil %s', 'less'],
  ['LESSOPEN', '| /usr/bin/lesspipe %s', null],
  ['NODE_OPTIONS', '--max-old-space-size=4096 --no-warnings', null],
  ['NODE_OPTIONS', '', null],
  ['HOME', '/home/me', null],
  ['__proto__x', 'y', null],
];

for (const [name, value, affects] of rows) {
  test(`${name}=${value} is ${affects === null ? 'no concern' : `a concern for ${affects}`}`, () =>
    assert.equal(hazardousVariables({ [name]: value }, 'linux'), affects === null ? [] : [{ name, affects }]));
}

/** The count, then keys and values of settings that git takes from the environment. */
const SETTINGS: readonly (readonly [
  why: string,
  count: string,
  pairs: readonly (readonly [string, string])[],
  harmless: boolean,
])[] = [
  ['what Copilot CLI sets', '1', [['safe.bareRepository', 'explicit']], true],
  [
    'two harmless ones',
    '2',
    [
      ['safe.bareRepository', 'explicit'],
      ['core.fsmonitor', 'false'],
    ],
    true,
  ],
  [
    'a program beside it',
    '2',
    [
      ['safe.bareRepository', 'explicit'],
      ['core.fsmonitor', './evil'],
    ],
    false,
  ],
  ['a program', '1', [['core.sshCommand', './evil']], false],
  ['an alias', '1', [['alias.status', '!evil']], false],
  ['less strict', '1', [['safe.bareRepository', 'all']], false],
  ['a pair that is not there', '2', [['safe.bareRepository', 'explicit']], false],
  ['a count that git reads otherwise', '01', [['safe.bareRepository', 'explicit']], false],
  ['no number', '1:2', [['safe.bareRepository', 'explicit']], false],
];

for (const [why, count, pairs, harmless] of SETTINGS)
  test(`GIT_CONFIG_COUNT=${count}, ${why}: ${harmless ? 'no concern' : 'a concern for git'}`, () => {
    const environment = Object.fromEntries([
      ['GIT_CONFIG_COUNT', count],
      ...pairs.flatMap(([key, value], at) => [
        [`GIT_CONFIG_KEY_${at}`, key],
        [`GIT_CONFIG_VALUE_${at}`, value],
      ]),
    ]) as Record<string, string>;
    assert.equal(hazardousVariables(environment, 'linux'), harmless ? [] : [{ name: 'GIT_CONFIG_COUNT', affects: 'git' }]);
  });

for (const value of [
  '--require ./evil.js',
  '-r=x',
  '--import=data:x',
  '--no-warnings --loader=x',
  '--max-old-space-size\t-r x',
  'x',
])
  test(`NODE_OPTIONS=${value} may load code into whatever node runs`, () => {
    const affected = hazardousVariables({ NODE_OPTIONS: value }, 'linux').map(({ affects }) => affects);
    assert.ok(affected.includes('node') && affected.includes('npm'), affected.join());
    assert.not(affected.includes('*'));
  });

test('on Windows names have no case, lists another separator, and empty elements no meaning', () => {
  assert.equal(hazardousVariables({ Path: 'C:\\Windows;C:\\x;' }, 'win32'), []);
  assert.equal(hazardousVariables({ Path: 'C:\\Windows;.' }, 'win32'), [{ name: 'Path', affects: '*' }]);
});

test('an environment that may change is read anew, and one that cannot is read once for a platform', () => {
  const changing: Record<string, string> = { LD_PRELOAD: '/x.so' };
  assert.is(hazardousVariables(changing, 'linux').length, 1);
  changing.LD_PRELOAD = '';
  assert.equal(hazardousVariables(changing, 'linux'), []);
  const fixed = Object.freeze({ ld_preload: '/x.so' });
  assert.equal(hazardousVariables(fixed, 'linux'), []);
  assert.is(hazardousVariables(fixed, 'linux'), hazardousVariables(fixed, 'linux'));
  assert.equal(hazardousVariables(fixed, 'win32'), [{ name: 'ld_preload', affects: '*' }]);
});

test.run();
