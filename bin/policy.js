#!/usr/bin/env node
// The entry of the installed command: a hook goes straight to its small bundle, everything else to the CLI.
const forCli = /^(?:--print-.*|--help|-h)$/;
if (process.argv[2] === 'hook' && !process.argv.some((word) => forCli.test(word))) {
  process.argv.splice(2, 1);
  await import('../dist/hook.cjs');
} else {
  await import('../dist/policy.js');
}
