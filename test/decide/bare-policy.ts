/** A policy that says nothing: what tests of decisions begin with. */
import type { Policy } from '../../src/policy/policy.js';

export const BARE_POLICY: Policy = {
  rules: [],
  preset: null,
  default: null,
  tiers: {},
  customTools: [],
  agents: { missingTools: 'dialect' },
  protectedBranches: [],
  harmlessVariables: [],
  except: [],
  budget: { tokens: null, calls: null, seconds: null, perAgent: {}, perAgentCalls: {}, perAgentSeconds: {} },
  onAsk: 'ask',
  locked: false,
  mode: 'enforce',
  trustedRepos: [],
  sources: [],
  notes: [],
};
