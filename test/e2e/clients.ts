/** The real clients: what npm calls them, how they are started without a person, and what their models call the tools. */
import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { RunnerId } from '../../src/call/tool-call.js';
import type { ModelCall } from './mock-model.js';

/** Where a scenario plays. */
export interface Stage {
  readonly home: string;
  readonly project: string;
  readonly model: string;
  /** Writes a file below the home. */
  write(file: string, text: string): void;
}

export interface Start {
  readonly args: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
}

export interface Client {
  readonly runner: RunnerId;
  readonly version: string;
  /** A package and its version for `npm install`. */
  readonly package: string;
  /** The program below the folder that it was installed into. */
  readonly program: string;
  /** The file of the project that its hooks stand in. */
  readonly hooks: string;
  /** Makes it ready to work without a person, apart from the hook; `trusted` false: the person never agreed to the hook. */
  readonly prepare: (stage: Stage, settings: string, trusted: boolean) => Start;
  readonly shell: (command: string) => ModelCall;
  /** A subagent `reviewer` with a task; null where it has none. */
  readonly agent: ((task: string) => ModelCall) | null;
  /** The hook is told which agent calls. */
  readonly namesAgents: boolean;
  /** What a hook says with its denial comes back to the model. */
  readonly tellsReason: boolean;
  /** Its hooks do nothing until a person agreed to them. */
  readonly needsTrust: boolean;
}

const prompt = (name: string) => `SCENARIO:${name}`;
const REVIEWER = 'name: reviewer\ndescription: Looks at things.';

function claude(version: string, packaged: string, program: string): Client {
  return {
    ...{ runner: 'claude-code', version, package: packaged, program, hooks: '.claude/settings.json' },
    prepare: (stage, settings) => {
      // A rule of its own allows everything: what is blocked, the hook blocked.
      const own = { ...(JSON.parse(settings) as object), permissions: { allow: ['Bash', 'Agent', 'Task'] } };
      stage.write('project/.claude/settings.json', JSON.stringify(own));
      stage.write('project/.claude/agents/reviewer.md', `---\n${REVIEWER}\ntools: Bash, Read\n---\nLook.\n`);
      const silent = [
        'DISABLE_TELEMETRY',
        'DISABLE_AUTOUPDATER',
        'DISABLE_ERROR_REPORTING',
        'CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC',
      ];
      return {
        args: ['-p', '--output-format', 'stream-json', '--verbose', '--allowedTools', 'Bash', 'Agent', 'Task', '--'],
        environment: {
          ...{ ANTHROPIC_BASE_URL: stage.model, ANTHROPIC_API_KEY: 'sk-ant-none' },
          ...Object.fromEntries(silent.map((name) => [name, '1'])),
        },
      };
    },
    shell: (command) => ({ tool: 'Bash', input: { command, description: 'd' } }),
    agent: (task) => ({
      tool: 'Agent',
      input: { description: 'd', prompt: prompt(task), subagent_type: 'reviewer', run_in_background: false },
    }),
    ...{ namesAgents: true, tellsReason: true, needsTrust: false },
  };
}

/** As Codex hashes a hook that it may run (spec: runners, §1.3). */
function codexHash(
  event: string,
  group: { readonly matcher?: string },
  hook: { readonly command: string; readonly timeout?: number },
): string {
  const { command, timeout = 600 } = hook;
  const text = JSON.stringify({
    event_name: event,
    hooks: [{ async: false, command, timeout, type: 'command' }],
    ...(group.matcher !== undefined && { matcher: group.matcher }),
  });
  return `sha256:${createHash('sha256').update(text).digest('hex')}`;
}

const codex: Client = {
  ...{
    runner: 'codex',
    version: '0.169.0',
    package: '@openai/codex@0.169.0',
    program: 'node_modules/.bin/codex',
    hooks: '.codex/hooks.json',
  },
  prepare: (stage, settings, trusted) => {
    stage.write('project/.codex/hooks.json', settings);
    stage.write(
      'project/.codex/agents/reviewer.toml',
      'name = "reviewer"\ndescription = "Looks."\ndeveloper_instructions = "Look."\n',
    );
    const { hooks } = JSON.parse(settings) as {
      hooks: Record<string, { matcher?: string; hooks: { command: string; timeout?: number }[] }[]>;
    };
    const state = Object.entries(hooks).flatMap(([name, groups]) => {
      const event = name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
      return groups.flatMap((group, at) =>
        group.hooks.map((hook, nth) => {
          const key = `${join(stage.project, '.codex/hooks.json')}:${event}:${at}:${nth}`;
          return `[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${codexHash(event, group, hook)}"\n`;
        }),
      );
    });
    stage.write(
      '.codex/config.toml',
      `model = "mock"\nmodel_provider = "mock"\n[model_providers.mock]\nname = "mock"\nbase_url = "${stage.model}/v1"\nenv_key = "MOCK_KEY"\n` +
        `wire_api = "responses"\n[projects.${JSON.stringify(stage.project)}]\ntrust_level = "trusted"\n${trusted ? state.join('') : ''}`,
    );
    return {
      args: ['exec', '--json', '--skip-git-repo-check', '--dangerously-bypass-approvals-and-sandbox', '--'],
      environment: { MOCK_KEY: 'none' },
    };
  },
  shell: (cmd) => ({ tool: 'exec_command', input: { cmd } }),
  agent: (task) => ({ tool: 'multi_agent_v1.spawn_agent', input: { message: prompt(task), agent_type: 'reviewer' } }),
  ...{ namesAgents: true, tellsReason: true, needsTrust: true },
};

const gemini: Client = {
  ...{
    runner: 'gemini-cli',
    version: '0.61.0',
    package: '@google/gemini-cli@0.61.0',
    program: 'node_modules/.bin/gemini',
    hooks: '.gemini/settings.json',
  },
  prepare: (stage, settings, trusted) => {
    stage.write('project/.gemini/settings.json', settings);
    // Agents of a project count only after a person acknowledged them.
    stage.write('.gemini/agents/reviewer.md', `---\n${REVIEWER}\ntools: [run_shell_command]\n---\nLook.\n`);
    const own = {
      security: { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: true } },
      privacy: { usageStatisticsEnabled: false },
    };
    stage.write('.gemini/settings.json', JSON.stringify(own));
    return {
      args: ['--approval-mode', 'yolo', '-m', 'gemini-2.5-pro', '-o', 'stream-json', ...(trusted ? [] : ['--skip-trust']), '-p'],
      environment: {
        ...{ GOOGLE_GEMINI_BASE_URL: stage.model, GEMINI_API_KEY: 'none' },
        ...(trusted && { GEMINI_CLI_TRUST_WORKSPACE: 'true' }),
      },
    };
  },
  shell: (command) => ({ tool: 'run_shell_command', input: { command, description: 'd' } }),
  agent: (task) => ({ tool: 'invoke_agent', input: { agent_name: 'reviewer', prompt: prompt(task) } }),
  ...{ namesAgents: false, tellsReason: true, needsTrust: false },
};

const qwen: Client = {
  ...{
    runner: 'qwen-code',
    version: '0.24.4',
    package: '@qwen-code/qwen-code@0.24.4',
    program: 'node_modules/.bin/qwen',
    hooks: '.qwen/settings.json',
  },
  prepare: (stage, settings) => {
    stage.write('project/.qwen/settings.json', settings);
    stage.write(
      '.qwen/settings.json',
      JSON.stringify({ security: { auth: { selectedType: 'openai' } }, privacy: { usageStatisticsEnabled: false } }),
    );
    return {
      args: ['--yolo', '-m', 'mock', '-o', 'stream-json', '-p'],
      environment: { OPENAI_BASE_URL: `${stage.model}/v1`, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'mock' },
    };
  },
  shell: (command) => ({ tool: 'run_shell_command', input: { command, description: 'd', is_background: false } }),
  agent: (task) => ({ tool: 'agent', input: { subagent_type: 'general-purpose', prompt: prompt(task), description: 'd' } }),
  ...{ namesAgents: false, tellsReason: true, needsTrust: false },
};

const SDK = '@anthropic-ai/claude-agent-sdk-linux-x64';

/** In the order of the page. */
export const CLIENTS: readonly Client[] = [
  claude('2.1.197', '@anthropic-ai/claude-code@2.1.197', 'node_modules/.bin/claude'),
  claude('2.1.329', `${SDK}@0.3.329`, `node_modules/${SDK}/claude`),
  codex,
  gemini,
  qwen,
];

/** The words with which a client starts on a task. */
export function wordsFor({ args }: Start, task: string): readonly string[] {
  return [...args, prompt(task)];
}

/** The program in its folder; null when it is not installed. */
export function programOf(client: Client, clients: string): string | null {
  const program = join(clients, folderOf(client), client.program);
  return existsSync(program) ? program : null;
}

/** The folder that a client is installed into. */
export function folderOf({ runner, version }: Client): string {
  return `${runner}-${version}`;
}
