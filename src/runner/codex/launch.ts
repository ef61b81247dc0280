/**
 * `codex exec`: it never asks anybody. Version 0.42 has `--sandbox` and `--full-auto`, from 0.130 on `--full-auto` is gone, and
 * no version of `exec` has a flag for approvals (their help texts: test/fixtures/launch/codex). The flag that switches off both
 * the sandbox and the questions (`--dangerously-bypass-approvals-and-sandbox`) is never used.
 *
 * Flags can bring a hook for one session and the trust in it (`-c hooks.PreToolUse=…`, `-c
 * hooks.state={"/<session-flags>/config.toml:pre_tool_use:0:0"=…}`: 0.169 runs it). They are not used: a version that computes
 * another hash, or has no hooks, silently ignores them. So the hook has to be installed.
 *
 * In a folder that a person trusts, 0.169 starts the servers of each `.codex/config.toml` from the repository's root down to the
 * folder where it works. Setting `mcp_servers` only adds to them, so each is switched off by its name; if the file turns out not
 * to be read, that merely defines a server that is switched off. It does not start the servers of a role (`.codex/agents`,
 * `[agents.NAME]`), and a role that switches hooks off has no effect (0.169).
 *
 * The project's settings only apply in a folder that a person trusts, so flags of the session mark every folder as untrusted
 * (0.171): the working folder and those above it, of which the first with a trust level decides. Instructions and skills of the
 * project apply regardless, so they are switched off; a folder as part of a dotted key would be silently ignored.
 *
 * With a person, 0.169 hands the session to a background server, which may have started before the run and continues after it.
 * Its hooks would not know about the run, hence `--no-daemon`.
 */

import { LaunchRefused } from '../launch/launch-refused.js';
import {
  CommandLine,
  type KnownFlags,
  type Launcher,
  type LaunchPlan,
  type LaunchRequest,
  lastWord,
  promptOf,
  type Reach,
  UNTOLD,
} from '../launch/launcher.js';
import { leftOut, unnamedServers } from '../launch/project-servers.js';

const SANDBOXES: Readonly<Record<Reach, string>> = {
  read: 'read-only',
  write: 'workspace-write',
  full: 'danger-full-access',
};

const JSON_OUTPUT = {
  flag: '--json',
  missing: 'codex exec --help does not name --json (openai/codex#4351)',
  effect: 'a run with a goal reads its stream from that flag',
};

export const launch: Launcher = {
  needed: JSON_OUTPUT,
  id: 'codex',
  program: 'codex',
  help: ['exec', '--help'],
  personHelp: ['--help'],
  variables: ['CODEX_*', 'OPENAI_*'],
  passedOn: {
    ...{ '--image': 'many', '-i': 'many', '--output-schema': 'one', '--color': 'one', '--ephemeral': 'none' },
    ...{
      '--output-last-message': 'one',
      '-o': 'one',
      '--oss': 'none',
      '--local-provider': 'one',
      '--skip-git-repo-check': 'none',
    },
  },
  takesSettings: false,
  serverPlaces: {
    ...{ files: ['.codex/config.toml'], up: 'repository', format: 'toml' },
    ...{ key: 'mcp_servers', own: ['.codex/config.toml'] },
  },
  instructions: {
    files: ['AGENTS.override.md', 'AGENTS.md'],
    named: [
      {
        ...{ files: ['.codex/config.toml'], own: ['.codex/config.toml'], format: 'toml', as: 'name' },
        keys: [['project_doc_fallback_filenames']],
      },
      { files: ['.codex/config.toml'], own: [], format: 'toml', as: 'beside', keys: [['model_instructions_file']] },
    ],
  },
  cleanRoom: {
    since: '0.171.0',
    flags: ['--config'],
    // At a terminal, 0.171 begins with another screen in a folder that is untrusted, and takes no prompt there.
    needsGoal: true,
    leavesOut: [
      { called: 'settings', paths: ['.codex/config.toml'] },
      { called: 'hooks', paths: ['.codex/hooks.json'] },
      { called: 'rules', paths: ['.codex/rules'] },
      { called: 'skills', paths: ['.agents/skills', '.codex/skills'] },
    ],
  },
  isInteractive: true,
  plan,
};

function plan(request: LaunchRequest, knows: KnownFlags): LaunchPlan {
  const { goal, model, reach, agent } = request;
  const line = new CommandLine(knows);
  if (goal !== null) {
    // The stream is read from this flag's output; a version without the flag fails with a message.
    line.add('exec', '--json');
    if (!knows.has(JSON_OUTPUT.flag))
      line.note(`${JSON_OUTPUT.missing}; it is passed all the same, since the stream is read from it`);
    line.flag('--skip-git-repo-check', [], 'outside of a git repository it will refuse to work');
  }
  sandbox(line, reach, knows);
  if (goal === null && knows.has('--no-daemon')) line.add('--no-daemon');
  leaveOutServers(line, request);
  leaveOutProject(line, request, knows);
  // A person at the terminal answers questions.
  if (goal !== null) line.add('-c', 'approval_policy=never');
  if (model !== null) line.name('--model', model, 'it uses its own model');
  if (goal === null && agent !== null && agent.instructions.trim() !== '') line.note(UNTOLD);
  return line.plan(lastWord(request, promptOf(request)));
}

/** Adds the sandbox. Without a sandbox flag, only an agent that may write can be started: `--full-auto` lets it work in the project. */
function sandbox(line: CommandLine, reach: Reach, knows: KnownFlags): void {
  if (knows.has('--sandbox')) {
    line.add('--sandbox', SANDBOXES[reach]);
    return;
  }
  if (reach === 'read')
    throw new LaunchRefused(
      'this version of codex has no --sandbox, so a read-only run cannot be kept from writing; install a newer codex (openai/codex#4351)',
    );
  if (knows.has('--full-auto'))
    line
      .add('--full-auto')
      .note(`substituted --full-auto for --sandbox ${SANDBOXES[reach]}, which this version does not know (openai/codex#4351)`);
  else
    line.note(`skipped --sandbox ${SANDBOXES[reach]}: this version does not know it; the sandbox is what its configuration says`);
}

function leaveOutProject(line: CommandLine, { withoutProject }: LaunchRequest, knows: KnownFlags): void {
  if (withoutProject == null) return;
  // A JSON string is also a TOML string.
  const levels = withoutProject.map((folder) => `${JSON.stringify(folder)}={trust_level="untrusted"}`);
  line.add('-c', `projects={${levels.join(',')}}`, '-c', 'project_doc_max_bytes=0', '-c', 'skills.include_instructions=false');
  if (knows.has('--ignore-rules')) line.add('--ignore-rules');
}

/** Matches server names that can be a key of `-c` without quotes: 0.169 takes quotes for a part of the name. */
const KEY = /^\w[\w-]{0,99}$/;

function leaveOutServers(line: CommandLine, request: LaunchRequest): void {
  const unnamed = unnamedServers(request, 'Codex', KEY);
  if (unnamed === null) return;
  for (const { name, isRemote } of unnamed.servers)
    line.add('-c', `mcp_servers.${name}={${isRemote ? 'url="http://127.0.0.1:9/"' : 'command="true"'},enabled=false}`);
  line.note(leftOut(unnamed.servers, 'Codex', 'put it into your own configuration under another name'));
}
