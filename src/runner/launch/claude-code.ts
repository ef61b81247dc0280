/**
 * `claude -p`: what its permission mode would ask about is denied there, unless the hook allows it in so many words; so the policy
 * alone decides. Settings of one session (`--settings FILE`) bring our hook. `--dangerously-skip-permissions` is never used, nor is
 * the mode `bypassPermissions`.
 */
import {
  CommandLine,
  type KnownFlags,
  type Launcher,
  type LaunchPlan,
  LaunchRefused,
  type LaunchRequest,
  lastWord,
  promptOf,
} from './launcher.js';

export const claudeCodeLauncher: Launcher = {
  id: 'claude-code',
  program: 'claude',
  help: ['--help'],
  takesSettings: true,
  isInteractive: true,
  plan,
};

function plan(request: LaunchRequest, knows: KnownFlags): LaunchPlan {
  const { goal, model, agent, settings } = request;
  const line = new CommandLine(knows);
  if (goal !== null) line.add('-p', '--output-format', 'stream-json', '--verbose');
  if (settings !== null) {
    if (!knows.has('--settings'))
      throw new LaunchRefused(
        'this version of Claude Code takes no --settings, so the hook cannot be put in front of it; install a newer one',
      );
    line.add('--settings', settings);
  }
  line.flag('--permission-mode', ['default'], 'its settings choose the mode');
  if (model !== null) line.add('--model', model);
  if (agent === null) return line.plan(lastWord(request));
  if (agent.isOwn && knows.has('--agent')) return line.add('--agent', agent.name).plan(lastWord(request));
  if (agent.tools !== null && agent.tools.length > 0)
    line.flag('--tools', [agent.tools.map(plainTool).join(',')], 'the hook alone keeps it to the tools of its definition');
  if (agent.instructions.trim() === '') return line.plan(lastWord(request));
  if (knows.has('--append-system-prompt')) return line.add('--append-system-prompt', agent.instructions).plan(lastWord(request));
  return line
    .note('substituted the beginning of the prompt for --append-system-prompt, which this version does not know')
    .plan(lastWord(request, promptOf(request)));
}

/** `Bash(git *)` → `Bash`: the flag takes names of tools only. */
function plainTool(entry: string): string {
  return entry.replace(/\(.*$/s, '').trim();
}
