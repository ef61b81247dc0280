// `node .ci/long.mjs NAME [WORD …]`: builds, then runs one of the long tests as this process: with its words, its streams, its exit code,
// and told of every signal. `npm run NAME` does the same.
import { spawn } from 'node:child_process';
import { install, runNode } from './install.mjs';

/** What each runs, and whether it needs the bundles of dist/. */
const TESTS = {
  /** What other tools do with the same command lines (docs/comparison.md); they are downloaded the first time. */
  compare: { script: 'test/compare/main', bundles: true },
  /** The hook under the real clients, which are downloaded the first time. */
  e2e: { script: 'test/e2e/main', bundles: true },
  /** `policy run` with the same clients. */
  'e2e-runs': { script: 'test/e2e/runs/main', bundles: true },
  /** Presets in the clients' own configuration, without the hook, under the real clients. */
  'e2e-exports': { script: 'test/e2e/exports/main', bundles: false },
  /** Every fault against the bundles (docs/evidence/faults.md). */
  faults: { script: 'test/fault/main', bundles: true },
  /** Many hooks at once, and many that are killed. */
  storm: { script: 'test/fault/storm/main', bundles: true },
  /** Many runs of `policy run` at once, and many that are killed (docs/evidence/run-storm.md). */
  'run-storm': { script: 'test/fault/run-storm/main', bundles: true },
  /** Damaged lines, bytes and payloads against the engine (docs/evidence/fuzz.md). */
  fuzz: { script: 'test/fuzz/main', bundles: false },
  /** What lint says of rules that cover others, against every short line. */
  inclusion: { script: 'test/lint/inclusion/main', bundles: false },
  /** Other tools read what we write. */
  interop: { script: 'test/interop/main', bundles: false },
  /** `policy mcp gateway` with the protocol's own suite, other clients and servers, which are downloaded the first time (docs/evidence/mcp-interop.md). */
  'interop-mcp': { script: 'test/interop/mcp/main', bundles: true },
  /** A build in another folder gives the same bytes. */
  reproducible: { script: 'test/reproducible/main', bundles: true },
  /** The engine against real shells (docs/evidence/oracle.md). */
  oracle: { script: 'test/oracle/main', bundles: false },
};

const [name = '', ...words] = process.argv.slice(2);
const chosen = Object.hasOwn(TESTS, name) ? TESTS[name] : null;
if (chosen === null) {
  console.error(`There is no long test ${JSON.stringify(name)}, only: ${Object.keys(TESTS).join(', ')}.`);
  process.exit(3);
}
install();
runNode('.ci/build.mjs', ...(chosen.bundles ? ['--dist'] : []));
const child = spawn(process.execPath, ['--enable-source-maps', `build/${chosen.script}.js`, ...words], {
  stdio: ['ignore', 'inherit', 'inherit'],
  // A terminal would signal the child too, and twice means at once.
  detached: true,
});
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'])
  process.on(signal, () => child.kill(signal === 'SIGHUP' ? 'SIGTERM' : signal));
child.on('exit', (status) => process.exit(status ?? 3));
