/**
 * Claude Code: `.claude/settings.json` of the project. Deny rules precede ask rules, and these precede allow rules, in whatever
 * file they are.
 */
import { runnerTools } from '../../call/catalogue.js';
import type { PresetName } from '../../policy/policy.js';
import { jsonText } from '../hook/runner.js';
import { builtIn, type ExportOptions, type Loss, type NativeRunner, notExpressible, wider } from '../native/model.js';
import { exactLines, type PathPatterns, type PresetParts, partsOf, refusedWithin, sensitivePatterns } from '../native/parts.js';
import { everythingLoss, linkLoss, prefixLoss, provenReadsLoss } from '../native/sentences.js';

const CLIENT = 'Claude Code';
const START = ['-p', '--output-format', 'stream-json', '--verbose', '--permission-mode', 'default'];

export const native: NativeRunner = {
  program: 'claude',
  express: (preset, options) => {
    const parts = partsOf(preset);
    return {
      flags: START,
      files: [{ below: 'project', path: '.claude/settings.json', text: settings(parts, options) }],
      needs: [
        'Claude Code reads allow rules of a project only in a folder that you trusted; what denies and asks counts anyway.',
      ],
      losses: losses(preset, parts, options),
    };
  },
};

function settings(parts: PresetParts, options: ExportOptions): string {
  const { secret, deniedWrites, askedWrites } = sensitivePatterns();
  const allow = allowed(parts, options);
  const ask = [
    // Grep also searches secret files, and a path rule applies only to the folder that the search begins in.
    ...(options.withHook ? [] : ['Grep']),
    ...pathRules('Read', secret),
    ...(parts.edits ? pathRules('Edit', askedWrites) : []),
  ];
  const refused = options.withHook ? refusedWithin(parts).map((words) => `Bash(${words} *)`) : [];
  const deny = parts.closed ? unnamedTools(allow, options) : [...pathRules('Edit', deniedWrites), ...refused];
  return jsonText({ permissions: { defaultMode: 'default', disableBypassPermissionsMode: 'disable', allow, ask, deny } });
}

function allowed(parts: PresetParts, { withHook }: ExportOptions): string[] {
  // Claude Code asks about Monitor under the name Bash.
  if (parts.everything && withHook) return ownTools().filter((tool) => tool !== 'Monitor');
  const known = new Set(ownTools());
  return [
    // A Read rule also applies to Grep and Glob, an Edit rule to every tool that writes.
    'Read(**)',
    ...(parts.edits ? ['Edit(**)'] : []),
    ...parts.tools.filter((tool) => known.has(tool)),
    ...(withHook
      ? [...parts.shell.map(({ words }) => words), ...parts.reading].map((words) => `Bash(${words} *)`)
      : exactLines(parts).flatMap(({ lines }) => lines.map((line) => `Bash(${line})`))),
  ];
}

function pathRules(tool: 'Read' | 'Edit', { anywhere, home, absolute }: PathPatterns): string[] {
  return [
    ...anywhere.map((pattern) => `${tool}(**/${pattern})`),
    ...home.map((pattern) => `${tool}(~/${pattern})`),
    ...absolute.map((pattern) => `${tool}(/${pattern})`),
  ];
}

/** Returns the tools that a preset denies because it does not name them. */
function unnamedTools(allow: readonly string[], { withHook }: ExportOptions): string[] {
  const readers = ['Read', 'Glob', 'Grep'];
  const shell = withHook && allow.some((rule) => rule.startsWith('Bash(')) ? ['Bash', 'Monitor'] : [];
  const named = new Set([...allow, ...readers, ...shell]);
  return [...ownTools().filter((tool) => !named.has(tool)), 'mcp__*'];
}

function ownTools(): string[] {
  return runnerTools('claude-code').flatMap(({ name, canonical, retired }) =>
    retired !== true && canonical === undefined ? [name] : [],
  );
}

function losses(preset: PresetName, parts: PresetParts, { withHook }: ExportOptions): Loss[] {
  const searches = 'Claude Code searches all files of a folder, secret ones, too';
  const shellDenied = parts.closed && !(withHook && parts.reading.length > 0);
  return [
    ...everythingLoss(parts, CLIENT, withHook),
    ...exactLines(parts).map(({ rule, lines }) =>
      withHook || lines.length === 0
        ? prefixLoss(rule, CLIENT, withHook)
        : notExpressible(rule.text, `Only these lines are allowed: ${lines.join(', ')}; with other options Claude Code asks.`),
    ),
    ...provenReadsLoss(parts, CLIENT, withHook),
    withHook
      ? wider('Grep(**)', `${searches}; the hook enforces the rest.`)
      : notExpressible('Grep(**)', `${searches}, so it asks before each search.`),
    ...(shellDenied
      ? []
      : [
          builtIn(
            'Claude Code runs commands that it takes for reading (cat, git show, git diff) without a question, whatever allow rules say; some of them the preset asks about.',
          ),
        ]),
    linkLoss(CLIENT),
    ...(preset === 'all' ? [] : [builtIn('Flags such as --allowedTools and settings of the user add allow rules to these.')]),
  ];
}
