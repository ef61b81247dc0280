/** `policy preset`: the shipped presets, what they allow, and their equivalents in the configuration of a runner. */
import { isFields } from '../../call/fields.js';
import { quoteWords } from '../../call/quote.js';
import { choiceAdvice } from '../../policy/nearest.js';
import { PRESETS, type PresetName } from '../../policy/policy.js';
import { expandPreset, inferPreset, isPresetName, presetNamed } from '../../policy/presets.js';
import { codexProfile } from '../../runner/codex/native.js';
import { codexArguments, mapPreset, PROFILED, type ProfileFields, resolvePreset, SANDBOXES } from '../../runner/codex/profile.js';
import { exportPreset, LAUNCHED_RUNNERS, NATIVE_RUNNERS, type NativeRunnerId } from '../../runner/exports.js';
import type { NativeExport } from '../../runner/native/model.js';
import { tellModeHere } from '../place/open.js';
import { commandOf, exportJson, exportText, lossLine, writeExport } from '../rules/preset-export.js';
import { EXIT, type ExitCode, UsageError } from '../terminal/exit.js';
import { print, printTable, warn } from '../terminal/terminal.js';
import { type Arguments, choiceFlag, switchFlag, textFlag } from '../words/arguments.js';
import type { Takes } from '../words/command.js';

const APPROVALS = ['never', 'on-request', 'untrusted'] as const;

const actions: Readonly<Record<string, (args: Arguments) => Promise<void>>> = {
  list,
  expand,
  map,
  export: exportFiles,
  resolve,
  infer,
};

export const takes: Takes = {
  arguments: {
    action: { choices: Object.keys(actions), describe: 'What to do; list if left out' },
    what: { suggested: PRESETS, describe: `A preset (${PRESETS.join(', ')}), or a list of tools as JSON` },
  },
  options: {
    json: { describe: 'Print JSON' },
    tools: { describe: 'expand: the rules for tools other than the shell' },
    runner: { value: 'RUNNER', choices: NATIVE_RUNNERS, describe: 'map, export: the program (map: codex unless given)' },
    sandboxed: { describe: "map: keep Codex's sandbox on for presets that switch it off" },
    'with-hook': { describe: 'map, export: include rules that allow more than the preset; use only with an installed hook' },
    output: { value: 'DIR', describe: 'export: write the files to DIR, those for the home folder to DIR/home' },
    force: { describe: 'export: replace existing files' },
    sandbox: { choices: SANDBOXES, describe: 'resolve: use this sandbox, whatever the preset says' },
    'approval-policy': {
      value: 'APPROVAL',
      choices: APPROVALS,
      describe: 'resolve: use these approvals, whatever the preset says',
    },
    'repo-defaults': { value: 'JSON', describe: 'resolve: defaults of the repository' },
    'global-defaults': { value: 'JSON', describe: 'resolve: global defaults' },
  },
};

/** Throws UsageError for an unknown action, preset or value. */
export async function run(args: Arguments): Promise<ExitCode> {
  const action = textFlag(args, 'action') ?? 'list';
  const act = Object.hasOwn(actions, action) ? actions[action] : undefined;
  if (act === undefined)
    throw new UsageError(`policy preset has no action ${JSON.stringify(action)}; ${choiceAdvice(action, Object.keys(actions))}`);
  tellModeHere(args);
  await act(args);
  return EXIT.allow;
}

async function list(args: Arguments): Promise<void> {
  const rows = PRESETS.map((name) => ({ name, rules: expandPreset(name).length, behaviour: mapPreset(name).behaviour }));
  if (switchFlag(args, 'json')) await print(`${JSON.stringify(rows)}\n`);
  else await printTable(rows.map(({ name, behaviour }) => [name, behaviour]));
}

/** Prints the entries that a preset stands for, in the notation of its original list. */
async function expand(args: Arguments): Promise<void> {
  const name = presetArgument(args);
  const shell = presetNamed(name).rules.filter(({ tool, pattern }) => tool === 'Bash' && pattern !== null).length;
  const all = expandPreset(name);
  const [commands, tools] = [all.slice(0, shell), all.slice(shell)];
  if (switchFlag(args, 'json')) {
    await print(`${JSON.stringify({ name, shell: commands, tools })}\n`);
    return;
  }
  const chosen = switchFlag(args, 'tools') ? tools : commands;
  if (chosen !== tools)
    warn(`preset ${name}: ${commands.length} shell commands and ${tools.length} rules for tools (--tools prints them)`);
  for (const line of chosen) await print(`${line}\n`);
}

/** Prints the command line of a session; for Codex it is the original mapping, regardless of the preset's other rules. */
async function map(args: Arguments): Promise<void> {
  const runner = choiceFlag(args, 'runner', LAUNCHED_RUNNERS) ?? PROFILED;
  const name = presetArgument(args);
  if (runner !== PROFILED) return mapOther(args, exported(args, name, runner));
  const profile = mapPreset(name, { sandboxed: switchFlag(args, 'sandboxed') });
  for (const { code, message } of profile.warnings) warn(`warning: ${message} (${code})`);
  const command = [PROFILED, ...codexArguments(profile)];
  await print(switchFlag(args, 'json') ? `${JSON.stringify({ ...profile, command })}\n` : `${command.join(' ')}\n`);
}

async function mapOther(args: Arguments, told: NativeExport): Promise<void> {
  const { runner, preset, losses, files } = told;
  const command = commandOf(told);
  if (switchFlag(args, 'json')) return print(`${JSON.stringify({ runner, preset, command, losses })}\n`);
  if (files.length > 0) warn(`It relies on the files that policy preset export ${preset} --runner ${runner} prints.`);
  for (const loss of losses) warn(`warning: ${lossLine(loss)}`);
  await print(`${quoteWords(command)}\n`);
}

/** Prints or writes the runner's own configuration. */
async function exportFiles(args: Arguments): Promise<void> {
  const runner = choiceFlag(args, 'runner', NATIVE_RUNNERS);
  if (runner === undefined) throw new UsageError(`policy preset export needs --runner; known are ${NATIVE_RUNNERS.join(', ')}`);
  const told = exported(args, presetArgument(args), runner);
  const folder = textFlag(args, 'output');
  if (folder === '') throw new UsageError('--output needs a folder');
  if (folder !== undefined) for (const path of writeExport(told, folder, switchFlag(args, 'force'))) warn(`${path} written`);
  const profile = runner === PROFILED ? codexProfile(told.preset, { withHook: switchFlag(args, 'with-hook') }) : null;
  if (switchFlag(args, 'json')) return print(exportJson(told, profile, process.cwd()));
  await print(exportText(folder === undefined ? told : { ...told, files: [] }));
}

function exported(args: Arguments, name: PresetName, runner: NativeRunnerId): NativeExport {
  return exportPreset(name, runner, { withHook: switchFlag(args, 'with-hook') });
}

/** Resolves each field by itself: explicit values override derived ones, these the repository's defaults, these the global defaults. */
async function resolve(args: Arguments): Promise<void> {
  const sandbox = choiceFlag(args, 'sandbox', SANDBOXES);
  const approvalPolicy = choiceFlag(args, 'approval-policy', APPROVALS);
  const derived = textFlag(args, 'what') === undefined ? undefined : mapPreset(presetArgument(args));
  const resolved = resolvePreset({
    explicit: { ...(sandbox !== undefined && { sandbox }), ...(approvalPolicy !== undefined && { approvalPolicy }) },
    ...(derived !== undefined && { derived: { sandbox: derived.sandbox, approvalPolicy: derived.approvalPolicy } }),
    repoDefaults: defaults(args, 'repo-defaults'),
    globalDefaults: defaults(args, 'global-defaults'),
  });
  if (switchFlag(args, 'json')) await print(`${JSON.stringify({ ...resolved, fullAuto: false })}\n`);
  else await printTable(Object.entries(resolved).map(([field, { value, source }]) => [field, value, `from ${source}`]));
}

/** Names the preset that fits a list of tools, for people who have such a list; a policy's preset is never guessed. */
async function infer(args: Arguments): Promise<void> {
  const tools = parsed(textFlag(args, 'what') ?? '', 'the list of tools');
  if (!Array.isArray(tools) || !tools.every((tool) => typeof tool === 'string'))
    throw new UsageError('policy preset infer needs a JSON list of tools, for example \'["Read","Bash(git diff:*)"]\'');
  const name = inferPreset(tools);
  await print(switchFlag(args, 'json') ? `${JSON.stringify({ name })}\n` : `${name}\n`);
}

function presetArgument(args: Arguments): PresetName {
  const name = textFlag(args, 'what') ?? '';
  if (!isPresetName(name)) throw new UsageError(`${JSON.stringify(name)} is not a preset; ${choiceAdvice(name, PRESETS)}`);
  return name;
}

function defaults(args: Arguments, flag: string): ProfileFields {
  const text = textFlag(args, flag);
  if (text === undefined) return {};
  const value = parsed(text, `--${flag}`);
  if (!isFields(value)) throw new UsageError(`--${flag} must be a JSON object, for example {"sandbox":"read-only"}`);
  const { model, ...rest } = value;
  const stranger = Object.keys(rest).find((key) => key !== 'sandbox' && key !== 'approvalPolicy');
  if (stranger !== undefined)
    throw new UsageError(`--${flag} has the unknown key ${JSON.stringify(stranger)}; known are sandbox, approvalPolicy, model`);
  const sandbox = oneOf(SANDBOXES, value.sandbox, flag);
  const approvalPolicy = oneOf(APPROVALS, value.approvalPolicy, flag);
  return {
    ...(sandbox !== undefined && { sandbox }),
    ...(approvalPolicy !== undefined && { approvalPolicy }),
    ...(model !== undefined && { model: String(model) }),
  };
}

function oneOf<Choice extends string>(choices: readonly Choice[], value: unknown, flag: string): Choice | undefined {
  const chosen = choices.find((choice) => choice === value);
  if (value !== undefined && chosen === undefined)
    throw new UsageError(`--${flag} holds ${JSON.stringify(value)}; ${choiceAdvice(String(value), choices)}`);
  return chosen;
}

function parsed(text: string, what: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${what} is not JSON`);
  }
}
