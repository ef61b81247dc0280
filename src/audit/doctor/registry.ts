/** All checks of `policy doctor`, in display order. */

import { age } from './checks/age.js';
import { agents } from './checks/agents.js';
import { canary } from './checks/canary.js';
import { client } from './checks/client.js';
import { clock } from './checks/clock.js';
import { codeCache } from './checks/code-cache.js';
import { events } from './checks/events.js';
import { installed } from './checks/installed.js';
import { leftovers } from './checks/leftovers.js';
import { line } from './checks/line.js';
import { log } from './checks/log.js';
import { logTail } from './checks/log-tail.js';
import { matcher } from './checks/matcher.js';
import { others } from './checks/others.js';
import { policy } from './checks/policy.js';
import { program } from './checks/program.js';
import { servers } from './checks/servers.js';
import { settings } from './checks/settings.js';
import { surroundings } from './checks/surroundings.js';
import { switches } from './checks/switches.js';
import { trust } from './checks/trust.js';
import { variables } from './checks/variables.js';
import type { DoctorCheck } from './found/check.js';

export const checks: readonly DoctorCheck[] = [
  ...[client, installed, settings, matcher, switches, others, surroundings, variables, trust, agents, events],
  ...[line, program, age, codeCache, canary],
  servers,
  ...[policy, log, logTail, clock, leftovers],
];
