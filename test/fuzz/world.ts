/** One decision as a fuzzer asks for it: preset safe, a clean repository, the call read once. */

import type { ToolCall } from '../../src/call/tool-call.js';
import { decide } from '../../src/decide/decide.js';
import { factsNeeded } from '../../src/decide/facts-needed.js';
import { analyse, type CallAnalysis } from '../../src/decide/flow/analysis.js';
import { compilePolicy } from '../../src/decide/policy/compile.js';
import type { Decision } from '../../src/decide/ruling/decision.js';
import type { Facts } from '../../src/decide/ruling/facts.js';
import { presetNamed } from '../../src/policy/presets.js';
import type { ShellDialect } from '../../src/shell/syntax/types.js';
import { BARE_POLICY } from '../decide/bare-policy.js';

const PROJECT = '/repo';
const HOME = '/home/me';

const compiled = compilePolicy({ ...BARE_POLICY, preset: presetNamed('safe') }, [], null);

/** Decides about a command line. */
export function ask(command: string, shell: ShellDialect): Decision {
  return askAbout({ tool: 'Bash', input: { command }, cwd: PROJECT, headless: false, shell });
}

/** Decides about any call. */
export function askAbout(call: ToolCall): Decision {
  const analysis = analyse(call);
  return decide(compiled, call, factsFor(call, analysis), analysis);
}

/** Every path exists and leads to itself; one remote, no secret. */
function factsFor(call: ToolCall, analysis: CallAnalysis): Facts {
  const needed = factsNeeded(analysis, { cwd: call.cwd, home: HOME, project: PROJECT });
  return {
    project: PROJECT,
    cwd: call.cwd,
    home: HOME,
    platform: 'linux',
    paths: Object.fromEntries(needed.paths.map((path) => [path, { real: path, kind: 'file' as const }])),
    secretTrees: Object.fromEntries(needed.trees.map((tree) => [tree, []])),
    git: {
      top: PROJECT,
      remotes: ['origin'],
      branch: 'feature/x',
      upstream: { remote: 'origin', branch: 'feature/x' },
      hazards: [],
      astray: [],
      directories: Object.fromEntries(needed.gitDirectories.map((directory) => [directory, PROJECT])),
    },
    environment: [],
    budget: null,
    ownDirectories: [`${HOME}/.config/policy`],
  };
}
