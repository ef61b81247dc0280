/** The clients that exports are tried with: what a session needs beside the export, and what has to come of each call. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PresetName } from '../../../src/policy/policy.js';
import { exportPreset, type NativeRunnerId } from '../../../src/runner/exports.js';
import { type Client, PROJECT } from '../client.js';
import { claudeCode } from '../clients/claude-code.js';
import { codex } from '../clients/codex.js';
import { copilotCli } from '../clients/copilot-cli.js';
import { geminiCli } from '../clients/gemini-cli.js';
import { opencode } from '../clients/opencode.js';
import { qwenCode } from '../clients/qwen-code.js';
import type { ModelCall } from '../mock-model.js';

export interface ExportStage {
  readonly home: string;
  readonly project: string;
  readonly model: string;
  put(path: string, text: string): void;
}

/** A call, and whether it has to run: it makes a file of the project, or its result holds a text. */
export interface Expectation {
  readonly name: string;
  readonly call: ModelCall;
  readonly runs: boolean;
  readonly makes: string | null;
  readonly prints?: string;
}

export interface ExportClient {
  readonly runner: NativeRunnerId;
  readonly client: Client;
  /** Writes the settings of a person that the export has nothing to do with; the environment. */
  prepare(stage: ExportStage): Readonly<Record<string, string>>;
  /** What stands between the flags of the export and the prompt. */
  readonly more: readonly string[];
  expected(preset: PresetName): readonly Expectation[];
  /** What the client says of the file outside a session; what is wrong about it. */
  checks?(program: string, preset: PresetName): readonly string[];
}

const edits = (preset: PresetName) => preset === 'safe' || preset === 'all';

/** Shell lines that make a file. `redirects`: the preset and the export allow those that only write a plain file of the project. */
function refused({ shell }: Client, redirects = false): Expectation[] {
  return [
    {
      name: 'a redirection into a protected file',
      ...{ call: shell('git status > .husky'), runs: false, makes: '.husky' },
    },
    { name: 'touch', call: shell('touch touched'), runs: false, makes: 'touched' },
    { name: 'a redirection of git status', call: shell('git status > redirected'), runs: redirects, makes: 'redirected' },
    { name: 'git diff --output', call: shell('git diff --output=put'), runs: false, makes: 'put' },
    { name: 'an alias of git', call: shell("git -c alias.x='!touch aliased' x"), runs: false, makes: 'aliased' },
  ];
}

function written({ write }: Client, preset: PresetName, protectedRuns: boolean, plain = edits(preset)): Expectation[] {
  return [
    { name: 'a write', call: write('plain.txt', 'x'), runs: plain, makes: 'plain.txt' },
    {
      name: 'a write to a protected file',
      call: write('.git/hooks/pre-commit', 'x'),
      runs: protectedRuns,
      makes: '.git/hooks/pre-commit',
    },
  ];
}

const status = ({ shell }: Client, runs: boolean): Expectation => ({
  ...{ name: 'git status', call: shell('git status'), runs, makes: null, prints: 'On branch main' },
});

function ofClaude(version: string): ExportClient {
  const client = claudeCode(version);
  return {
    ...{ runner: 'claude-code', client, more: ['--'] },
    prepare: ({ project, model, put, home }) => {
      put(`${home}/.claude.json`, JSON.stringify({ projects: { [project]: { hasTrustDialogAccepted: true } } }));
      return {
        ...{ ANTHROPIC_BASE_URL: model, ANTHROPIC_API_KEY: 'sk-ant-none', DISABLE_TELEMETRY: '1', DISABLE_AUTOUPDATER: '1' },
        ...{ DISABLE_ERROR_REPORTING: '1', CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: '1' },
      };
    },
    expected: (preset) => [status(client, edits(preset)), ...written(client, preset, false), ...refused(client, edits(preset))],
  };
}

const ofCodex: ExportClient = {
  ...{ runner: 'codex', client: codex, more: ['--skip-git-repo-check', '--'] },
  prepare: ({ home, project, model, put }) => {
    const provider = `[model_providers.mock]\nname = "mock"\nbase_url = "${model}/v1"\nenv_key = "MOCK_KEY"\nwire_api = "responses"\n`;
    const trusted = `[projects.${JSON.stringify(project)}]\ntrust_level = "trusted"\n`;
    put(`${home}/.codex/config.toml`, `model = "mock"\nmodel_provider = "mock"\n${provider}${trusted}`);
    return { MOCK_KEY: 'none' };
  },
  checks: checkRules,
  // Its sandbox may not work on this machine: then nothing runs, and nothing may.
  expected: (preset) => [
    ...written(codex, preset, false, false),
    ...refused(codex),
    ...(preset === 'all'
      ? []
      : [{ ...{ name: 'git -C', call: codex.shell('git -C . status'), runs: false, makes: null, prints: 'On branch main' } }]),
  ],
};

/** `codex execpolicy check` with the rules of an export. */
function checkRules(program: string, preset: PresetName): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'policy-rules-'));
  try {
    return [false, true].flatMap((withHook) => {
      const file = join(folder, 'policy.rules');
      writeFileSync(file, exportPreset(preset, 'codex', { withHook }).files[0]?.text ?? '');
      const said = (line: string): string => {
        const words = ['execpolicy', 'check', '--rules', file, '--', ...line.split(' ')];
        const { stdout, stderr } = spawnSync(program, words, { encoding: 'utf8', env: { PATH: process.env.PATH, HOME: folder } });
        return /"decision":\s*"(\w+)"\s*\}\s*$/.exec(stdout)?.[1] ?? (stdout.includes('"matchedRules":[]') ? 'none' : stderr);
      };
      const shell = edits(preset);
      const rows = [
        ['git push --force', preset === 'all' ? (withHook ? 'allow' : 'none') : 'forbidden'],
        ['rm -rf /', 'forbidden'],
        ['git commit -m message', shell && withHook ? 'allow' : 'none'],
        ['make', 'none'],
      ] as const;
      return rows.flatMap(([line, verdict]) => {
        const found = said(line);
        return found === verdict ? [] : [`execpolicy${withHook ? ' with the hook' : ''} says ${found.trim()} of ${line}`];
      });
    });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const ofGemini: ExportClient = {
  ...{ runner: 'gemini-cli', client: geminiCli, more: [] },
  prepare: ({ home, project, model, put }) => {
    const security = { auth: { selectedType: 'gemini-api-key' }, folderTrust: { enabled: true } };
    const privacy = { usageStatisticsEnabled: false };
    put(`${home}/.gemini/settings.json`, JSON.stringify({ security, privacy, model: { name: 'gemini-2.5-pro' } }));
    put(`${home}/.gemini/trustedFolders.json`, JSON.stringify({ [project]: 'TRUST_FOLDER' }));
    return { GOOGLE_GEMINI_BASE_URL: model, GEMINI_API_KEY: 'none' };
  },
  expected: (preset) => [status(geminiCli, edits(preset)), ...written(geminiCli, preset, false), ...refused(geminiCli)],
};

const ofOpencode: ExportClient = {
  ...{ runner: 'opencode', client: opencode, more: [] },
  prepare: ({ home, model, put }) => {
    const options = { baseURL: `${model}/v1`, apiKey: 'none' };
    const provider = { npm: '@ai-sdk/openai-compatible', name: 'mock', options, models: { mock: { name: 'mock' } } };
    const own = { model: 'mock/mock', small_model: 'mock/mock', autoupdate: false, share: 'disabled' };
    put(`${home}/.config/opencode/opencode.json`, JSON.stringify({ provider: { mock: provider }, ...own }));
    return {
      ...{ OPENCODE_DISABLE_AUTOUPDATE: '1', OPENCODE_DISABLE_MODELS_FETCH: '1', OPENCODE_DISABLE_LSP_DOWNLOAD: '1' },
      npm_config_registry: model,
    };
  },
  // A question ends the run, so what runs comes first.
  expected: (preset) => [...written(opencode, preset, false), status(opencode, false), ...refused(opencode)],
};

const ofQwen: ExportClient = {
  ...{ runner: 'qwen-code', client: qwenCode, more: [] },
  prepare: ({ home, model, put }) => {
    const settings = { security: { auth: { selectedType: 'openai' } }, privacy: { usageStatisticsEnabled: false }, $version: 4 };
    put(`${home}/.qwen/settings.json`, JSON.stringify(settings));
    return { OPENAI_BASE_URL: `${model}/v1`, OPENAI_API_KEY: 'none', OPENAI_MODEL: 'mock' };
  },
  expected: (preset) => [status(qwenCode, false), ...written(qwenCode, preset, false, false), ...refused(qwenCode)],
};

const ofCopilot: ExportClient = {
  ...{ runner: 'copilot-cli', client: copilotCli, more: [] },
  prepare: ({ home, project, model, put }) => {
    put(`${home}/.copilot/config.json`, JSON.stringify({ trusted_folders: [project] }));
    return {
      ...{ COPILOT_PROVIDER_BASE_URL: `${model}/v1`, COPILOT_PROVIDER_API_KEY: 'none', COPILOT_MODEL: 'mock' },
      ...{ COPILOT_OFFLINE: 'true', COPILOT_AUTO_UPDATE: 'false' },
    };
  },
  expected: (preset) => [
    ...[
      {
        name: 'a read',
        call: { tool: 'view', input: { path: `${PROJECT}/README.md` } },
        runs: true,
        makes: null,
        prints: 'hello',
      },
    ],
    ...written(copilotCli, preset, false, false),
    ...refused(copilotCli),
  ],
};

export const EXPORT_CLIENTS: readonly ExportClient[] = [ofClaude('2.1.197'), ofCodex, ofGemini, ofCopilot, ofOpencode, ofQwen];
