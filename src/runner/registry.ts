/** All runners that have a hook, by name. */
import { claudeCode } from './claude-code.js';
import type { Runner } from './runner.js';

export const RUNNERS_BY_NAME: ReadonlyMap<string, Runner> = new Map([claudeCode].map((runner) => [runner.id, runner]));
