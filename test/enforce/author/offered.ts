/** An offer as a person lives through it: the printed line, read by a real shell, given to `policy allow`, and the same call again. */
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { whyIdle } from '../../../src/author/idle-rule.js';
import { findRemedyDry, remedyLayer } from '../../../src/author/remedy.js';
import { findingsOf, planEdit } from '../../../src/author/rule-edit.js';
import { previewRules } from '../../../src/author/rule-preview.js';
import type { ToolCall } from '../../../src/call/tool-call.js';
import { compilePolicy } from '../../../src/decide/policy/compile.js';
import { remedyLines } from '../../../src/decide/remedy/remedy.js';
import type { Decision } from '../../../src/decide/ruling/decision.js';
import { enforceDry } from '../../../src/enforce/enforce.js';
import { openWorkspace, type Workspace } from '../../../src/project/workspace.js';
import { changedCalls } from '../../../src/report/rule-edit.js';
import { parseEntry, printEntry } from '../../../src/rule/pattern/entry.js';

/** A call that is not allowed, and what is printed about it. */
export interface Asked {
  readonly call: ToolCall;
  readonly decision: Decision;
  /** Every offer as a line to paste, with what it allows besides. */
  readonly lines: readonly { readonly line: string; readonly also: readonly string[] }[];
  readonly sentence: string | null;
}

export function openedIn(cwd: string): Workspace {
  const home = join(cwd, '../home');
  const opened = openWorkspace({ cwd, home, platform: 'linux', environment: {}, trustProject: true });
  if (!opened.ok) throw new Error(JSON.stringify(opened.problems));
  return opened.workspace;
}

export function askAbout(workspace: Workspace, call: ToolCall): Asked {
  const decision = enforceDry(workspace, call);
  const remedy = findRemedyDry(workspace, call, decision);
  return {
    call,
    decision,
    lines: remedy?.kind === 'rules' ? remedyLines(remedy, remedyLayer(workspace)) : [],
    sentence: remedy?.kind === 'sentence' ? remedy.sentence : null,
  };
}

/** The words of each line as `sh` reads them. */
export function wordsByShell(lines: readonly string[]): readonly (readonly string[])[] {
  const program = `policy() { printf '%s\\0' "$@"; printf '\\1\\0'; }\n${lines.join('\n')}\n`;
  const { stdout, stderr, status } = spawnSync('sh', [], { input: program, encoding: 'utf8', maxBuffer: 1 << 26 });
  if (status !== 0 || stderr !== '') throw new Error(stderr);
  return stdout
    .split('\u0001\0')
    .slice(0, -1)
    .map((words) => words.split('\0').slice(0, -1));
}

/** What `policy allow WORDS` answers: why it refuses, what it prints, and the workspace as it is with the rules. */
export function allowing(workspace: Workspace, words: readonly string[]) {
  const [verb, ...texts] = words;
  if (verb !== 'allow') throw new Error(words.join(' '));
  const rules = texts.map((text) => {
    const entry = parseEntry(text);
    if (!entry.ok) throw new Error(`${text}: ${entry.message}`);
    return { effect: 'allow' as const, text: printEntry(entry) };
  });
  const { project, ownDirectories } = workspace.surroundings;
  const [userDirectory = '', managedDirectory = '', stateDirectory = ''] = ownDirectories;
  const plan = planEdit({ rules, layer: 'local', places: { project, userDirectory, managedDirectory, stateDirectory } });
  const changes = previewRules(workspace, plan.added, null);
  const policy = { ...workspace.policy, rules: [...workspace.policy.rules, ...plan.added] };
  const after: Workspace = { ...workspace, policy, compiled: compilePolicy(policy, workspace.agents) };
  const idle = plan.added.map((rule) => whyIdle(rule, changes, 'local')).filter((sentence) => sentence !== null);
  return { refused: [...findingsOf(plan, []).refused, ...idle], printed: changedCalls(changes), after };
}
