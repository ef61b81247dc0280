// `npm run oracle -- --runs N --seed S [--jobs J]`: builds, then sets the engine against real bash (docs/oracle.md).
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { becomeScript } from './child.mjs';
import { runNode } from './install.mjs';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
runNode('.ci/build.mjs');
becomeScript('build/test/oracle/main.js');
