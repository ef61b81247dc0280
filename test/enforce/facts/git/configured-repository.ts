/** What a policy answers to a call made in a repository with this configuration. */
import { inputFromText } from '../../../../src/call/subject.js';
import type { RunnerId, ToolCall } from '../../../../src/call/tool-call.js';
import { decide } from '../../../../src/decide/decide.js';
import { analyse } from '../../../../src/decide/flow/analysis.js';
import { compilePolicy } from '../../../../src/decide/policy/compile.js';
import { gatherFacts } from '../../../../src/enforce/facts/gather.js';
import { composePolicy } from '../../../../src/policy/compose.js';
import { parsePolicy } from '../../../../src/policy/document.js';
import { withFiles } from '../../scratch.js';

const POLICY =
  'version: 1\npreset: safe\nallow:\n  - Bash(git config -l)\n  - Bash(git config --list)\n  - Bash(git config --list --show-origin)\n  - Bash(git config --get remote.origin.url)\n  - Bash(git config --get core.bare)\n  - Bash(git remote show *)\n  - Bash(git ls-remote *)\n  - Bash(cat *)\n  - Bash(grep *)\n';
export const TOKEN = 'hunter2hunter2';
export const WITH = `[core]\n\tbare = false\n[remote "origin"]\n\turl = https://me:${TOKEN}@example.com/x.git\n`;
export const WITHOUT = '[core]\n\tbare = false\n[remote "origin"]\n\turl = https://me@example.com/x.git\n';

interface Differently {
  /** The environment; `PROJECT` in a value is the project's folder. */
  readonly variables?: Readonly<Record<string, string>>;
  readonly rules?: string;
  readonly runner?: RunnerId;
}

/**
 * The answer, and the whole decision as text.
 * @param config text of `.git/config`
 * @param more other files of the project, in which `home` is the home folder
 */
export function answer(
  config: string,
  tool: string,
  input: string | ToolCall['input'],
  more: Readonly<Record<string, string>> = {},
  { variables = {}, rules = POLICY, runner }: Differently = {},
): { readonly effect: string; readonly text: string } {
  const repository = { '.git/HEAD': 'ref: refs/heads/main\n', '.git/objects/': '', '.git/refs/': '', '.git/config': config };
  return withFiles({ ...repository, 'a.txt': 'a', 'home/': '', ...more }, (project) => {
    const { document, problems } = parsePolicy(rules, { file: 'policy.yaml', format: 'yaml', layer: 'project' });
    if (document === null) throw new Error(JSON.stringify(problems));
    const policy = compilePolicy(composePolicy([{ layer: 'project', trusted: true, document }], { repository: null }).policy);
    const given = typeof input === 'string' ? inputFromText(tool, input) : input;
    const call: ToolCall = { tool, input: given, cwd: project, headless: false, shell: 'union', ...(runner && { runner }) };
    const analysis = analyse(call);
    const around = {
      project,
      home: `${project}/home`,
      platform: 'linux',
      environment: Object.fromEntries(
        Object.entries(variables).map(([name, value]) => [name, value.replace('PROJECT', project)]),
      ),
      ownDirectories: [],
      budget: null,
    } as const;
    const decision = decide(policy, call, gatherFacts(analysis, project, around), analysis);
    return { effect: decision.decision, text: JSON.stringify(decision) };
  });
}
