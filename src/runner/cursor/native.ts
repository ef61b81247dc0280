/** Cursor: `permissions` of the project's `.cursor/cli.json`, as documented; not tried with any version. */
import { jsonText } from '../hook/runner.js';
import { builtIn, type ExportOptions, type Loss, type NativeRunner, notExpressible, wider } from '../native/model.js';
import { type PathPatterns, type PresetParts, partsOf, sensitivePatterns } from '../native/parts.js';
import { everythingLoss, linkLoss, prefixLoss, provenReadsLoss } from '../native/sentences.js';

const CLIENT = 'Cursor';

export const native: NativeRunner = {
  program: 'cursor-agent',
  express: (preset, options) => {
    const parts = partsOf(preset);
    return {
      flags: ['-p', '--output-format', 'stream-json'],
      files: [{ below: 'project', path: '.cursor/cli.json', text: jsonText({ permissions: permissions(parts, options) }) }],
      needs: [],
      losses: losses(parts, options),
    };
  },
};

function permissions(parts: PresetParts, { withHook }: ExportOptions): object {
  const { secret, deniedWrites, askedWrites } = sensitivePatterns();
  const programs = new Set([...parts.shell.map(({ words }) => words), ...parts.reading].map((words) => words.split(' ')[0]));
  const shell = withHook ? (parts.everything ? ['Shell(*)'] : [...programs].map((program) => `Shell(${program})`)) : [];
  return {
    allow: ['Read(**)', ...(parts.edits ? ['Write(**)'] : []), ...shell],
    // It has no ask rules: what the preset asks about is denied.
    deny: [
      ...paths('Read', secret),
      ...(parts.edits
        ? [...paths('Write', secret), ...paths('Write', askedWrites), ...paths('Write', deniedWrites)]
        : ['Write(**)']),
      ...(parts.closed ? [...(shell.length > 0 ? [] : ['Shell(*)']), 'WebFetch(*)', 'Mcp(*:*)'] : []),
    ],
  };
}

function paths(tool: 'Read' | 'Write', { anywhere, home, absolute }: PathPatterns): string[] {
  return [
    ...anywhere.flatMap((pattern) => [`${tool}(**/${pattern})`, `${tool}(**/${pattern}/**)`]),
    ...home.flatMap((pattern) => [`${tool}(~/${pattern})`, `${tool}(~/${pattern}/**)`]),
    ...absolute.flatMap((pattern) => [`${tool}(${pattern})`, `${tool}(${pattern}/**)`]),
  ];
}

function losses(parts: PresetParts, { withHook }: ExportOptions): Loss[] {
  return [
    ...everythingLoss(parts, CLIENT, withHook),
    ...parts.shell.map((rule) =>
      withHook
        ? wider(
            rule.text,
            `Cursor allows \`${rule.words.split(' ')[0]}\` with every subcommand and option; the hook enforces the rest.`,
          )
        : prefixLoss(rule, CLIENT, false),
    ),
    ...provenReadsLoss(parts, CLIENT, withHook),
    ...parts.tools.map((tool) => notExpressible(tool, 'Cursor has no rule for it.')),
    notExpressible(null, 'Cursor has no rules that ask: what the preset asks about by a path is denied.'),
    builtIn('This is written after the documentation of Cursor; no client was tried.'),
    linkLoss(CLIENT),
  ];
}
