/** Claude Code: the older version is the last one that npm installs under Node 20, the newer one brings a program of its own. */
import { type Client, named, PROJECT, prompt, type Start } from '../client.js';
import type { ModelCall } from '../mock-model.js';

/** It has no auto mode without an opt-in. */
const OLDER = '2.1.197';
/** Its own rule allows everything: what is blocked, the hook blocked. The odd blanks have to be there again in the end. */
const OWN = '{\n\t"permissions" : {"allow":["Bash", "Agent", "Task"]},\n\n  "includeCoAuthoredBy": false\n}\n';
/** What a project says is not the person's word: doctor objects to rules about everything there. */
const OF_PROJECT = OWN.replace('"Bash", "Agent", "Task"', '"Bash(ls:*)"');
const SILENT = [
  'DISABLE_TELEMETRY',
  'DISABLE_AUTOUPDATER',
  'DISABLE_ERROR_REPORTING',
  'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
];

const PRINTED = ['-p', '--output-format', 'stream-json', '--verbose'];
const TOOLS = ['--allowedTools', 'Bash', 'Agent', 'Task', 'Skill', 'Write', 'Read', 'mcp__probe', '--'];

function inMode(mode: string): Start {
  return { args: [...PRINTED, '--permission-mode', mode, ...TOOLS], environment: {} };
}

function agentCall(name: string, scenario: string): ModelCall {
  const input = { description: 'd', prompt: prompt(scenario), subagent_type: name, run_in_background: false };
  return { tool: 'Agent', input };
}

export function claudeCode(version: string): Client {
  return {
    ...{ ...named('claude-code', '', 'claude'), version, package: `@anthropic-ai/claude-code@${version}` },
    prepare: (stage) => {
      stage.write('.claude/settings.json', OWN);
      stage.write('project/.claude/settings.local.json', OF_PROJECT);
      const agent = '---\nname: reviewer\ndescription: Looks at things.\ntools: Bash, Read\n---\nLook.\n';
      stage.write('project/.claude/agents/reviewer.md', agent);
      const unasked = agent.replace('name: reviewer', 'name: unasked\npermissionMode: bypassPermissions');
      stage.write('project/.claude/agents/unasked.md', unasked);
      return {
        args: [...PRINTED, ...TOOLS],
        environment: {
          ...{ ANTHROPIC_BASE_URL: stage.model, ANTHROPIC_API_KEY: 'sk-ant-none' },
          ...Object.fromEntries(SILENT.map((name) => [name, '1'])),
        },
      };
    },
    // Without a person it asks for no trust.
    agree: () => {},
    unagreed: { user: 'closed', project: 'closed' },
    shell: (command) => ({ tool: 'Bash', input: { command, description: 'd' } }),
    write: (name, text) => ({ tool: 'Write', input: { file_path: `${PROJECT}/${name}`, content: text } }),
    modes: {
      // As root it refuses this mode, unless it is told that it runs in a sandbox.
      bypass: { args: [...PRINTED, '--dangerously-skip-permissions', '--'], environment: { IS_SANDBOX: '1' } },
      asks: { args: [...PRINTED, '--permission-mode', 'default', '--'], environment: {} },
      edits: inMode('acceptEdits'),
      plan: inMode('plan'),
      never: inMode('dontAsk'),
      ...(version !== OLDER && { auto: inMode('auto') }),
    },
    // The older one knows no `failIfUnavailable`.
    ...(version !== OLDER && { sandboxed: { args: [...PRINTED, ...TOOLS], environment: {} } }),
    addServer: (stage, server) => stage.write('.claude.json', JSON.stringify({ mcpServers: { probe: server } })),
    mcp: (tool, input) => ({ tool: `mcp__probe__${tool}`, input }),
    skill: (name, args) => ({ tool: 'Skill', input: { skill: name, ...(args !== undefined && { args }) } }),
    agent: (scenario) => agentCall('reviewer', scenario),
    unaskedAgent: (scenario) => agentCall('unasked', scenario),
    ...{ agentName: 'reviewer', transcripts: '.claude/projects' },
  };
}
