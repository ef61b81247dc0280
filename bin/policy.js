#!/usr/bin/env node
// The entry of the installed command: a hook goes straight to its small bundle, everything else to the CLI.
import { existsSync } from 'node:fs';

const forCli = /^(?:--print-.*|--help|-h)$/;
/** Where the command stands: `--no-color` may come before it, and a hook has to be known as one all the same. */
const first = process.argv.findIndex((word, at) => at > 1 && word !== '--no-color');
const isHook = process.argv[first] === 'hook' && !process.argv.some((word) => forCli.test(word));
const program = new URL(isHook ? '../dist/hook.cjs' : '../dist/policy.js', import.meta.url);
if (!existsSync(program)) {
  process.stderr.write('policy is not built: dist/ is missing. In the folder of the package, run `npm run prepare`\n');
  // Every runner reads 2 as a denial, and any other error as leave to go on.
  process.exit(isHook ? 2 : 3);
} else if (isHook) {
  process.argv.splice(2, first - 1);
  await import(program.href);
} else {
  if (!isSomewhere()) {
    process.stderr.write('This directory was deleted; go to one that is there\n');
    process.exit(3);
  }
  await import(program.href);
}

/** Without a working directory half of node fails, with a stack trace. */
function isSomewhere() {
  try {
    return process.cwd() !== '';
  } catch {
    return false;
  }
}
