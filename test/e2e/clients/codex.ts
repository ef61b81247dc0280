/** Codex: it runs no hook before a person trusted it, by a hash that we make here as `/hooks` does. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { type Client, named, prompt, type Stage } from '../client.js';

interface Hooks {
  readonly hooks: Record<string, { matcher?: string; hooks: { command: string; timeout?: number }[] }[]>;
}

export const codex: Client = {
  ...named('codex', '@openai/codex', 'codex'),
  prepare: (stage) => {
    stage.write('.codex/config.toml', configuration(stage));
    // A hook of somebody else stands there already.
    const other = { hooks: { PostToolUse: [{ hooks: [{ type: 'command', command: '/bin/true', timeout: 5 }] }] } };
    stage.write('project/.codex/hooks.json', JSON.stringify(other));
    const agent = 'name = "reviewer"\ndescription = "Looks."\ndeveloper_instructions = "Look."\n';
    stage.write('project/.codex/agents/reviewer.toml', agent);
    return {
      args: ['exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '--'],
      environment: { MOCK_KEY: 'none' },
    };
  },
  agree: (stage, file) => {
    const trusted = `[projects.${JSON.stringify(stage.project)}]\ntrust_level = "trusted"\n`;
    const agreed = configuration(stage) + trusted + hashes(file);
    // What `policy install --sandbox` wrote around it stays.
    stage.edit('.codex/config.toml', (text) => text.replace(/model = "mock"[\s\S]*?(?=\n# policy sandbox|$)/, () => agreed));
  },
  unagreed: { user: 'open', project: 'open' },
  shell: (cmd) => ({ tool: 'exec_command', input: { cmd } }),
  // As real models do: the patch is a line for the shell, which the client takes out and applies by itself.
  write: (name, text) => ({ tool: 'exec_command', input: { cmd: patchLine(`*** Add File: ${name}\n+${text}`) } }),
  edit: (name, from, to) => patch(`*** Update File: ${name}\n@@\n-${from}\n+${to}`),
  changes: {
    move: (name) => patch(`*** Update File: ${name}\n*** Move to: moved.txt\n@@\n-OTHER=1\n+OTHER=2`),
    remove: (name) => patch(`*** Delete File: ${name}`),
  },
  modes: { edits: { args: ['exec', '--json', '--skip-git-repo-check', '-s', 'workspace-write', '--'], environment: {} } },
  sandboxed: { args: ['exec', '--json', '--skip-git-repo-check', '--'], environment: {} },
  addServer: (stage, { command, args }) =>
    stage.edit(
      '.codex/config.toml',
      (text) => `${text}[mcp_servers.probe]\ncommand = ${JSON.stringify(command)}\nargs = ${JSON.stringify(args)}\n`,
    ),
  mcp: (tool, input) => ({ tool: `mcp__probe.${tool}`, input }),
  agent: (scenario) => ({
    tool: 'multi_agent_v1.spawn_agent',
    input: { message: prompt(scenario), agent_type: 'reviewer' },
  }),
  ...{ agentName: 'reviewer', transcripts: '.codex/sessions' },
};

function patch(changes: string) {
  return { tool: 'exec_command', input: { cmd: patchLine(changes) } };
}

/** @param changes the lines of a patch between its first and its last */
export function patchLine(changes: string): string {
  return `apply_patch <<'EOF'\n*** Begin Patch\n${changes}\n*** End Patch\nEOF`;
}

function configuration({ model }: Stage): string {
  return (
    'model = "mock"\nmodel_provider = "mock"\n[model_providers.mock]\nname = "mock"\n' +
    `base_url = "${model}/v1"\nenv_key = "MOCK_KEY"\nwire_api = "responses"\n`
  );
}

/** The table that `/hooks` writes. */
function hashes(file: string): string {
  const { hooks } = JSON.parse(readFileSync(file, 'utf8')) as Hooks;
  const entries = Object.entries(hooks).flatMap(([name, groups]) => {
    const event = name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
    return groups.flatMap(({ matcher, hooks: handlers }, at) =>
      handlers.map(({ command, timeout = 600 }, nth) => {
        const identity = JSON.stringify({
          event_name: event,
          hooks: [{ async: false, command, timeout, type: 'command' }],
          ...(matcher !== undefined && { matcher }),
        });
        const hash = createHash('sha256').update(identity).digest('hex');
        return `[hooks.state.${JSON.stringify(`${file}:${event}:${at}:${nth}`)}]\ntrusted_hash = "sha256:${hash}"\n`;
      }),
    );
  });
  return entries.join('');
}
