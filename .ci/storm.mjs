// `npm run storm [-- WORKERS RUNS KILLS]`: many hooks at once, and many that are killed, see test/fault/storm.
import { install, runNode } from './install.mjs';

install();
runNode('.ci/build.mjs', '--dist');
runNode('--enable-source-maps', 'build/test/fault/storm/main.js', ...process.argv.slice(2));
