/** Qwen Code: `permissions` in the project's `.qwen/settings.json`, with rules in Claude Code's form. */
import { jsonText } from '../hook/runner.js';
import { builtIn, type ExportOptions, type Loss, type NativeRunner, notExpressible, wider } from '../native/model.js';
import { type PathPatterns, type PresetParts, partsOf, refusedWithin, sensitivePatterns } from '../native/parts.js';
import { everythingLoss, linkLoss, prefixLoss, provenReadsLoss } from '../native/sentences.js';

const CLIENT = 'Qwen Code';
const READERS = ['read_file', 'list_directory', 'glob'];
const WRITERS = ['edit', 'write_file', 'notebook_edit'];
/** Its other tools (0.24.4), for presets that deny all tools that they do not name. */
const OTHERS = ['web_fetch', 'web_search', 'agent', 'skill', 'lsp', 'send_message', 'cron_create', 'enter_worktree'];
const SHELL = ['run_shell_command', 'monitor'];

export const native: NativeRunner = {
  program: 'qwen',
  express: (preset, options) => {
    const parts = partsOf(preset);
    return {
      flags: ['--approval-mode', parts.closed ? 'plan' : options.withHook ? 'auto-edit' : 'default', '-o', 'stream-json', '-p'],
      files: [{ below: 'project', path: '.qwen/settings.json', text: jsonText(settings(parts, options)) }],
      needs: [],
      losses: losses(parts, options),
    };
  },
};

function settings(parts: PresetParts, { withHook }: ExportOptions): object {
  const { secret, deniedWrites, askedWrites } = sensitivePatterns();
  const shell = parts.closed && !(withHook && parts.reading.length > 0) ? SHELL : [];
  const prefixes = withHook ? [...parts.shell.map(({ words }) => words), ...parts.reading] : [];
  const all = parts.everything && withHook;
  const permissions = {
    allow: [
      ...READERS,
      ...(withHook ? ['grep_search'] : []),
      'todo_write',
      ...(parts.edits && withHook ? WRITERS : []),
      ...(all ? [...SHELL, ...OTHERS] : prefixes.map((words) => `Bash(${words} *)`)),
    ],
    ask: [
      ...(withHook || parts.closed ? [] : ['grep_search']),
      ...paths('Read', secret),
      ...(parts.edits ? [...paths('Edit', secret), ...paths('Edit', askedWrites)] : []),
    ],
    deny: [
      ...(parts.closed
        ? [...(withHook ? [] : ['grep_search']), ...WRITERS, ...shell, ...OTHERS]
        : [...paths('Edit', deniedWrites), ...(withHook ? refusedWithin(parts).map((words) => `Bash(${words} *)`) : [])]),
    ],
  };
  return { permissions };
}

function paths(tool: 'Read' | 'Edit', { anywhere, home, absolute }: PathPatterns): string[] {
  return [
    ...anywhere.flatMap((pattern) => [`${tool}(**/${pattern})`, `${tool}(**/${pattern}/**)`]),
    ...home.flatMap((pattern) => [`${tool}(~/${pattern})`, `${tool}(~/${pattern}/**)`]),
    ...absolute.flatMap((pattern) => [`${tool}(/${pattern})`, `${tool}(/${pattern}/**)`]),
  ];
}

function losses(parts: PresetParts, { withHook }: ExportOptions): Loss[] {
  const searches = 'Qwen Code searches all files of a folder, secret ones, too';
  return [
    ...everythingLoss(parts, CLIENT, withHook),
    ...parts.shell.map((rule) => prefixLoss(rule, CLIENT, withHook)),
    ...provenReadsLoss(parts, CLIENT, withHook),
    ...(parts.edits
      ? [
          withHook
            ? wider(
                'Edit(**)',
                'Qwen Code compares names of files with case and writes other spellings of protected ones; the hook enforces the rest.',
              )
            : notExpressible(
                'Edit(**)',
                'Whether its rules meet every spelling of a protected file is not known, so it asks before it writes.',
              ),
        ]
      : []),
    withHook
      ? wider('Grep(**)', `${searches}; the hook enforces the rest.`)
      : notExpressible('Grep(**)', `${searches}, so it is left out.`),
    builtIn('Qwen Code started with -p runs no shell command in its default mode, even one that a rule allows.'),
    builtIn('Qwen Code reads files of the project without a question where no rule asks or denies.'),
    linkLoss(CLIENT),
  ];
}
