/** Every tool that `npm run compare` measures, in the order of its table. */
import type { Peer } from '../peer.js';
import { ccSafetyNetStandard, ccSafetyNetStrict } from './cc-safety-net.js';
import { claudeCodeAllowList, claudeCodeDefault } from './claude-code.js';
import { geminiCli } from './gemini-cli.js';
import { claudeQol, vibesafu } from './hooks.js';
import { policyInit, policySafe } from './policy.js';

export const PEERS: readonly Peer[] = [
  policyInit,
  policySafe,
  claudeCodeDefault,
  claudeCodeAllowList,
  geminiCli,
  ccSafetyNetStandard,
  ccSafetyNetStrict,
  vibesafu,
  claudeQol,
];

/** Those in the README's table: each in the set-up that its own documentation recommends, and none in a stricter one that it warns about. */
export const IN_README: readonly Peer[] = PEERS.filter((peer) => peer !== ccSafetyNetStrict);
