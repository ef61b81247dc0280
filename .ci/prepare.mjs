// npm runs this before `npm pack`, for `npm install -g FOLDER` and for an install from a git address: it makes `dist/`.
import { install, isInstalled, runNode } from './install.mjs';

if (!isInstalled()) install();
runNode('.ci/build.mjs', '--dist');
