/** Writing the mode of a policy: where it goes in each format, and that nothing else changes. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { newModeText, setMode } from '../../src/policy/edit/mode.js';
import type { Policy } from '../../src/policy/policy.js';
import type { Format } from '../../src/policy/read/located.js';

type Row = readonly [why: string, format: Format, mode: Policy['mode'], before: string, after: string | null];

const ROWS: readonly Row[] = [
  ['below the version', 'yaml', 'observe', 'version: 1\npreset: safe\n', 'version: 1\nmode: observe\npreset: safe\n'],
  [
    'a comment behind the version stays',
    'yaml',
    'observe',
    '# mine\nversion: 1 # first\n',
    '# mine\nversion: 1 # first\nmode: observe\n',
  ],
  ['no line end at the end', 'yaml', 'observe', 'version: 1', 'version: 1\nmode: observe\n'],
  [
    'Windows line ends stay',
    'yaml',
    'observe',
    'version: 1\r\ndeny: [Bash]\r\n',
    'version: 1\r\nmode: observe\r\ndeny: [Bash]\r\n',
  ],
  [
    'keys that are indented',
    'yaml',
    'observe',
    '  version: 1\n  deny: [Bash]\n',
    '  version: 1\n  mode: observe\n  deny: [Bash]\n',
  ],
  ['a map in brackets', 'yaml', 'observe', '{version: 1, deny: [Bash]}\n', '{version: 1, deny: [Bash], mode: observe}\n'],
  ['a byte order mark stays', 'yaml', 'observe', '\uFEFFversion: 1\n', '\uFEFFversion: 1\nmode: observe\n'],
  ['the word is replaced', 'yaml', 'enforce', 'mode: observe # try\nversion: 1\n', 'mode: enforce # try\nversion: 1\n'],
  ['in its quotes', 'yaml', 'enforce', "version: 1\nmode: 'observe'\n", "version: 1\nmode: 'enforce'\n"],
  ['behind a byte order mark', 'yaml', 'enforce', '\uFEFFversion: 1\nmode: "observe"\n', '\uFEFFversion: 1\nmode: "enforce"\n'],
  ['on the next line', 'yaml', 'observe', 'version: 1\nmode:\n  enforce\n', 'version: 1\nmode:\n  observe\n'],
  [
    'the mode of agents in a row is another key',
    'yaml',
    'observe',
    'version: 1\nsequential:\n  mode: queue\n',
    'version: 1\nmode: observe\nsequential:\n  mode: queue\n',
  ],
  ['JSON', 'json', 'observe', '{\n  "version": 1\n}\n', '{\n  "version": 1,\n  "mode": "observe"\n}\n'],
  ['JSON, replaced', 'json', 'enforce', '{"mode":"observe","version":1}', '{"mode":"enforce","version":1}'],
  ['JSON with an escape is left to a person', 'json', 'enforce', '{"mode":"obs\\u0065rve","version":1}', null],
  [
    'TOML, before its tables',
    'toml',
    'observe',
    'version = 1\n[log]\ninput = "none"\n',
    'version = 1\nmode = "observe"\n[log]\ninput = "none"\n',
  ],
  ['TOML, replaced', 'toml', 'enforce', "version = 1\nmode = 'observe'\n", "version = 1\nmode = 'enforce'\n"],
  ['a block scalar', 'yaml', 'enforce', 'version: 1\nmode: |-\n  observe\n', 'version: 1\nmode: |-\n  enforce\n'],
  ['behind a tag', 'yaml', 'enforce', 'version: 1\nmode: !!str observe\n', 'version: 1\nmode: !!str enforce\n'],
  ['a file with a mistake', 'yaml', 'observe', 'version: 1\nmod: observe\n', null],
];
for (const [why, format, mode, before, after] of ROWS)
  test(`${format}: ${why}`, () => {
    const edited = setMode(before, mode, { file: `policy.${format}`, format, layer: 'user' });
    assert.is(edited.ok ? edited.text : null, after, JSON.stringify(edited));
    if (!edited.ok) assert.ok(edited.problems.length > 0);
  });

test('a new file says its version and the mode', () => {
  assert.is(newModeText('observe'), 'version: 1\nmode: observe\n');
});

test.run();
