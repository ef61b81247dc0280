// The completion scripts, run by the shells that they are for; a shell that is not installed is counted as skipped.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { commands } from '../../src/cli/commands.js';
import { bashCompletion } from '../../src/cli/completion/bash.js';
import { fishCompletion } from '../../src/cli/completion/fish.js';
import { offersOf } from '../../src/cli/completion/offers.js';
import { powershellCompletion } from '../../src/cli/completion/powershell.js';
import { zshCompletion } from '../../src/cli/completion/zsh.js';
import { nameOf } from '../../src/cli/words/command.js';
import { PRESETS } from '../../src/policy/policy.js';
import { policy, scratch } from './spawned.js';

const test = suite('completion');
const offers = await offersOf(commands);
/** A folder whose names of files would run something if a shell ever evaluated them. */
const hostile = scratch({ '$(touch pwned)': '', '`touch pwned`': '', "'; touch pwned; '": '', 'plain.yaml': '' });
const home = scratch({});
const scripts = scratch({
  'policy.bash': bashCompletion(offers),
  '_policy.zsh': zshCompletion(offers),
  'policy.fish': fishCompletion(offers),
  'policy.ps1': powershellCompletion(offers),
});
const names = commands.map(nameOf);

/** Runs a shell in the hostile folder with a home of its own. */
function shell(program: string, args: readonly string[]) {
  const env = { PATH: process.env.PATH ?? '', HOME: home, TERM: 'xterm', LC_ALL: 'C.UTF-8' };
  return spawnSync(program, args, { cwd: hostile, env, encoding: 'utf8', timeout: 120_000 });
}

/** `test` where the shell is installed, else a test that is counted as skipped. */
function withShell(name: string): (title: string, body: () => void) => void {
  const { error } = spawnSync(name, ['-c', 'exit'], { stdio: 'ignore' });
  return error === undefined ? test : (title) => test.skip(title);
}

type Row = readonly [typed: readonly string[], offered: readonly string[]];

const rows: readonly Row[] = [
  [['che'], ['check']],
  [
    ['log', ''],
    ['export', 'prove', 'prune', 'query', 'seal', 'show', 'stats', 'tail', 'verify'],
  ],
  [['log', 'show', '--deci'], ['--decision']],
  [
    ['log', 'query', '--decision', ''],
    ['allow', 'ask', 'deny'],
  ],
  [['check', '--preset', ''], [...PRESETS].sort()],
  [['check', '--preset', 'safe', 'B'], ['Bash']],
  [['check', '--runner', 'gem'], ['gemini-cli']],
  [['check', '--shell', 'z'], ['zsh']],
  [['preset', 'expand', 'in'], ['inspect']],
  [['lint', '--format', 's'], ['sarif']],
  [['lint', '--fail-on', 'w'], ['warning']],
  [
    ['completion', ''],
    ['bash', 'fish', 'powershell', 'zsh'],
  ],
  [['help', 'li'], ['lint']],
  [['check', 'Bash', ''], []],
  [['check', '--agent', ''], []],
];

/** What bash offers for `policy WORDS`, and the options that it sets for names of files. */
function bashOffers(words: readonly string[]): { readonly offered: readonly string[]; readonly paths: string } {
  const harness = [
    'source "$0"',
    'compopt() { paths+=" $*"; }',
    'COMP_WORDS=(policy "$@"); COMP_CWORD=$#; _policy',
    'printf "%s\\n" "$paths" "${COMPREPLY[@]}"',
  ].join('\n');
  const { stdout, stderr } = shell('bash', ['--norc', '-c', harness, join(scripts, 'policy.bash'), ...words]);
  assert.is(stderr, '');
  const [paths = '', ...offered] = stdout.trimEnd().split('\n');
  return { paths: paths.trim(), offered: offered.filter((word) => word !== '').sort() };
}

const bash = withShell('bash');
for (const [typed, offered] of rows)
  bash(`bash: policy ${typed.join(' ')}`, () => {
    assert.equal(bashOffers(typed), { paths: '', offered });
  });

bash('bash: every command is offered', () => {
  assert.equal(bashOffers(['']).offered, [...names, '--help', '--version'].sort());
});

const bashPlaces: readonly (readonly [typed: readonly string[], offered: readonly string[], paths: string, why: string])[] = [
  [['check', '--preset', '=', 'sa'], ['safe'], '', 'an equals sign is a word of its own'],
  [['check', '--preset', '='], [...PRESETS].sort(), '', 'nothing behind the equals sign yet'],
  [
    ['log', '--decision', '=', 'deny', ''],
    ['export', 'prove', 'prune', 'query', 'seal', 'show', 'stats', 'tail', 'verify'],
    '',
    'the value belongs to its option',
  ],
  [['check', '--', ''], bashOffers(['check', '']).offered, '', 'behind -- comes the first argument'],
  [['check', '--', '--pre'], [], '', 'behind -- there are no options'],
  [['check', '--policy', ''], [], '-o default', 'a file'],
  [['check', '--cwd', ''], [], '-o dirnames', 'a folder'],
  [['lint', 'src', 'te'], [], '-o default', 'any number of paths'],
];
for (const [typed, offered, paths, why] of bashPlaces)
  bash(`bash: policy ${typed.join(' ')} (${why})`, () => {
    assert.equal(bashOffers(typed), { paths, offered });
  });

const fish = withShell('fish');
for (const [typed, offered] of rows)
  fish(`fish: policy ${typed.join(' ')}`, () => {
    const line = ['policy', ...typed].join(' ');
    const { stdout } = shell('fish', [
      '--no-config',
      '-c',
      'source $argv[1]; complete -C $argv[2]',
      join(scripts, 'policy.fish'),
      line,
    ]);
    const words = stdout.split('\n').map((row) => row.split('\t')[0] ?? '');
    assert.equal(words.filter((word) => word !== '').sort(), offered);
  });

const zshRows: readonly (readonly [typed: string, becomes: string])[] = [
  ['policy che', 'policy check '],
  ['policy log sh', 'policy log show '],
  ['policy log query --decision d', 'policy log query --decision deny '],
  ['policy check --preset re', 'policy check --preset readOnly '],
  ['policy check --preset=re', 'policy check --preset=readOnly '],
  ['policy preset expand in', 'policy preset expand inspect '],
  ['policy lint pl', 'policy lint plain.yaml '],
  ['policy help li', 'policy help lint '],
  ['policy --ver', 'policy --version '],
  ['policy check $(touch pwned) ', 'policy check $(touch pwned) '],
];

withShell('zsh')('zsh: completes each row in an interactive shell', () => {
  const answers = join(scripts, 'answers');
  const setUp = [
    'autoload -Uz compinit; compinit -D -u',
    `source ${join(scripts, '_policy.zsh')}`,
    `tell() { print -r -- "$BUFFER" >> ${answers}; BUFFER=; }`,
    `zle -N tell; bindkey "^I" complete-word; bindkey "^T" tell; setopt no_beep; : > ${answers}`,
  ].join('; ');
  const script = join(scripts, 'drive.zsh');
  writeFileSync(
    script,
    [
      'zmodload zsh/zpty; zmodload zsh/zselect',
      'zpty -b inner zsh -f -i',
      `zpty -w inner ${quoted(setUp)}`,
      `for tries in {1..300}; do [[ -e ${answers} ]] && break; zselect -t 10; done`,
      'integer count=0',
      `for line in ${zshRows.map(([typed]) => quoted(typed)).join(' ')}; do`,
      "  zpty -w -n inner $line$'\\t\\x14'",
      `  (( count++ )); for tries in {1..1500}; do (( $(wc -l < ${answers}) >= count )) && break; while zpty -r -t inner seen; do :; done; zselect -t 2; done`,
      'done',
      'zpty -d inner',
    ].join('\n'),
  );
  shell('zsh', ['-f', script]);
  assert.equal(
    readFileSync(answers, 'utf8').replace(/\n$/, '').split('\n'),
    zshRows.map(([, becomes]) => becomes),
  );
});

const powershell = powershellCompletion(offers);

/** The script without what stands in quotes. */
const powershellCode = powershell.replace(/'(?:[^']|'')*'/g, "''").replace(/^ *#.*$/gm, '');

test('PowerShell: texts stand in single quotes, nothing is evaluated, and brackets close', () => {
  assert.match(powershell, /^Register-ArgumentCompleter -Native -CommandName policy -ScriptBlock \{$/m);
  assert.match(powershell, /^[\n -~]*$/, 'PowerShell 5.1 reads a profile in the code page of the machine');
  assert.not.match(powershellCode, /[`"&]|\$\(|Invoke-|\biex\b/i);
  const open: string[] = [];
  for (const bracket of powershellCode.match(/[()[\]{}]/g) ?? [])
    if ('([{'.includes(bracket)) open.push(bracket);
    else assert.is(open.pop(), { ')': '(', ']': '[', '}': '{' }[bracket]);
  assert.equal(open, []);
});

test('PowerShell: a quote in a text ends no text, be it typographic', () => {
  const command = { name: 'x', describe: "It's ’$(touch pwned)", arguments: [], endless: false, options: [] };
  assert.match(powershellCompletion([command]), /Describe = 'It''s ’’\$\(touch pwned\)'\n/);
});

test('PowerShell: every command, option and word is there, and none differs from another of its command only in case', () => {
  for (const { name, options, arguments: words } of offers) {
    const from = powershell.indexOf(`        '${name}' = @{`);
    assert.ok(from > 0, name);
    const own = powershell.slice(from, powershell.indexOf('\n        }\n', from));
    const flags = options.flatMap((option) => option.flags);
    assert.is(new Set(flags.map((flag) => flag.toLowerCase())).size, flags.length, name);
    for (const flag of flags) assert.ok(own.includes(`'${flag}' = @{`), `${name} ${flag}`);
    for (const offer of words)
      if (offer.kind === 'words') for (const word of offer.words) assert.ok(own.includes(`'${word}'`), word);
  }
});

withShell('pwsh')('PowerShell: completes each row', () => {
  const places = rows.filter(([, offered]) => offered.length > 0);
  const lines = places.map(([typed]) => `policy ${typed.join(' ')}`);
  const script = [
    `. ${join(scripts, 'policy.ps1')}`,
    `foreach ($line in @(${lines.map((line) => `'${line}'`).join(', ')})) {`,
    "  (TabExpansion2 $line $line.Length).CompletionMatches.CompletionText -join ' '",
    '}',
  ].join('\n');
  const { stdout } = shell('pwsh', ['-NoProfile', '-NonInteractive', '-Command', script]);
  assert.equal(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => line.trim().split(' ').sort()),
    places.map(([, offered]) => [...offered]),
  );
});

test('nothing that stands in names of files or on the command line was evaluated', () => {
  bashOffers(['check', '$(touch pwned)', '']);
  bashOffers(['$(touch pwned)', '']);
  bashOffers(['check', '--policy', '`touch pwned`']);
  assert.is(existsSync(join(hostile, 'pwned')), false);
});

test('the command prints the same scripts, and names the shells that it knows', () => {
  assert.is(policy(['completion', 'bash'], { cwd: hostile }).stdout, bashCompletion(offers));
  assert.match(policy(['completion', 'tcsh'], { cwd: hostile }).stderr, /bash, zsh, fish, powershell/);
});

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

test.run();
