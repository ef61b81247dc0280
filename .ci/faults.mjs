// `npm run faults [-- WORD]`: the whole fault table against the bundles, see test/fault/main.ts.
import { install, runNode } from './install.mjs';

install();
runNode('.ci/build.mjs', '--dist');
runNode('--enable-source-maps', 'build/test/fault/main.js', ...process.argv.slice(2));
