/** The installed program is damaged, replaced or gone; or it has a mistake of its own. */
import { chmodSync, copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Fault, Group } from '../fault.js';
import { pipe } from '../plant.js';
import type { FaultWorld } from '../world.js';

function replacedNode(name: string, script: string, more: Partial<Fault> = {}): Fault {
  return {
    name: `node: ${name}`,
    plant: ({ node }) => [rmSync(node), writeFileSync(node, script, { mode: 0o755 })],
    ...more,
  };
}

/** Node as installed, but with a module of ours loaded before the hook. */
function preloaded(name: string, code: string, more: Partial<Fault> = {}): Fault {
  return {
    name,
    plant: (world) => {
      world.write('preload.cjs', code);
      rmSync(world.node);
      writeFileSync(world.node, `#!/bin/sh\nexec '${process.execPath}' -r '${join(world.base, 'preload.cjs')}' "$@"\n`, {
        mode: 0o755,
      });
    },
    ...more,
  };
}

/** A file of the program, changed; with `name` a part of its name. */
function file(what: string, name: RegExp, change: (bytes: Buffer) => Uint8Array | null): Fault {
  return {
    name: what,
    plant: ({ program }) => {
      for (const found of readdirSync(program).filter((one) => name.test(one))) {
        const bytes = change(readFileSync(join(program, found)));
        if (bytes === null) rmSync(join(program, found));
        else writeFileSync(join(program, found), bytes);
      }
    },
  };
}

function cachePipes(folder: string): void {
  for (const name of readdirSync(folder).filter((one) => one.endsWith('.cache'))) pipe(join(folder, name));
}

const half = (bytes: Buffer) => bytes.subarray(0, bytes.length / 2);
const nothing = () => Buffer.alloc(0);
const gone = () => null;

const WAYS_TO_BREAK = [
  ['removed', gone],
  ['cut off', half],
  ['empty', nothing],
  ['garbage', () => Buffer.alloc(5000, 0x5a)],
  ['another program', () => Buffer.from('(function(exports){exports.other=()=>({})})')],
] as const;

/** Every byte of the second half may be the one; which, is left to chance. */
function flipped(bytes: Buffer): Buffer {
  const copy = Buffer.from(bytes);
  for (let times = 0; times < 8; times += 1) {
    const at = 64 + Math.floor(Math.random() * (copy.length - 64));
    copy[at] = (copy[at] ?? 0) ^ (1 << (times % 8));
  }
  return copy;
}

/** A replacement of a built-in function that throws at its n-th call from the hook. */
function throwing(module: string, method: string, call: number): string {
  return `const m = require(${JSON.stringify(module)}); const f = m.${method}; let n = 0;
m.${method} = function (...a) { n += 1; if (n >= ${call}) throw new RangeError('a planted error'); return f.apply(this, a); };`;
}

/** Time as the hook sees it. */
const clock = (milliseconds: string) => `Date.now = () => ${milliseconds};`;

export const program: Group = {
  title: 'The program',
  faults: [
    { name: 'node: removed', plant: ({ node }: FaultWorld) => rmSync(node) },
    replacedNode('an empty file', ''),
    replacedNode('a program that does nothing and ends well', '#!/bin/sh\nexit 0\n'),
    replacedNode('a program that fails', '#!/bin/sh\nexit 1\n'),
    replacedNode('a program that fails with 2 and says nothing', '#!/bin/sh\nexit 2\n'),
    replacedNode('a program that says something and ends well', '#!/bin/sh\necho welcome\n'),
    replacedNode('a program that only reads', '#!/bin/sh\ncat >/dev/null\n'),
    replacedNode('a program that hangs', '#!/bin/sh\nexec sleep 60\n', { slow: true, hangs: true }),
    replacedNode('a program that hangs and cannot be asked to end', "#!/bin/sh\ntrap '' TERM\nwhile :; do sleep 1; done\n", {
      ...{ slow: true, hangs: true },
    }),
    replacedNode('no interpreter', '#!/nonexistent/node\n'),
    { name: 'node: not executable', plant: ({ node }) => chmodSync(node, 0o644) },
    { name: 'node: a directory', plant: ({ node }) => [rmSync(node), mkdirSync(node)] },
    file('hook.cjs: removed', /^hook\.cjs$/, gone),
    file('hook.cjs: empty', /^hook\.cjs$/, nothing),
    file('hook.cjs: cut off', /^hook\.cjs$/, half),
    file('hook.cjs: only a comment', /^hook\.cjs$/, () => Buffer.from('// nothing\n')),
    file('hook-main.cjs: removed', /^hook-main\.cjs$/, gone),
    file('hook-main.cjs: empty', /^hook-main\.cjs$/, nothing),
    file('hook-main.cjs: cut off', /^hook-main\.cjs$/, half),
    file('hook-parser.cjs: cut off', /^hook-parser\.cjs$/, half),
    file('hook-python.cjs: cut off', /^hook-python\.cjs$/, half),
    { name: 'hook.cjs: a pipe', hangs: true, slow: true, plant: ({ program: folder }) => pipe(join(folder, 'hook.cjs')) },
    {
      name: 'hook-main.cjs: a pipe',
      hangs: true,
      slow: true,
      plant: ({ program: folder }) => pipe(join(folder, 'hook-main.cjs')),
    },
    {
      name: 'hook-main.cjs: another program of ours',
      plant: ({ program: folder }) => copyFileSync(join(folder, 'compile.cjs'), join(folder, 'hook-main.cjs')),
    },
    {
      name: 'code cache: that of another program',
      plant: ({ program: folder }) => {
        const [first, second] = readdirSync(folder).filter((one) => one.endsWith('.cache'));
        if (first === undefined || second === undefined) throw new Error('there are no caches');
        copyFileSync(join(folder, second), join(folder, first));
      },
    },
    { name: 'code cache: a pipe', ...{ hangs: true, slow: true }, plant: ({ program: folder }) => cachePipes(folder) },
    {
      name: 'beside the program: a package.json of garbage',
      plant: ({ program: folder }) => writeFileSync(join(folder, 'package.json'), '{"type":"module",'),
    },
    replacedNode('a program that leaves a child behind', '#!/bin/sh\nsleep 3 &\nexit 0\n', { slow: true }),
    replacedNode('another version of node', '#!/bin/sh\necho "SyntaxError: Unexpected token" >&2\nexit 9\n'),
    ...WAYS_TO_BREAK.map(([way, change]) => file(`compile.cjs: ${way}`, /^compile\.cjs$/, change)),
    file('rules.pack: removed', /^rules\.pack$/, gone),
    file('rules.pack: cut off', /^rules\.pack$/, half),
    file('rules.pack: empty', /^rules\.pack$/, nothing),
    file('rules.pack: full of zeros', /^rules\.pack$/, (bytes) => Buffer.alloc(bytes.length)),
    file('code cache: cut off', /\.cache$/, half),
    file('code cache: empty', /\.cache$/, nothing),
    file('code cache: garbage', /\.cache$/, (bytes) => Buffer.alloc(bytes.length, 0x5a)),
    // Code that is not the code we wrote: mostly it crashes, sometimes it goes on, with a mistake or for ever.
    { ...file('code cache: eight bits flipped', /\.cache$/, flipped), ...{ random: true, injected: true, hangs: true } },
    { name: 'the folder of the program: removed', plant: ({ program: folder }) => rmSync(folder, { recursive: true }) },
    { name: 'the folder of the program: not readable', plant: ({ program: folder }) => chmodSync(folder, 0o000) },
    preloaded('an error while the payload is read', throwing('node:fs', 'readSync', 1), { injected: true }),
    preloaded('an error while JSON is read', 'JSON.parse = () => { throw new RangeError("a planted error"); };', {
      injected: true,
    }),
    preloaded('an error while files are looked at', throwing('node:fs', 'statSync', 1), { injected: true }),
    preloaded('an error while the log is written', throwing('node:fs', 'writeSync', 1), { injected: true }),
    preloaded('an error in the clock', 'process.hrtime.bigint = () => { throw new RangeError("a planted error"); };', {
      injected: true,
    }),
    preloaded(
      'an error outside of everything',
      'setImmediate(() => {}); process.nextTick(() => { throw new Error("a planted error"); });',
      {
        injected: true,
      },
    ),
    preloaded('a promise that nobody waits for fails', 'Promise.reject(new Error("a planted error"));', { injected: true }),
    preloaded('the memory ends', 'const all = []; for (;;) all.push(new Array(1e6).fill(0.5));', {
      injected: true,
      slow: true,
      hangs: true,
    }),
    preloaded('the hook never ends', 'for (;;);', { injected: true, slow: true, hangs: true }),
    preloaded('a clock in the year 9999', clock('253370764800000')),
    preloaded('a clock in the year 275760, the last one', clock('8640000000000000')),
    preloaded('a clock beyond all dates', clock('1e18')),
    preloaded('a clock that says NaN', clock('NaN')),
    preloaded('a clock before 1970', clock('-1')),
  ],
};
