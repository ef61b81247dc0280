/** Preset develop: files of temporary folders are read and written as data, by what facts say of them; never run, deleted or opened to others. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import type { PathFact } from '../../../src/decide/ruling/facts.js';
import { decideIn, type World } from '../world.js';

const OPEN = { temporary: { reads: true, writes: true } };
const READ = { temporary: { reads: true, writes: false } };
const WRITTEN = { temporary: { reads: false, writes: true } };

/** What each of these stands for in the rows below. */
const KNOWN: Readonly<Record<string, Partial<PathFact>>> = {
  '/tmp': { kind: 'directory', ...OPEN },
  '/tmp/new.log': { kind: 'missing', ...OPEN },
  '/tmp/new.log/a.txt': { kind: 'missing', ...OPEN },
  '/tmp/own.txt': OPEN,
  '/tmp/root.txt': READ,
  '/tmp/closed.txt': WRITTEN,
  '/tmp/private.txt': { temporary: { reads: false, writes: false } },
  '/tmp/others.txt': {},
  '/tmp/socket': { kind: 'other' },
  '/tmp/.env': OPEN,
  '/tmp/id_rsa': OPEN,
  '/tmp/a.pem': OPEN,
  '/tmp/x.sh': OPEN,
  '/tmp/Makefile': OPEN,
  '/tmp/work': { kind: 'directory', ...OPEN },
  '/tmp/work/': { kind: 'directory', ...OPEN },
  '/tmp/work/a.txt': { kind: 'missing', ...OPEN },
  '/tmp/work/policy.yaml': { kind: 'missing', ...OPEN },
  '/tmp/work/.git': { kind: 'missing', ...OPEN },
  '/tmp/shut': { kind: 'directory', ...WRITTEN },
  '/tmp/linked/a.txt': { real: '/home/me/.bashrc' },
  '/tmp/a.log': OPEN,
  '/tmp/b.log': READ,
  '/tmp/c.out': { temporary: { reads: false, writes: true } },
  '/repo/src': { kind: 'directory' },
};

const WORLD: World = {
  preset: 'develop',
  known: KNOWN,
  facts: {
    globs: {
      '/tmp/*.log': ['/tmp/a.log', '/tmp/b.log'],
      '/tmp/[ab].log': ['/tmp/a.log', '/tmp/b.log'],
      '/tmp/*': ['/tmp/a.log', '/tmp/c.out'],
      '/tmp/*.pem': ['/tmp/a.pem'],
      '/tmp/l*': ['/tmp/link', '/home/me/notes.txt'],
      '/tmp/none*': [],
    },
  },
};

const PASSING: readonly (readonly [line: string, why: string])[] = [
  ['make > /tmp/new.log 2>&1', 'what is printed goes there'],
  ['make > /tmp/new.log 2>&1; tail -5 /tmp/new.log', 'and is read'],
  ['make &> /tmp/own.txt', 'in the place of a file of its own'],
  ['make >> /tmp/own.txt', 'behind what is there'],
  ['timeout 60 make test > /tmp/new.log 2>&1 && tail -3 /tmp/new.log', 'below a wrapper that only limits it'],
  ['make 2>&1 | tee /tmp/new.log | tail -5', 'by tee'],
  ['make 2>&1 | tee -a /tmp/own.txt; grep error /tmp/own.txt', 'by tee, and read'],
  ['{ make; } > /tmp/new.log 2>&1; cat /tmp/new.log', 'a group'],
  ['git diff > /tmp/new.log', 'an allowed command'],
  ['cat > /tmp/new.log <<EOF\na\nEOF', 'a text of the line'],
  ['echo a > /tmp/closed.txt', 'a file that is its own, and not shown'],
  ['cat /tmp/own.txt', 'a file that everybody may read'],
  ['cat /tmp/root.txt', 'the same of root'],
  ['grep -n a /tmp/own.txt src/a.txt', 'beside one of the project'],
  ['wc -l < /tmp/own.txt', 'by a redirection'],
  ['cat ../tmp/own.txt', 'written another way'],
  ['ls /tmp', 'names'],
  ['ls -la /tmp/work', 'names of a folder'],
  ['ls -l /tmp/private.txt', 'the name of a file that is not read'],
  ['find /tmp/work -name "*.txt"', 'names below a folder'],
  ['cat /tmp/*.log', 'a pattern of which each file is such a one'],
  ['grep a /tmp/[ab].log', 'the same'],
  ['cat /tmp/none*', 'a pattern that stands for nothing'],
  ['mkdir -p /tmp/work', 'a folder'],
  ['mkdir -p /tmp/work && cp a.txt /tmp/work/', 'a copy in a folder'],
  ['cp a.txt /tmp/new.log', 'a copy'],
  ['cp /tmp/own.txt src/a.txt', 'a copy into the project'],
  ['mv a.txt /tmp/work/', 'out of the project'],
  ['touch /tmp/new.log', 'an empty file'],
  ["sed -i 's/a/b/' /tmp/own.txt", 'an edit'],
  ['diff a.txt /tmp/own.txt', 'a comparison'],
  ['curl -s -o /tmp/new.log http://localhost:3000/', 'an answer of the own machine'],
  ["curl -s -o /tmp/new.log -w '%{http_code}' http://localhost:3000/a && head -3 /tmp/new.log", 'and it is read'],
  ['curl -s http://localhost:3000/ > /tmp/new.log', 'the same by a redirection'],
  ['curl -s -o a.json http://localhost:3000/', 'into the project, as a redirection could'],
];

const ASKING: readonly (readonly [line: string, why: string])[] = [
  ['cat /tmp/private.txt', 'not for everybody'],
  ['cat /tmp/closed.txt', 'not for everybody'],
  ['cat < /tmp/closed.txt', 'the same by a redirection'],
  ['cat /tmp/others.txt', 'nothing is known of it'],
  ['cat /tmp/socket', 'no file'],
  ['cat /tmp/linked/a.txt', 'a link'],
  ['echo a > /tmp/linked/a.txt', 'a link'],
  ['echo a > /tmp/root.txt', 'not its own'],
  ['echo a > /tmp/others.txt', 'nothing is known of it'],
  ['make > /tmp/root.txt', 'not its own'],
  ['make 2>&1 | tee /tmp/root.txt', 'not its own'],
  ['cp a.txt /tmp/root.txt', 'not its own'],
  ['curl -s -o /tmp/root.txt http://localhost:3000/', 'not its own'],
  ['curl -s -o /tmp/new.log http://example.com/', 'another machine'],
  ['curl -s -O http://localhost:3000/a', 'a name that comes from elsewhere'],
  ['curl -s -c /tmp/new.log http://localhost:3000/', 'cookies'],
  ['curl -s --output-dir /tmp/work -o root.txt http://localhost:3000/', 'a place in two parts'],
  ['curl -s -o ~/a http://localhost:3000/', 'outside'],
  ['curl -s -o /etc/a http://localhost:3000/', 'outside'],
  ['http_proxy=http://example.com curl -s -o /tmp/new.log http://localhost/', 'goes elsewhere'],
  ['curl -s -o /tmp/x.sh http://localhost:3000/ && bash /tmp/x.sh', 'runs it'],
  ['cat /tmp/.env', 'the name of a secret'],
  ['cat /tmp/id_rsa', 'the name of a secret'],
  ['cat /tmp/*.pem', 'a pattern of secrets'],
  ['cat /tmp/l*', 'a link among them'],
  ['cat /tmp/*', 'one of them is not for everybody'],
  ['cat /tmp/*.unknown', 'nobody looked what it stands for'],
  ['cp .env /tmp/new.log', 'a secret of the project'],
  ['cat .env > /tmp/new.log', 'a secret of the project'],
  ['cp /tmp/id_rsa src/a.txt', 'a secret'],
  ['cp /tmp/closed.txt src/a.txt', 'would be read'],
  ['echo a > /tmp/work/policy.yaml', 'protected'],
  ['mkdir /tmp/work/.git', 'protected'],
  ['grep -r a /tmp', 'a whole tree'],
  ['grep -r a /tmp/work', 'a whole tree'],
  ['rg a /tmp/work', 'a whole tree'],
  ['find /tmp', 'everything'],
  ['ls -R /tmp', 'everything'],
  ['ls /tmp/shut', 'a folder that not everybody may list'],
  ['find /tmp/work -name "*.txt" | xargs cat', 'names that are found'],
  ['find /tmp/work -name "*.txt" -exec cat {} +', 'names that are found'],
  ['diff /tmp/work /repo/src', 'whole folders'],
  ['cp -r /tmp/work src', 'a whole folder'],
  ['cp -r src /tmp/work/', 'a whole folder'],
  ['bash /tmp/x.sh', 'runs it'],
  ['sh < /tmp/x.sh', 'runs it'],
  ['. /tmp/x.sh', 'runs it'],
  ['/tmp/x.sh', 'runs it'],
  ['python3 /tmp/x.sh', 'runs it'],
  ['node < /tmp/x.sh', 'runs it'],
  ['node <> /tmp/x.sh', 'runs it'],
  ['make -f /tmp/Makefile', 'runs it'],
  ['make < /tmp/own.txt', 'what the code of the project does with it, only that knows'],
  ['make OUT=/tmp/new.log', 'the same'],
  ['cd /tmp/work && make', 'runs what lies there'],
  ['awk -f /tmp/own.txt a.txt', 'runs it'],
  ['sed -f /tmp/own.txt a.txt', 'runs it'],
  ['git apply /tmp/own.txt', 'a patch of unknown files'],
  ['git -C /tmp/work status', 'another repository'],
  ['cd /tmp/work && git status', 'another repository'],
  ['git clone . /tmp/work', 'another repository'],
  ['rm /tmp/own.txt', 'deletes'],
  ['rm -rf /tmp/work', 'deletes'],
  ['mv /tmp/own.txt src/a.txt', 'deletes'],
  ['find /tmp/work -name "*.txt" -delete', 'deletes'],
  ['chmod +r /tmp/closed.txt', 'opens it to others'],
  ['chmod 755 /tmp/x.sh', 'opens it to others'],
  ['ln -s /tmp/own.txt a', 'a link'],
  ['ln -sf ~/.ssh/id /tmp/new.log; cat /tmp/new.log', 'a link'],
  ['tar -xf a.tar -C /tmp/work', 'files of unknown names'],
  ['tar -cf /tmp/new.log src', 'whole folders'],
  ['echo a > "$X"', 'any file'],
  ['echo a > "/tmp/$X"', 'any file there'],
  ['make > /tmp/new.log & cat src/a', 'goes on'],
];

for (const [line, why] of PASSING) {
  test(`develop allows: ${line} (${why})`, () => {
    const { decision, reasons } = decideIn(WORLD, 'Bash', line);
    assert.is(decision, 'allow', JSON.stringify(reasons));
  });
  test(`safe does not: ${line}`, () => assert.is(decideIn({ ...WORLD, preset: 'safe' }, 'Bash', line).decision, 'ask'));
}
for (const [line, why] of ASKING)
  test(`develop does not allow: ${line} (${why})`, () => assert.is.not(decideIn(WORLD, 'Bash', line).decision, 'allow'));

const TOOLS: readonly (readonly [tool: string, input: Record<string, unknown>, decision: string])[] = [
  ['Read', { file_path: '/tmp/own.txt' }, 'allow'],
  ['Read', { file_path: '/tmp/closed.txt' }, 'ask'],
  ['Read', { file_path: '/tmp/others.txt' }, 'ask'],
  ['Read', { file_path: '/tmp/.env' }, 'ask'],
  ['Read', { file_path: '/tmp/linked/a.txt' }, 'ask'],
  ['Write', { file_path: '/tmp/new.log', content: 'a' }, 'allow'],
  ['Write', { file_path: '/tmp/root.txt', content: 'a' }, 'ask'],
  ['Write', { file_path: '/tmp/linked/a.txt', content: 'a' }, 'deny'],
  ['Write', { file_path: '/tmp/work/policy.yaml', content: 'a' }, 'deny'],
  ['Edit', { file_path: '/tmp/own.txt', old_string: 'a', new_string: 'b' }, 'allow'],
  ['Glob', { pattern: '*.txt', path: '/tmp/work' }, 'allow'],
  ['Glob', { pattern: '*.txt', path: '/tmp/shut' }, 'ask'],
  ['Glob', { pattern: '*.txt', path: '/tmp' }, 'ask'],
  ['Grep', { pattern: 'a', path: '/tmp/own.txt' }, 'allow'],
  ['Grep', { pattern: 'a', path: '/tmp/work' }, 'ask'],
  ['Glob', { pattern: '/tmp/*' }, 'ask'],
  ['mcp__fs__write_file', { path: '/tmp/new.log', content: 'a' }, 'ask'],
  ['mcp__fs__read_file', { path: '/tmp/own.txt' }, 'ask'],
];

for (const [tool, input, expected] of TOOLS)
  test(`develop: ${tool} ${JSON.stringify(input)}: ${expected}`, () => {
    assert.is(decideIn(WORLD, tool, input).decision, expected);
    if (expected === 'allow') assert.is(decideIn({ ...WORLD, preset: 'safe' }, tool, input).decision, 'ask');
  });

test('written rules are stronger', () => {
  const world = { ...WORLD, deny: ['Write(//tmp/**)'], ask: ['Read(//tmp/own.txt)'] };
  assert.is(decideIn(world, 'Bash', 'make > /tmp/new.log').decision, 'deny');
  assert.is(decideIn(world, 'Bash', 'cat /tmp/own.txt').decision, 'ask');
  assert.is(decideIn(world, 'Write', { file_path: '/tmp/new.log', content: '' }).decision, 'deny');
  assert.is(decideIn(world, 'Read', { file_path: '/tmp/own.txt' }).decision, 'ask');
});

test.run();
