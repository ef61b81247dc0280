// npm runs this before `npm pack`, for `npm install -g FOLDER` and for an install from a git address: it makes `dist/`.
import { existsSync, readFileSync } from 'node:fs';
import { install, isInstalled, runNode } from './install.mjs';

if (!isInstalled()) install();
// This module needs what was just installed.
const { sourceDigest } = await import('./source-digest.mjs');
const hook = 'dist/hook-main.cjs';
const isBuilt = existsSync('dist/policy.js') && existsSync(hook) && readFileSync(hook, 'utf8').includes(sourceDigest());
if (!isBuilt) runNode('.ci/build.mjs', '--dist');
