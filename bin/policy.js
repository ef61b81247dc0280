#!/usr/bin/env node
// The entry of the installed command: a hook goes straight to its small bundle, everything else to the CLI. CommonJS
// (bin/package.json), which starts faster than ESM.
'use strict';
const { existsSync, readFileSync, writeSync } = require('node:fs');

const forCli = /^(?:--print-.*|--help|-h)$/;
/** Where the command stands: `--no-color` may come before it, and a hook has to be known as one all the same. */
const first = process.argv.findIndex((word, at) => at > 1 && word !== '--no-color');
const isHook = process.argv[first] === 'hook' && !process.argv.some((word) => forCli.test(word));
const dashes = process.argv.indexOf('--');
const own = dashes < 0 ? process.argv : process.argv.slice(0, dashes);
const isGateway = own[2] === 'mcp' && ['gateway', 'serve'].includes(own[3]) && !own.some((word) => forCli.test(word));
const dist = `${__dirname}/../dist`;
if (!existsSync(isHook ? `${dist}/hook.cjs` : `${dist}/cli/policy.cjs`)) {
  process.stderr.write('policy is not built: dist/ is missing. In the folder of the package, run `npm run prepare`\n');
  // Every runner reads 2 as a denial, and any other error as leave to go on.
  process.exit(isHook ? 2 : 3);
} else if (isHook) {
  process.argv.splice(2, first - 1);
  require(`${dist}/hook.cjs`);
} else if (isGateway && existsSync(`${dist}/gateway.cjs`)) {
  require(`${dist}/gateway.cjs`);
} else {
  if (!isSomewhere()) {
    process.stderr.write('This directory was deleted; go to one that is there\n');
    process.exit(3);
  }
  if (!toldVersion(process.argv[first])) require(`${dist}/cli/policy.cjs`);
}

/** Without a working directory half of node fails, with a stack trace. */
function isSomewhere() {
  try {
    return process.cwd() !== '';
  } catch {
    return false;
  }
}

/** Prints the version, for which nothing of the CLI is needed; false where it was not asked for, or the CLI has to say what is wrong. */
function toldVersion(word) {
  if (!['--version', '-V', '-v', 'version'].includes(word) || !process.env.HOME?.startsWith('/')) return false;
  try {
    const { name, version } = JSON.parse(readFileSync(`${__dirname}/../package.json`, 'utf8'));
    if (name !== 'agent-policy' || typeof version !== 'string') return false;
    // A pipe takes so few bytes whole or not at all.
    writeSync(1, `${version}\n`);
    return true;
  } catch {
    return false;
  }
}
