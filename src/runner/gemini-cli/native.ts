/** Gemini CLI: `~/.gemini/policies/*.toml`. The highest priority wins; a person's policy takes precedence over the built-in ones. */
import type { PresetName } from '../../policy/policy.js';
import { refusedPrefixes } from '../native/lines.js';
import { builtIn, type ExportOptions, type Loss, type NativeRunner, notExpressible, wider } from '../native/model.js';
import { exactLines, type PathPatterns, type PresetParts, partsOf, sensitivePatterns } from '../native/parts.js';
import { everythingLoss, linkLoss, prefixLoss, provenReadsLoss } from '../native/sentences.js';

const CLIENT = 'Gemini CLI';
const READERS = ['read_file', 'list_directory', 'glob'];
const NOTES = ['write_todos', 'update_topic', 'complete_task'];

export const native: NativeRunner = {
  program: 'gemini',
  express: (preset, options) => {
    const parts = partsOf(preset);
    return {
      flags: ['--approval-mode', parts.closed ? 'plan' : 'auto_edit', '-o', 'stream-json', '-p'],
      files: [{ below: 'home', path: `.gemini/policies/policy-${preset}.toml`, text: policyText(preset, parts, options) }],
      needs: [
        'The file counts for every project: Gemini CLI reads no policies of a project. Keep one policy-*.toml there at a time.',
      ],
      losses: losses(parts, options),
    };
  },
};

interface Rule {
  readonly tools: string | readonly string[];
  readonly decision: 'allow' | 'deny' | 'ask_user';
  readonly priority: number;
  readonly args?: string;
  readonly prefixes?: readonly string[];
}

function policyText(preset: PresetName, parts: PresetParts, { withHook }: ExportOptions): string {
  const { secret, deniedWrites, askedWrites } = sensitivePatterns();
  const writers = ['write_file', 'replace'];
  const rules: Rule[] = [
    { tools: '*', decision: parts.closed ? 'deny' : 'ask_user', priority: 100 },
    ...(parts.everything && withHook ? [{ tools: '*', decision: 'allow', priority: 110 } as const] : []),
    { tools: [...READERS, ...NOTES, ...(withHook ? ['grep_search'] : [])], decision: 'allow', priority: 500 },
    ...(parts.edits ? [{ tools: withHook ? writers : ['write_file'], decision: 'allow', priority: 500 } as const] : []),
    ...shellRules(preset, parts, withHook),
    ...pathRules('read_file', secret, 'ask_user', 800),
    ...(parts.edits
      ? [
          ...pathRules(writers, secret, 'ask_user', 800),
          ...pathRules(writers, askedWrites, 'ask_user', 800),
          ...pathRules(writers, deniedWrites, 'deny', 850),
        ]
      : []),
    // Paths in spellings that no pattern would match.
    ...['(?:|[^"]*/)\\.\\.?/', '[^"]*//', '[^"]*\\\\'].map(
      (odd): Rule => ({
        tools: parts.edits ? ['read_file', ...writers] : 'read_file',
        decision: 'ask_user',
        priority: 820,
        args: `\\x00"file_path":"${odd}`,
      }),
    ),
  ];
  const head = [
    `# Preset ${preset}, as far as Gemini CLI can say it. Written by \`policy preset export\`.`,
    '# The highest priority wins. Each field of an input stands between two NUL characters, which no value can hold.',
  ];
  return `${[...head, ...rules.map(ruleText)].join('\n\n')}\n`;
}

function shellRules(preset: PresetName, parts: PresetParts, withHook: boolean): Rule[] {
  const tools = 'run_shell_command';
  if (parts.closed && !(withHook && parts.reading.length > 0)) return [];
  const lines = exactLines(parts).flatMap((one) => one.lines);
  const prefixes = [...parts.shell.map(({ words }) => words), ...parts.reading];
  const refused = refusedPrefixes(preset).map(({ words }) => words.join(' '));
  return [
    ...(withHook
      ? [{ tools, decision: 'allow', priority: 500, prefixes } as const]
      : lines.map((line): Rule => ({ tools, decision: 'allow', priority: 500, args: `\\x00"command":"${escaped(line)}"\\x00` }))),
    // A `dir_path` names another folder, which may be another repository.
    { tools, decision: 'deny', priority: 700, args: '\\x00"dir_path":' },
    // Gemini CLI splits command lines and applies its rules to each command alone, without redirections: a rule about a part can
    // then override an ask about the whole line, but not a denial.
    ...(withHook ? [] : [{ tools, decision: 'deny', priority: 705, args: '\\x00"command":"[^"]*[<>|&;$`(){}#!\\\\]' } as const]),
    { tools, decision: 'deny', priority: 710, prefixes: refused },
  ];
}

function pathRules(tools: Rule['tools'], patterns: PathPatterns, decision: Rule['decision'], priority: number): Rule[] {
  const all = [...patterns.anywhere, ...patterns.home, ...patterns.absolute.map((path) => path.slice(1))];
  return all.map((pattern) => ({
    tools,
    decision,
    priority,
    // Gemini CLI rejects expressions in which a group is repeated.
    args: `\\x00"file_path":"(?:|[^"]*/)${pathExpression(pattern)}(?:"|/)`,
  }));
}

/** Matches both cases because some file systems do not distinguish them. */
function pathExpression(pattern: string): string {
  return pattern
    .split('*')
    .map((text) => escaped(text).replace(/[a-z]/gi, (letter) => `[${letter.toLowerCase()}${letter.toUpperCase()}]`))
    .join('[^"/]*');
}

function escaped(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}

function ruleText({ tools, decision, priority, args, prefixes }: Rule): string {
  return [
    '[[rule]]',
    `toolName = ${JSON.stringify(tools)}`,
    // A TOML literal string: backslashes are no escapes.
    ...(args === undefined ? [] : [`argsPattern = '${args}'`]),
    ...(prefixes === undefined ? [] : [`commandPrefix = ${JSON.stringify(prefixes)}`]),
    `decision = "${decision}"`,
    `priority = ${priority}`,
  ].join('\n');
}

function losses(parts: PresetParts, { withHook }: ExportOptions): Loss[] {
  const searches = 'Gemini CLI searches all files of a folder, secret ones, too';
  return [
    ...everythingLoss(parts, CLIENT, withHook),
    ...(parts.everything
      ? [
          notExpressible(
            '*',
            'Only --approval-mode yolo leaves every question out, which is never written here; the mode is auto_edit.',
          ),
        ]
      : []),
    ...exactLines(parts).map(({ rule, lines }) =>
      withHook || lines.length === 0
        ? prefixLoss(rule, CLIENT, withHook)
        : notExpressible(rule.text, `Only these lines are allowed: ${lines.join(', ')}; with other options Gemini CLI asks.`),
    ),
    ...provenReadsLoss(parts, CLIENT, withHook),
    withHook
      ? wider('Grep(**)', `${searches}; the hook enforces the rest.`)
      : notExpressible('Grep(**)', `${searches}, so it is left out.`),
    ...(parts.edits
      ? [
          withHook
            ? wider(
                'Edit(**)',
                'For a bare file name `replace` edits the only file of that name, wherever it lies; the hook looks for it.',
              )
            : notExpressible(
                'Edit(**)',
                'For a bare file name `replace` edits the only file of that name, so only write_file is allowed.',
              ),
        ]
      : []),
    builtIn('Gemini CLI also reads and writes below its own folder of temporary files in the home.'),
    builtIn('Agents and extensions of Gemini CLI bring rules of their own, which count where none of these is about a tool.'),
    linkLoss(CLIENT),
  ];
}
