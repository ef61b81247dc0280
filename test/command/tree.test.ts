/** The tree of commands: names, verdicts on the way a command is called, places of inner commands, and bounds. */
import * as fc from 'fast-check';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { Command } from '../../src/command/model/command.js';
import { readCommands } from '../../src/command/tree.js';
import { readCommandLine } from '../../src/shell/read.js';
import { commandsOf, see } from './leaves.js';

const only = (line: string): Command => commandsOf(line)[0] as Command;
const innermost = (line: string): Command => commandsOf(line).at(-1) as Command;
const codes = (command: Command): string => command.verdict.issues.map((issue) => `${issue.rating}:${issue.code}`).join(' ');

for (const [line, name, issues, why] of [
  ['cat a', 'cat', '', 'a bare word is a name'],
  ['/bin/cat a', 'cat', 'care:command/absolute-path', 'a system folder is left off, but only the bare name is allowed'],
  ['/usr/local/bin/cat a', 'cat', 'care:command/absolute-path', 'every system folder'],
  ['/sbin/cat a', 'cat', 'care:command/absolute-path', 'every system folder'],
  ['/usr/bin/../../tmp/cat a', null, '', 'a path that only begins like a system folder is an unknown program'],
  ['./cat a', null, '', 'a path into the project is an unknown program'],
  ['/tmp/cat a', null, '', 'so is one outside'],
  ['~/bin/cat a', null, '', 'and one in the home folder'],
  ['bin/cat a', null, '', 'and a relative one'],
  ['/usr/bin/ a', null, '', 'a folder is no program'],
] as const) {
  test(`name: ${line}: ${why}`, () => {
    const command = only(line);
    assert.is(command.name, name);
    assert.is(codes(command), issues);
    assert.is(command.verdict.known, name !== null);
  });
}

for (const [line, known, issues, why] of [
  ['A=1', true, '', 'a variable of this shell harms nobody'],
  ['PATH=/x', true, 'refuse:assignment/executes', 'unless programs are found by it'],
  ['IFS=,', true, 'refuse:assignment/executes', 'or words are split by it'],
  ['A=1 cat a', true, 'care:assignment/unlisted', 'before a command an unknown variable asks'],
  ['NO_COLOR=1 cat a', true, '', 'a known one does not'],
  ['env A=1 cat a', true, 'care:assignment/unlisted', 'the assignment that env makes is that of the inner command'],
  ['sudo LD_PRELOAD=x cat a', true, 'refuse:assignment/executes', 'so is that of sudo'],
  ['export LD_PRELOAD=x', true, 'refuse:assignment/executes', 'an exported variable reaches later commands'],
  ['export NO_COLOR=1 CI', true, '', 'a harmless one does not ask'],
  ['export FOO=1', true, 'care:assignment/unlisted', 'an unknown one does'],
  ['export', true, 'care:declare care:declare/secret', 'the whole environment is not harmless to print'],
  ['export -p', true, 'care:declare care:declare/secret care:declare/secret', 'nor is it with an option'],
] as const) {
  test(`assignment: ${line}: ${why}`, () => {
    const command = innermost(line);
    assert.is(codes(command), issues);
    assert.is(command.verdict.known, known);
  });
}

test('a wrapper by a path outside the system folders is looked through, but only its own words can allow it', () => {
  const [outer, inner] = commandsOf('/opt/x/timeout 5 cat a');
  assert.equal(outer?.wrapper, { name: 'timeout', kind: 'privilege' });
  assert.is(outer?.name, null);
  assert.is(outer?.verdict.known, false);
  assert.is(inner?.name, 'cat');
});

test('a wrapper by a system path keeps its issue on the outer command', () => {
  const [outer, inner] = commandsOf('/usr/bin/timeout 5 cat a');
  assert.is(codes(outer as Command), 'care:command/absolute-path');
  assert.is(codes(inner as Command), '');
});

test('redirections and assignments of a wrapper stay on the wrapper', () => {
  const [outer, inner] = commandsOf('A=1 timeout 5 cat a > out');
  assert.is(outer?.invocation.redirections.length, 1);
  assert.is(outer?.invocation.assignments.length, 1);
  assert.is(inner?.invocation.redirections.length, 0);
  assert.is(inner?.invocation.assignments.length, 0);
});

test('inner words keep their places in the source', () => {
  const line = 'sudo -u root cat notes';
  const inner = innermost(line);
  assert.is(line.slice(inner.invocation.span.start, inner.invocation.span.end), 'cat notes');
});

test('commands of a -c text stand where the text stands', () => {
  const line = `bash -c 'cat notes; ls'`;
  const inner = commandsOf(line).slice(1);
  assert.equal(
    inner.map((command) => [command.name, line.slice(command.invocation.span.start, command.invocation.span.end)]),
    [
      ['cat', `'cat notes; ls'`],
      ['ls', `'cat notes; ls'`],
    ],
  );
});

for (const [line, directory, why] of [
  ['cd a && env -C b cat x', ['a', 'b'], 'env -C joins the directory of the line'],
  ['cd a && bash -c "cd b && cat x"', ['a', 'b'], 'a cd inside a text joins the one before it'],
  ['find . -execdir cat x {} +', null, 'execdir runs where the file is'],
  ['timeout 5 cat x', [], 'no change'],
  ['sudo -D /srv cat x', ['/srv'], 'sudo -D'],
] as const) {
  test(`directory: ${line}: ${why}`, () => {
    assert.equal(innermost(line).invocation.directory, directory);
  });
}

test('a command in a pipeline inside a text is piped, one behind xargs is not', () => {
  const inner = commandsOf(`bash -c 'cat a | wc'`);
  assert.equal(
    inner.map((command) => command.invocation.piped),
    [false, false, true],
  );
  assert.is(innermost('ls | xargs cat').invocation.piped, false);
  assert.is(innermost('ls | nice wc').invocation.piped, true);
});

for (const [line, issues, effects, why] of [
  ['ls | xargs cat', '', 'read:null', 'no option of cat is dangerous, but nobody knows what it reads'],
  ['ls | xargs sort', 'unknown:wrapper/appended', 'read:null', 'an appended -o would write'],
  ['ls | xargs sort --', '', 'read:null', 'nothing is an option behind the dashes'],
  ['ls | xargs nice sort', 'unknown:wrapper/appended', 'read:null', 'arguments go to the innermost command'],
  ['ls | xargs zz', 'unknown:wrapper/appended', 'execute:-', 'nothing is known about an unknown command'],
  ['find . -exec sort {} +', '', 'read:null', 'names that find gives begin with the starting point'],
  ['find src lib -exec sort {} +', '', 'read:null', 'also where two starting points have nothing in common'],
  ['find . -execdir sort {} +', 'unknown:wrapper/appended', 'read:null', 'or some find gives the bare file name'],
  ['find . -files0-from x -exec sort {} +', 'unknown:wrapper/appended', 'read:null', 'or the names come from a file'],
  ['find "$X" -exec sort {} +', 'unknown:wrapper/appended', 'read:null', 'or from a variable'],
] as const) {
  test(`appended: ${line}: ${why}`, () => {
    const command = innermost(line);
    assert.is(command.appended, true);
    assert.is(codes(command), issues);
    assert.is(
      command.verdict.effects.map((one) => `${one.action}:${one.path === null ? '-' : one.path.value}`).join(' '),
      effects,
    );
  });
}

test('find is judged by its own grammar, without the words of what it runs', () => {
  const [find] = commandsOf('find . -name x -exec cat --frob {} +');
  assert.is(codes(find as Command), '');
  assert.is(codes(only('find . -delete -exec cat {} +')).includes('refuse:'), true);
});

for (const [line, effects, why] of [
  ['sed -n 1p a', 'read:a', 'printing only reads'],
  ['sed -i 1d a b', 'read:a read:b write:a write:b', 'in place changes every operand'],
  ['sed -ni.bak 1p a', 'write:- read:a write:a', 'also in a cluster, with a suffix'],
  ['sed --in-pl 1d a', 'read:a write:a', 'also shortened, as sed accepts it'],
  ['ls | xargs sed -i 1d', 'read:null write:null', 'also what is appended'],
  ['find src -delete', 'delete:- read:src delete:src', 'every folder loses files'],
  ['find -delete', 'delete:- read:. delete:.', 'also the current one'],
  ['find src -delete -exec cat {} +', 'delete:- read:src delete:src', 'also beside an inner command'],
  ['dd if=a of=b bs=1', 'read:a write:b', 'files behind a name and an equals sign'],
  ['dd of="$X"', 'write:null', 'also when nobody knows which'],
] as const) {
  test(`effects: ${line}: ${why}`, () => {
    const command = commandsOf(line).find((one) => ['sed', 'find', 'dd'].includes(one.name ?? '')) as Command;
    assert.is(
      command.verdict.effects.map((one) => `${one.action}:${one.path === null ? '-' : one.path.value}`).join(' '),
      effects,
    );
  });
}

test('a wrapper that writes a file says so', () => {
  const [time] = commandsOf('/usr/bin/time -o log cat a');
  assert.equal(
    time?.verdict.effects.map((one) => [one.action, one.path?.value]),
    [['write', 'log']],
  );
});

test('a command with a wrapper has an inner command, whatever the line', () => {
  for (const line of [
    'timeout',
    'env',
    'xargs',
    'bash',
    'sudo -s',
    'find .',
    'ssh h',
    'bash x',
    'docker ps',
    'exec',
    'flock 9',
  ]) {
    for (const command of commandsOf(line)) assert.is(command.wrapper !== null, command.inner.length > 0, line);
  }
});

test('a text in a text in a text is bounded', () => {
  let line = 'zz';
  for (let level = 0; level < 12; level += 1) line = `eval ${JSON.stringify(line)}`;
  for (let level = 0; level < 12; level += 1) line = `bash -c ${JSON.stringify(line)}`;
  assert.ok(see(line.slice(0, 60_000)).opaque !== '');
});

test('guesses behind unknown options do not multiply without end', () => {
  const tree = readCommands(readCommandLine(`${'sudo --frob x '.repeat(400)}zz`, 'bash'), 'bash');
  let count = 0;
  const visit = (command: Command): void => {
    count += 1;
    command.inner.forEach(visit);
  };
  tree.commands.forEach(visit);
  assert.ok(count <= 1000, String(count));
  assert.ok(tree.opaque.some((one) => one.code === 'nesting'));
});

const SOUP = fc.array(
  fc.constantFrom(
    ...[
      'env',
      'sudo',
      'xargs',
      'find',
      '-exec',
      '{}',
      ';',
      '+',
      'bash',
      '-c',
      '-lc',
      'timeout',
      '5',
      'A=1',
      '-S',
      '-u',
      '--',
      '-I',
      '-x',
    ],
    ...[
      'ssh',
      'h',
      'docker',
      'exec',
      'npx',
      'su',
      'flock',
      'f',
      '-o',
      '$X',
      '*',
      '~',
      '"$@"',
      'zz',
      'watch',
      'parallel',
      ':::',
      '-',
      '',
    ],
    ...[
      "'zz a; yy'",
      "'bash -c zz'",
      '"zz $X"',
      '<<<',
      '|',
      '&&',
      '>o',
      '/usr/bin/env',
      './xargs',
      '--frob',
      '-1',
      'export',
      'dd',
      'of=x',
    ],
  ),
  { maxLength: 14 },
);

test('property: any words of wrappers give a bounded tree, in which a wrapper has an inner command', () => {
  fc.assert(
    fc.property(SOUP, fc.constantFrom('bash', 'sh', 'zsh', 'bash-or-zsh', 'union'), (words, shell) => {
      const line = words.join(' ');
      const tree = readCommands(readCommandLine(line, shell), shell);
      const visit = (command: Command, depth: number): void => {
        assert.ok(depth <= 9);
        assert.is(command.wrapper !== null, command.inner.length > 0);
        assert.ok(command.invocation.span.start >= 0 && command.invocation.span.end <= line.length);
        if (command.name === null && command.invocation.argv.length > 0) assert.is(command.verdict.known, false);
        for (const inner of command.inner) visit(inner, depth + 1);
      };
      for (const command of tree.commands) visit(command, 0);
    }),
    { numRuns: 400 },
  );
});

test('names of Object.prototype are commands like any other', () => {
  for (const name of ['constructor', '__proto__', 'hasOwnProperty', 'toString']) {
    const [command] = commandsOf(`${name} a`);
    assert.is(command?.verdict.known, false);
    assert.is(command?.wrapper, null);
  }
});

test.run();
