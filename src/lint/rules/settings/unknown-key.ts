import { isFields } from '../../../call/fields.js';
import { nearestWord } from '../../../policy/nearest.js';
import { pointerTo } from '../../../policy/read/pointer.js';
import { shown } from '../../../policy/sentences.js';
import type { ConfigFile } from '../../files/files.js';
import { forConfigs, type LintRule, type Report } from '../../project/rule.js';

export const unknownSetting: LintRule = {
  id: 'settings/unknown-key',
  severity: 'info',
  confidence: 'medium',
  persona: 'author',
  docs: {
    what: "A key of Claude Code's settings is nearly one that it knows.",
    why: 'Claude Code passes over a key that it does not know, so what was meant is not set.',
    bad: '{ "disabledAllHooks": false }\n',
    good: '{ "disableAllHooks": false }\n',
    fix: 'Correct the spelling, unless a newer version knows the key.',
  },
  check: forConfigs(check),
};

/** Keys at the top level of settings (docs of August 2026, types of November 2026). */
const KEYS: readonly string[] = [
  ...['$schema', 'allowManagedHooksOnly', 'allowManagedMcpServersOnly', 'allowManagedPermissionRulesOnly', 'allowedHttpHookUrls'],
  ...['allowedMcpServers', 'alwaysThinkingEnabled', 'apiKeyHelper', 'attribution', 'autoMemoryDirectory', 'autoMemoryEnabled'],
  ...['autoMode', 'autoUpdatesChannel', 'availableModels', 'awsAuthRefresh', 'awsCredentialExport', 'blockedMarketplaces'],
  ...['claudeMdExcludes', 'cleanupPeriodDays', 'companyAnnouncements', 'deniedMcpServers', 'disableAllHooks', 'disableAutoMode'],
  ...['disabledMcpjsonServers', 'editorMode', 'effortLevel', 'enableAllProjectMcpServers', 'enabledMcpjsonServers'],
  ...['enabledPlugins', 'env', 'extraKnownMarketplaces', 'fastMode', 'feedbackSurveyRate', 'fileSuggestion', 'forceLoginMethod'],
  ...['forceLoginOrgUUID', 'gcpAuthRefresh', 'hooks', 'httpHookAllowedEnvVars', 'includeCoAuthoredBy', 'includeGitInstructions'],
  ...[
    'language',
    'model',
    'modelOverrides',
    'otelHeadersHelper',
    'outputStyle',
    'permissions',
    'plansDirectory',
    'pluginConfigs',
  ],
  ...['prefersReducedMotion', 'respectGitignore', 'sandbox', 'showThinkingSummaries', 'showTurnDuration'],
  ...['skipDangerousModePermissionPrompt', 'spinnerTipsEnabled', 'spinnerTipsOverride', 'spinnerVerbs', 'statusLine'],
  ...['strictKnownMarketplaces', 'subagentStatusLine', 'teammateMode', 'terminalProgressBarEnabled', 'theme', 'tui'],
  ...['useAutoModeDuringPlan', 'verbose', 'voiceEnabled', 'worktree'],
];
/** Keys that other rules report, and keys of other files of Claude Code. */
const OTHERS: ReadonlySet<string> = new Set([
  'allow',
  'ask',
  'deny',
  'defaultMode',
  'additionalDirectories',
  'mcpServers',
  '__proto__',
]);
/** At most this many keys of one file are compared. */
const MOST = 50;

function check({ config, data }: ConfigFile): readonly Report[] {
  if (config !== 'claude-settings' || !isFields(data?.root)) return [];
  return Object.keys(data.root)
    .filter((key) => key.length > 3 && key.length < 48 && !KEYS.includes(key) && !OTHERS.has(key))
    .slice(0, MOST)
    .flatMap((key) => {
      const near = nearestWord(key, KEYS);
      // settings/misplaced-key reports a list of rules below the wrong name.
      if (near === null || near === 'permissions') return [];
      return [
        { at: data.keySpan(pointerTo('', key)), message: `Claude Code does not know ${shown(key)}; did you mean "${near}"?` },
      ];
    });
}
