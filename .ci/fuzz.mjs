// `npm run fuzz -- --runs N --seed S [--jobs J]`: builds, then sets damaged lines, bytes and payloads on the engine (docs/fuzz.md).
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';
import { becomeScript } from './child.mjs';
import { runNode } from './install.mjs';

process.chdir(dirname(dirname(fileURLToPath(import.meta.url))));
runNode('.ci/build.mjs');
becomeScript('build/test/fuzz/main.js');
