/** Snapshots of the compiled policy that are none, or say something else than the policy. */
import {
  chmodSync,
  chownSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Fault, Group } from '../fault.js';
import { onlyRoot, pipe, replacedBy, writeEmpty } from '../plant.js';
import type { FaultWorld } from '../world.js';

/** Replaces every file of the snapshots' folder. */
function snapshots(world: FaultWorld, change: (text: Buffer, file: string) => void): void {
  const folder = join(world.state, 'snapshots');
  const files = readdirSync(folder);
  if (files.length === 0) throw new Error('there is no snapshot to break');
  for (const name of files) change(readFileSync(join(folder, name)), join(folder, name));
}

function snapshotFault(name: string, change: (text: Buffer, file: string) => void, missing?: () => string | null): Fault {
  return { name: `snapshot: ${name}`, warm: true, plant: (world) => snapshots(world, change), ...(missing && { missing }) };
}

/** What a snapshot without the rule would be, if it were taken. */
function withoutRule(text: Buffer): string {
  return text.toString().replaceAll('touch', 'never').replaceAll('"deny"', '"allow"');
}

export const snapshot: Group = {
  title: 'Snapshots',
  faults: [
    snapshotFault('cut off', (text, file) => writeFileSync(file, text.subarray(0, text.length / 2))),
    snapshotFault('empty', (_text, file) => writeFileSync(file, '')),
    snapshotFault('garbage', (_text, file) => writeFileSync(file, Buffer.alloc(4096, 0xa5))),
    snapshotFault('JSON that is none of ours', (_text, file) => writeFileSync(file, '{"build":"x"}')),
    snapshotFault('null', (_text, file) => writeFileSync(file, 'null')),
    snapshotFault('of a newer version, without the rule', (text, file) =>
      writeFileSync(file, withoutRule(text).replace(/"build":"[^"]*"/, '"build":"99.0.0"')),
    ),
    snapshotFault(
      'without the rule, belongs to somebody else',
      (text, file) => {
        writeFileSync(file, withoutRule(text));
        chownSync(file, 12_345, 12_345);
      },
      onlyRoot,
    ),
    snapshotFault('without the rule, writable for everybody', (text, file) => {
      writeFileSync(file, withoutRule(text));
      chmodSync(file, 0o666);
    }),
    snapshotFault('without the rule, behind a link', (text, file) => {
      writeFileSync(`${file}.other`, withoutRule(text), { mode: 0o600 });
      rmSync(file);
      symlinkSync(`${file}.other`, file);
    }),
    snapshotFault('a directory', (_text, file) => {
      rmSync(file);
      mkdirSync(file);
    }),
    snapshotFault('a pipe', (_text, file) => pipe(file)),
    snapshotFault('a device that never ends', (_text, file) => {
      rmSync(file);
      symlinkSync('/dev/zero', file);
    }),
    snapshotFault('of 300 MB', (_text, file) => truncateSync(file, 300_000_000)),
    {
      name: 'snapshots: their folder links to one of somebody else',
      warm: true,
      plant: ({ state: folder, base }) => {
        renameSync(join(folder, 'snapshots'), join(base, 'elsewhere'));
        for (const name of readdirSync(join(base, 'elsewhere'))) {
          const file = join(base, 'elsewhere', name);
          writeFileSync(file, withoutRule(readFileSync(file)));
        }
        symlinkSync(join(base, 'elsewhere'), join(folder, 'snapshots'));
      },
    },
    { name: 'snapshots: a file in place of their folder', warm: true, plant: replacedBy('snapshots', writeEmpty) },
    { name: 'snapshots: a pipe in place of their folder', warm: true, plant: replacedBy('snapshots', pipe) },
    {
      name: 'snapshot: the policy changed under it and got its old time back',
      warm: true,
      plant: (world) => {
        const file = join(world.config, 'policy.yaml');
        const text = readFileSync(file, 'utf8');
        writeFileSync(
          file,
          text.replace('deny:', '# a:').replace('  - rule: Bash(touch *)\n    reason: Nothing is touched here.', ''),
        );
        writeFileSync(file, text);
        utimesSync(file, 1, 1);
      },
    },
  ],
};
