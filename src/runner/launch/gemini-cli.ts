/**
 * `gemini --prompt`: without a person, version 0.61 does not even offer the model its shell and its writing tools unless they are
 * approved beforehand. So they are, by name and not with `--yolo`: our hook runs before this approval and decides. For an agent that
 * only reads nothing is approved. Its mode is `default`, which without a person offers neither: `plan` is in the help of 0.26, but
 * there it ends the run. Versions without the command `gemini hooks` (0.24) run no hook and are refused.
 *
 * It takes no settings for one session: it reads the file that GEMINI_CLI_SYSTEM_SETTINGS_PATH names only when that file and all
 * folders above it belong to root, and passes over it with a mere warning otherwise. So the hook has to be installed.
 */

import { LaunchRefused } from './launch-refused.js';
import {
  CommandLine,
  type KnownFlags,
  type Launcher,
  type LaunchPlan,
  type LaunchRequest,
  promptWord,
  type Reach,
  UNTOLD,
} from './launcher.js';

/** What asks a person unless it is approved, files aside, which `auto_edit` approves. */
const APPROVED = 'run_shell_command,web_fetch,mcp_*';

export const geminiCliLauncher: Launcher = {
  id: 'gemini-cli',
  program: 'gemini',
  help: ['--help'],
  passedOn: {
    ...{ '--include-directories': 'one', '--allowed-mcp-server-names': 'one', '--debug': 'none', '-d': 'none' },
    ...{ '--resume': 'one', '-r': 'one', '--session-id': 'one', '--screen-reader': 'none' },
  },
  takesSettings: false,
  isInteractive: true,
  plan,
};

function plan(request: LaunchRequest, knows: KnownFlags): LaunchPlan {
  const { goal, model, reach, agent } = request;
  if (!knows.hasCommand('hooks'))
    throw new LaunchRefused(
      'this version of Gemini CLI runs no hooks (its help names no `gemini hooks`), so nothing of the policy would hold; install a newer one',
    );
  const line = new CommandLine(knows);
  if (goal !== null) line.flag('--output-format', ['stream-json'], 'its usage cannot be read');
  approvals(line, reach, goal, knows);
  if (model !== null) line.name('--model', model, 'it uses its own model');
  if (goal === null && agent !== null && agent.instructions.trim() !== '') line.note(UNTOLD);
  return line.plan(promptWord(request));
}

/** With a person at the terminal nothing is approved beforehand, unless everything is to be. */
function approvals(line: CommandLine, reach: Reach, goal: string | null, knows: KnownFlags): void {
  if (reach === 'read') {
    line.mode('--approval-mode', ['default'], 'its settings choose the mode');
    return;
  }
  if (goal !== null || reach === 'full') {
    line.mode('--approval-mode', ['auto_edit'], 'it may deny what changes files');
    line.joined('--allowed-tools', APPROVED, 'it may deny commands and tools of MCP servers');
  } else line.mode('--approval-mode', ['default'], 'its settings choose the mode');
  if (reach === 'full' && knows.has('--sandbox')) line.add('--sandbox=false');
}
