/**
 * Settings as 38 public repositories have them, by what was found there on 2026-11-27; long lists of permissions are shortened. What is said
 * of a file is what `policy run` says of it when the project's settings count.
 */
import type { RunnerId } from '../../src/call/tool-call.js';

export interface PublicSettings {
  readonly runner: RunnerId;
  readonly repository: string;
  readonly files: Readonly<Record<string, string>>;
  /** A run with `--project-settings` starts, too. */
  readonly isKnown: boolean;
}

const json = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

const row =
  (runner: RunnerId, file: string) =>
  (repository: string, value: unknown, isKnown = true): PublicSettings => ({
    ...{ runner, repository, isKnown },
    files: { [file]: typeof value === 'string' ? value : json(value) },
  });
const claude = row('claude-code', '.claude/settings.json');
const gemini = row('gemini-cli', '.gemini/settings.json');
const codex = row('codex', '.codex/config.toml');
const opencode = row('opencode', 'opencode.json');
const qwen = row('qwen-code', '.qwen/settings.json');

const before = (matcher: string, command: string) => ({ PreToolUse: [{ matcher, hooks: [{ type: 'command', command }] }] });
const allow = (...rules: readonly string[]) => ({ permissions: { allow: rules } });

export const PUBLIC_SETTINGS: readonly PublicSettings[] = [
  claude('getsentry/sentry', {
    permissions: {
      allow: ['Bash(git status:*)', 'Bash(pytest:*)', 'WebFetch(domain:docs.sentry.io)'],
      deny: ['Read(.env)'],
      additionalDirectories: ['../sentry-docs'],
    },
  }),
  claude('PostHog/posthog', {
    ...allow('Bash(pnpm test:*)', 'Bash(ruff check:*)'),
    env: { CLAUDE_BASH_MAINTAIN_PROJECT_WORKING_DIR: '1' },
  }),
  claude('facebook/react', allow('Bash(yarn test:*)', 'Bash(yarn linc:*)', 'Bash(yarn flow:*)')),
  claude('cloudflare/workers-sdk', allow('Bash(pnpm check:*)', 'Bash(git log:*)')),
  claude(
    'elastic/kibana',
    {
      ...allow('Bash(yarn test:jest:*)'),
      hooks: {
        PreToolUse: [
          { matcher: 'Bash', hooks: [{ type: 'command', command: '"$CLAUDE_PROJECT_DIR"/.claude/hooks/guard.sh' }] },
          { matcher: 'Edit|Write', hooks: [{ type: 'command', command: 'node .claude/hooks/protect.mjs' }] },
        ],
      },
    },
    false,
  ),
  claude(
    'calcom/cal.com',
    { env: { CLAUDE_CODE_EXPERIMENTAL_AGENT_TEAMS: '1' }, hooks: before('Bash', 'bash .claude/hooks/pre-bash.sh') },
    false,
  ),
  claude('n8n-io/n8n', { ...allow('Bash(pnpm build:*)', 'Bash(pnpm lint:*)'), enabledPlugins: { 'n8n@n8n': true } }),
  claude('oven-sh/bun', { hooks: before('Bash', './.claude/hooks/pre-bash-zig-build.js') }, false),
  claude('langfuse/langfuse', allow('Bash(pnpm tc:*)', 'mcp__linear__get_issue')),
  claude('007/dotfiles', { hooks: before('*', '~/.claude/hooks/check.py') }, false),
  claude('040medien/foxess', { hooks: before('Edit|Write', 'python3 scripts/guard.py') }, false),
  claude('a small one: permissions', allow('Bash(make:*)', 'Bash(go test:*)')),
  claude('a small one: no commit trailer', { includeCoAuthoredBy: false }),
  claude('a small one: a model', { model: 'opus', outputStyle: 'Explanatory' }),

  gemini('google-gemini/gemini-cli', { general: { devtools: true }, experimental: { plan: true } }, false),
  gemini('angular/angular', { context: { fileName: ['AGENTS.md'] } }),
  gemini('glory-sentinel', { modelConfigs: { customAliases: { deep: { modelConfig: { model: 'gemini-2.5-pro' } } } } }),
  gemini('a small one: a file name', { contextFileName: 'AGENTS.md' }),
  gemini('a small one: a theme', { ui: { theme: 'GitHub' } }),
  gemini('a small one: a server', { mcpServers: { docs: { httpUrl: 'https://docs.example.org/mcp' } } }),
  gemini('a small one: nothing', {}),

  codex(
    'openai/codex, a copy',
    'sandbox_mode = "workspace-write"\n[sandbox_workspace_write]\nnetwork_access = true\n[features]\ncode_mode = true\nmulti_agent_v2 = true\n',
    false,
  ),
  codex('1Panel-dev/CordysCRM', 'project_root_markers = [".git"]\nproject_doc_max_bytes = 65536\n'),
  codex('platformplatform/PlatformPlatform', '[shell_environment_policy.set]\nMSBUILDDISABLENODEREUSE = "1"\n', false),
  codex('herdr', 'web_search = "live"\n[features]\napps = false\n[windows]\nsandbox = "elevated"\n'),
  codex('1hachem/lisptc', 'model = "gpt-5-codex"\napproval_policy = "on-request"\n'),
  codex('a small one: a server', '[mcp_servers.docs]\nurl = "https://docs.example.org/mcp"\n'),
  codex('a small one: effort', 'model_reasoning_effort = "high"\n'),

  opencode('a small one: instructions', { $schema: 'https://opencode.ai/config.json', instructions: ['docs/style.md'] }),
  opencode('a small one: a server', { mcp: { docs: { type: 'remote', url: 'https://docs.example.org/mcp' } } }),
  opencode('a small one: permissions', { permission: { bash: { 'git push *': 'ask' }, edit: 'allow' } }),
  opencode('a small one: a model', { model: 'anthropic/claude-sonnet-4-5' }),
  opencode('a small one: no formatter', { formatter: false }),
  opencode('a small one: a local server', { mcp: { shop: { type: 'local', command: ['bun', 'run', 'mcp.ts'], enabled: true } } }),
  opencode('a small one: a schema', { $schema: 'https://opencode.ai/config.json' }),

  qwen('a small one: a file name', { $version: 4, context: { fileName: 'AGENTS.md' } }),
  qwen('a small one: a theme', { $version: 4, ui: { theme: 'Qwen Dark' } }),
  qwen('a small one: nothing', {}),
];
