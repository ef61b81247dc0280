/** Sentences about losses that several runners share. */
import { builtIn, type Loss, notExpressible, wider } from './model.js';
import type { PresetParts, ShellRule } from './parts.js';

/** The loss of a rule that is left out, or written only because the hook is installed. */
export function prefixLoss({ text, words }: ShellRule, client: string, written: boolean): Loss {
  return written
    ? wider(text, `${client} lets \`${words}\` run with any option; the hook enforces the rest.`)
    : notExpressible(text, `${client} cannot hold \`${words}\` to harmless options, so it is left out.`);
}

/** The loss for shell commands that the preset allows if they provably only read. */
export function provenReadsLoss({ reading }: PresetParts, client: string, written: boolean): Loss[] {
  if (reading.length === 0) return [];
  return written
    ? [
        wider(
          null,
          `${client} lets commands that read (${reading.join(', ')}) run with any option and file; the hook enforces the rest.`,
        ),
      ]
    : [
        notExpressible(
          null,
          `${client} cannot tell whether a shell command only reads the project, so such commands are left out.`,
        ),
      ];
}

/** The loss of what preset develop allows beyond safe. */
export function workLoss({ work }: PresetParts): Loss[] {
  const why = 'No runner can tell work on the project from other commands, so such commands are left out.';
  return work ? [notExpressible(null, why)] : [];
}

export function everythingLoss({ everything }: PresetParts, client: string, written: boolean): Loss[] {
  if (!everything) return [];
  return written
    ? [wider('*', `${client} runs every command; the hook enforces the built-in denials, protected files and secret files.`)]
    : [notExpressible('*', `${client} does not know the built-in denials, so no rule allows every command.`)];
}

export function linkLoss(client: string): Loss {
  return builtIn(
    `${client} compares paths as they are written: a link inside the project may lead to any file; the hook follows links.`,
  );
}
