/** Codex: a sandbox, and execpolicy `.rules` about the beginnings of commands; commands that no rule names run in the sandbox. */
import type { PresetName } from '../../policy/policy.js';
import { refusedPrefixes } from '../native/lines.js';
import { builtIn, type ExportOptions, type Loss, type NativeRunner, notExpressible, wider } from '../native/model.js';
import { type PresetParts, partsOf } from '../native/parts.js';
import { prefixLoss } from '../native/sentences.js';
import { codexArguments, mapPreset, type Profile } from './profile.js';

const CLIENT = 'Codex';

export const native: NativeRunner = {
  program: 'codex',
  express: (preset, options) => {
    const parts = partsOf(preset);
    return {
      flags: codexArguments(codexProfile(preset, options)),
      files: [{ below: 'project', path: `.codex/rules/policy-${preset}.rules`, text: rulesText(preset, parts, options) }],
      needs: ['Codex reads .codex/rules of a project only when you trusted the project.'],
      losses: losses(parts, options),
    };
  },
};

/**
 * Returns the sandbox of an export. Without the hook, nothing but the sandbox restricts commands that no rule names, so files can
 * only be read; with the hook, the preset's rules let commands leave the sandbox.
 */
export function codexProfile(preset: PresetName, { withHook }: ExportOptions): Profile {
  return mapPreset(withHook ? preset : 'readOnly', { sandboxed: preset !== 'all' });
}

function rulesText(preset: PresetName, parts: PresetParts, { withHook }: ExportOptions): string {
  const refused = refusedPrefixes(preset).map(({ words, example, other, why }) =>
    rule(words, 'forbidden', { match: example, other, justification: why }),
  );
  const allowed = withHook
    ? parts.shell.map(({ words }) => rule(words.split(' '), 'allow', { match: words, other: `${words}x`, justification: null }))
    : [];
  const head = [
    `# Preset ${preset}, as far as Codex can say it. What no rule names runs in the sandbox.`,
    '# Written by `policy preset export`; the strictest rule that matches wins.',
    '',
  ];
  return `${[...head, ...refused, ...allowed].join('\n')}\n`;
}

interface Examples {
  readonly match: string;
  readonly other: string;
  readonly justification: string | null;
}

function rule(words: readonly string[], decision: 'allow' | 'forbidden', { match, other, justification }: Examples): string {
  const said = justification === null ? '' : ` justification=${JSON.stringify(justification)},`;
  return `prefix_rule(pattern=${list(words)}, decision="${decision}",${said} match=[${list(match.split(' '))}], not_match=[${list(other.split(' '))}])`;
}

function list(words: readonly string[]): string {
  return `[${words.map((word) => JSON.stringify(word)).join(', ')}]`;
}

function losses(parts: PresetParts, { withHook }: ExportOptions): Loss[] {
  return [
    ...(parts.everything
      ? [
          withHook
            ? wider(
                '*',
                'Codex runs every command without a sandbox; the hook enforces the built-in denials, protected files and secret files.',
              )
            : notExpressible('*', 'Nothing but the sandbox keeps a command from what the preset denies, so it stays read-only.'),
        ]
      : []),
    ...parts.shell.map((one) => prefixLoss(one, CLIENT, withHook)),
    ...(parts.edits
      ? [
          withHook
            ? wider(
                'Edit(**)',
                'Codex edits every file of the folder but .git and .codex; the hook enforces the other protected files.',
              )
            : notExpressible(
                'Edit(**)',
                'A sandbox in which files can be edited lets every command edit them, so it stays read-only.',
              ),
        ]
      : []),
    builtIn(
      'Codex reads files with shell commands only, and runs each that no rule forbids in its sandbox: it reads secret files and files outside the project.',
    ),
    builtIn('Codex asks nobody under `codex exec`: what the preset asks about runs in the sandbox or fails there.'),
    builtIn('What is typed into a program that is already running (write_stdin) meets no rule and no hook.'),
  ];
}
