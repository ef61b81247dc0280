/** Claude Code, from two packages: the older one runs on node, the newer one is the program that the SDK brings. */
import { type Client, prompt } from '../client.js';

/** Its own rule allows everything: what is blocked, the hook blocked. The odd blanks have to be there again in the end. */
const OWN = '{\n\t"permissions" : {"allow":["Bash", "Agent", "Task"]},\n\n  "includeCoAuthoredBy": false\n}\n';
const SILENT = [
  'DISABLE_TELEMETRY',
  'DISABLE_AUTOUPDATER',
  'DISABLE_ERROR_REPORTING',
  'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
];

export function claudeCode(version: string, packaged: string, program: string): Client {
  return {
    ...{ runner: 'claude-code', version, package: packaged, program, command: 'claude' },
    prepare: (stage) => {
      stage.write('.claude/settings.json', OWN);
      stage.write('project/.claude/settings.local.json', OWN);
      const agent = '---\nname: reviewer\ndescription: Looks at things.\ntools: Bash, Read\n---\nLook.\n';
      stage.write('project/.claude/agents/reviewer.md', agent);
      return {
        args: ['-p', '--output-format', 'stream-json', '--verbose', '--allowedTools', 'Bash', 'Agent', 'Task', '--'],
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
    agent: (scenario) => ({
      tool: 'Agent',
      input: { description: 'd', prompt: prompt(scenario), subagent_type: 'reviewer', run_in_background: false },
    }),
    ...{ agentName: 'reviewer', transcripts: '.claude/projects' },
  };
}
