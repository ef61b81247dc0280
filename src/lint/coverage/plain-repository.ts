/** A fictitious repository without anything unusual: commands of linted files are judged in it. */
import type { RunnerId, ToolCall } from '../../call/tool-call.js';
import { decide } from '../../decide/decide.js';
import { factsNeeded } from '../../decide/facts-needed.js';
import { analyse } from '../../decide/flow/analysis.js';
import { incomingKey } from '../../decide/guards/git/incoming-needed.js';
import { printedKey } from '../../decide/guards/git/printed-secrets.js';
import type { CompiledPolicy } from '../../decide/policy/compile.js';
import type { Decision } from '../../decide/ruling/decision.js';
import type { Facts, NameFacts } from '../../decide/ruling/facts.js';

export const PROJECT = '/project';
const HOME = '/home/user';

const PLAIN_NAMES: NameFacts = { odd: false, leading: false, wild: false, top: false, astray: false };

/** Returns the policy's decision about a command there; `runner`: the runner by whose conventions the call is read. */
export function decidedInPlainRepository(policy: CompiledPolicy, command: string, runner?: RunnerId): Decision {
  const call: ToolCall = {
    tool: 'Bash',
    input: { command },
    cwd: PROJECT,
    headless: false,
    shell: 'bash',
    ...(runner !== undefined && { runner }),
  };
  const analysis = analyse(call);
  const place = { cwd: PROJECT, home: HOME, project: PROJECT };
  const asked = factsNeeded(analysis, place);
  const topOf = (directory: string) => (directory.startsWith(PROJECT) ? PROJECT : directory);
  const tops = pairs(asked.tops, topOf);
  const needed = asked.tops.length > 0 ? factsNeeded(analysis, { ...place, tops }) : asked;
  const facts: Facts = {
    project: PROJECT,
    cwd: PROJECT,
    home: HOME,
    platform: 'linux',
    paths: pairs(needed.paths, (path) => ({ real: path, kind: 'file' as const })),
    secretTrees: pairs(needed.trees, () => []),
    packedLinks: pairs(needed.packed, () => []),
    names: {
      trees: pairs(needed.names.trees, () => PLAIN_NAMES),
      folders: pairs(needed.names.folders, () => PLAIN_NAMES),
      indexes: pairs(needed.names.indexes, (directory) => ({ ...PLAIN_NAMES, top: directory === PROJECT })),
    },
    git: {
      top: PROJECT,
      remotes: ['origin'],
      branch: 'main',
      upstream: { remote: 'origin', branch: 'main' },
      hazards: [],
      astray: [],
      directories: pairs(needed.gitDirectories, topOf),
    },
    incoming: Object.fromEntries(needed.incoming.map((one) => [incomingKey(one), { top: PROJECT, files: [] }])),
    printed: Object.fromEntries(needed.printed.map((one) => [printedKey(one), { secrets: [], tracked: [] }])),
    environment: [],
    budget: null,
    ownDirectories: [],
  };
  return decide(policy, call, facts, analysis);
}

function pairs<T>(keys: readonly string[], valueAt: (key: string) => T): Record<string, T> {
  return Object.fromEntries(keys.map((key) => [key, valueAt(key)]));
}
