// `node .ci/lock.mjs`: makes package-lock.json complete and free of download addresses after `npm install`.
// A registry mirror may lack the binary packages of other platforms; npm then leaves them out of the lock file and
// `npm ci` refuses it. They are named here with the version their parent pins, and the platform their name states.
import { readFileSync, writeFileSync } from 'node:fs';

const lock = JSON.parse(readFileSync('package-lock.json', 'utf8'));
const systems = {
  android: 'android',
  darwin: 'darwin',
  freebsd: 'freebsd',
  linux: 'linux',
  win32: 'win32',
  openharmony: 'openharmony',
};
const processors = {
  arm64: 'arm64',
  x64: 'x64',
  arm: 'arm',
  riscv64: 'riscv64',
  s390x: 's390x',
  ppc64: 'ppc64',
  ia32: 'ia32',
  wasm32: 'wasm32',
};
for (const entry of Object.values(lock.packages)) {
  delete entry.resolved;
  for (const [name, version] of Object.entries(entry.optionalDependencies ?? {})) {
    const key = `node_modules/${name}`;
    if (lock.packages[key]) continue;
    const tokens = name.split(/[/-]/);
    const os = tokens.flatMap((token) => systems[token] ?? []);
    const cpu = tokens.flatMap((token) => processors[token] ?? []);
    if (cpu.length === 0) throw new Error(`cannot tell the platform of ${name}`);
    const libc = tokens.includes('musl') ? ['musl'] : tokens.includes('gnu') ? ['glibc'] : undefined;
    lock.packages[key] = { version, cpu, dev: true, ...(libc && { libc }), optional: true, ...(os.length > 0 && { os }) };
  }
}
lock.packages = Object.fromEntries(Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : 1)));
writeFileSync('package-lock.json', `${JSON.stringify(lock, null, 2)}\n`);
