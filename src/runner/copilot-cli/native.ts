/** Copilot CLI: flags only, since it has no rule files. A deny flag takes precedence over every allow flag. */
import { builtIn, type ExportOptions, type Loss, type NativeRunner, notExpressible, wider } from '../native/model.js';
import { type PresetParts, partsOf } from '../native/parts.js';
import { everythingLoss, linkLoss, prefixLoss, provenReadsLoss } from '../native/sentences.js';

const CLIENT = 'Copilot CLI';
const READERS = ['view', 'grep', 'glob'];
const WRITERS = ['create', 'edit', 'apply_patch'];
const SHELL = ['bash', 'read_bash', 'stop_bash', 'list_bash'];

export const native: NativeRunner = {
  program: 'copilot',
  express: (preset, options) => {
    const parts = partsOf(preset);
    return { flags: flags(parts, options), files: [], needs: [], losses: losses(parts, options) };
  },
};

function flags(parts: PresetParts, { withHook }: ExportOptions): string[] {
  const end = ['--disallow-temp-dir', '--output-format', 'json', '-p'];
  if (!withHook || (parts.closed && parts.reading.length === 0)) return [`--available-tools=${READERS.join(',')}`, ...end];
  if (parts.everything) return ['--allow-all-tools', ...end];
  return [
    `--available-tools=${[...READERS, ...(parts.edits ? WRITERS : []), ...SHELL].join(',')}`,
    ...(parts.edits ? ['--allow-tool=write'] : []),
    // It distinguishes git and gh commands by their subcommand, all other commands only by name.
    ...[...new Set(parts.shell.map(({ words }) => stem(words)))].map((words) => `--allow-tool=shell(${words}:*)`),
    ...parts.reading.map((words) => `--allow-tool=shell(${words}:*)`),
    ...end,
  ];
}

/** Returns the words by which Copilot CLI distinguishes commands. */
function stem(words: string): string {
  const [program = '', ...rest] = words.split(' ');
  const known = program === 'git' ? 1 : program === 'gh' ? 2 : 0;
  return [program, ...rest.filter((word) => !word.startsWith('-')).slice(0, known)].join(' ');
}

function losses(parts: PresetParts, { withHook }: ExportOptions): Loss[] {
  return [
    ...everythingLoss(parts, CLIENT, withHook),
    ...parts.shell.map((rule) => prefixLoss(rule, CLIENT, withHook)),
    ...provenReadsLoss(parts, CLIENT, withHook),
    ...(parts.edits
      ? [
          withHook
            ? wider('Edit(**)', 'Copilot CLI writes every file of the folder; the hook enforces protected files.')
            : notExpressible(
                'Edit(**)',
                'Copilot CLI cannot take protected folders out of what it writes, so the tools that write are left out.',
              ),
        ]
      : []),
    ...parts.tools.map((tool) => notExpressible(tool, 'Copilot CLI has no flag for it alone, so it is left out.')),
    builtIn('Copilot CLI reads and searches every file of the folder, secret ones, too, without a question.'),
    linkLoss(CLIENT),
  ];
}
