/** All faults, in the order of the table. */
import type { Group } from './fault.js';
import { input } from './faults/input.js';
import { policy } from './faults/policy.js';
import { program } from './faults/program.js';
import { signals } from './faults/signals.js';
import { snapshot } from './faults/snapshot.js';
import { state } from './faults/state.js';
import { surroundings } from './faults/surroundings.js';
import { systemCalls } from './faults/system-calls.js';

export const GROUPS: readonly Group[] = [input, signals, state, snapshot, program, policy, surroundings, systemCalls];
