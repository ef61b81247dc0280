/** Policy files and agent definitions that are no such thing. */
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { bytesOf, type Fault, type Group, pause, withBytes } from '../fault.js';
import { pipe } from '../plant.js';
import { type FaultWorld, POLICY, USER_POLICY } from '../world.js';

/** The user's policy with another text. */
function text(name: string, content: string | Uint8Array, more: Partial<Fault> = {}): Fault {
  return { name: `policy: ${name}`, plant: (world) => world.write(`user/${USER_POLICY}`, content), ...more };
}

function policyFile({ config }: FaultWorld): string {
  return join(config, 'policy.yaml');
}

const BOMB = `version: 1
a: &a [x, x, x, x, x, x, x, x, x]
b: &b [*a, *a, *a, *a, *a, *a, *a, *a, *a]
c: &c [*b, *b, *b, *b, *b, *b, *b, *b, *b]
d: &d [*c, *c, *c, *c, *c, *c, *c, *c, *c]
e: &e [*d, *d, *d, *d, *d, *d, *d, *d, *d]
f: &f [*e, *e, *e, *e, *e, *e, *e, *e, *e]
g: &g [*f, *f, *f, *f, *f, *f, *f, *f, *f]
allow: *g
`;

export const policy: Group = {
  title: 'Policy and agents',
  faults: [
    text('a YAML bomb', BOMB),
    text('nested 10,000 deep', `version: 1\nallow: ${'['.repeat(10_000)}${']'.repeat(10_000)}\n`),
    text('no YAML', '{{{{ %%% : : :\n\t- x'),
    text('binary', Buffer.from(Array.from({ length: 1024 }, (_, at) => (at * 89) % 256))),
    text('cut off within the rule', POLICY.slice(0, POLICY.indexOf('(touch'))),
    text('UTF-16', Buffer.from(POLICY, 'utf16le')),
    text('empty', ''),
    text('only a comment', '# nothing\n'),
    text('full of zeros, as a crash leaves it', Buffer.alloc(POLICY.length)),
    text('null', 'null\n'),
    text('a list', '- version: 1\n'),
    text('two documents', `version: 1\n---\n${POLICY}`),
    text('with carriage returns and a byte order mark', `\uFEFF${POLICY.replaceAll('\n', '\r\n')}`),
    text('a key that is misspelt', POLICY.replace('deny:', 'dney:')),
    text('a rule that is misspelt', POLICY.replace('Bash(touch *)', 'Bash(touch *')),
    text('a key twice', `${POLICY}deny: []\n`),
    text('an unknown version', POLICY.replace('version: 1', 'version: 2')),
    text('of 20 MB', `${POLICY}${'# x\n'.repeat(5_000_000)}`, { slow: true }),
    text('an example that its rule does not meet', `${POLICY}    match: [ls]\n`),
    { name: 'policy: a directory', plant: (world) => [rmSync(policyFile(world)), mkdirSync(policyFile(world))] },
    { name: 'policy: a pipe that never ends', plant: (world) => pipe(policyFile(world)) },
    {
      name: 'policy: a device that never ends',
      plant: (world) => [rmSync(policyFile(world)), symlinkSync('/dev/zero', policyFile(world))],
    },
    { name: 'policy: unreadable (mode 000)', plant: (world) => chmodSync(policyFile(world), 0o000) },
    { name: 'policy: its folder unreadable', plant: (world) => chmodSync(world.config, 0o000) },
    {
      name: 'policy: a link in a circle',
      plant: (world) => [rmSync(policyFile(world)), symlinkSync('policy.yaml', policyFile(world))],
    },
    {
      name: 'policy: two of them',
      plant: (world) => writeFileSync(join(world.config, 'policy.json'), '{"version":1,"default":"allow"}'),
    },
    { name: 'policy: removed after the snapshot was taken', warm: true, plant: (world) => rmSync(policyFile(world)) },
    {
      name: 'policy: written again and again while the call is made',
      random: true,
      warm: true,
      start: (_start, world) => ({ during: () => rewrite(policyFile(world)) }),
    },
    { name: 'policy of the project: garbage', plant: (world) => world.write('user/project/policy.yaml', 'version: 1\n{{{') },
    { name: 'policy of the project: a pipe', plant: (world) => pipe(join(world.project, 'policy.yaml')) },
    {
      name: 'policy of the project: allows all, trusted by nobody',
      plant: (world) => world.write('user/project/policy.yaml', 'version: 1\npreset: all\nallow: [Bash]\n'),
    },
    {
      name: 'agents: garbage',
      plant: (world) => world.write('user/project/.claude/agents/x.md', Buffer.from([0, 255, 254, 10, 45, 45, 45])),
    },
    { name: 'agents: cut off', plant: (world) => world.write('user/project/.claude/agents/x.md', '---\nname: x\ntools: [Read') },
    { name: 'agents: a pipe', plant: agentPipe },
    { name: 'agents: a thousand files', slow: true, plant: manyAgents },
    {
      name: 'agents: the folder links to itself',
      plant: (world) => [mkdirSync(join(world.project, '.claude')), symlinkSync('.', join(world.project, '.claude/agents'))],
    },
    { name: 'git: HEAD is garbage', plant: (world) => world.write('user/project/.git/HEAD', Buffer.alloc(5000, 0x7f)) },
    git('HEAD is a directory', (folder) => [rmSync(join(folder, 'HEAD')), mkdirSync(join(folder, 'HEAD'))]),
    git('config includes itself', (folder) => writeFileSync(join(folder, 'config'), '[include]\n\tpath = config\n')),
    git('config includes a device', (folder) => writeFileSync(join(folder, 'config'), '[include]\n\tpath = /dev/zero\n')),
    git('config of 50 MB', (folder) => writeFileSync(join(folder, 'config'), '[a]\n\tb = c\n'.repeat(4_000_000))),
    git('index is a pipe', (folder) => pipe(join(folder, 'index'))),
    git('a file that names itself', (folder) => [rmSync(folder, { recursive: true }), writeFileSync(folder, 'gitdir: .git\n')]),
    git('a file that names a device', (folder) => [
      rmSync(folder, { recursive: true }),
      writeFileSync(folder, 'gitdir: /dev/zero\n'),
    ]),
    git('.gitmodules is a pipe', (folder) => pipe(join(folder, '../.gitmodules'))),
    git('.gitignore is a pipe', (folder) => pipe(join(folder, '../.gitignore'))),
    { name: 'git: config is a pipe', plant: (world) => pipe(join(world.project, '.git/config')) },
  ],
};

/** Something is odd about the repository, and the call asks git before it comes to `touch`. */
function git(what: string, spoil: (folder: string) => unknown): Fault {
  return {
    name: `git: ${what}`,
    plant: (world) => spoil(join(world.project, '.git')),
    start: (start) => withBytes(bytesOf(start).toString().replace('touch ', 'git status && git commit -am x && touch ')),
  };
}

/** As an editor that does not take care: emptied, then written. What it holds in the end is what it held before. */
async function rewrite(file: string): Promise<void> {
  const end = performance.now() + 150;
  while (performance.now() < end) {
    writeFileSync(file, POLICY);
    await pause(Math.random() * 3);
  }
}

function agentPipe(world: FaultWorld): void {
  mkdirSync(join(world.project, '.claude/agents'), { recursive: true });
  pipe(join(world.project, '.claude/agents/x.md'));
}

function manyAgents(world: FaultWorld): void {
  const folder = join(world.project, '.claude/agents');
  mkdirSync(folder, { recursive: true });
  for (let at = 0; at < 1000; at += 1) writeFileSync(join(folder, `a${at}.md`), `---\nname: a${at}\ndescription: d\n---\nx\n`);
}
