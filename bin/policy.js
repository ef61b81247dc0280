#!/usr/bin/env node
// The entry of the installed command: a hook goes straight to its small bundle, everything else to the CLI.
const forCli = /^(?:--print-.*|--help|-h)$/;
if (process.argv[2] === 'hook' && !process.argv.some((word) => forCli.test(word))) {
  process.argv.splice(2, 1);
  await import('../dist/hook.cjs');
} else {
  if (!isSomewhere()) {
    process.stderr.write('This directory was deleted; go to one that is there\n');
    process.exit(3);
  }
  await import('../dist/policy.js');
}

/** Without a working directory half of node fails, with a stack trace. */
function isSomewhere() {
  try {
    return process.cwd() !== '';
  } catch {
    return false;
  }
}
