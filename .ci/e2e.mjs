// `npm run e2e [-- WORD]`: the hook under the real clients, see test/e2e/main.ts. Downloads them the first time.
import { install, runNode } from './install.mjs';

install();
runNode('.ci/build.mjs', '--dist');
runNode('--enable-source-maps', 'build/test/e2e/main.js', ...process.argv.slice(2));
