// The recorded tables of Claude Code 2.1.329: rules, calls, and what each rule did to each call.
import { readFileSync } from 'node:fs';
import type { ToolCall } from '../../../src/call/tool-call.js';

const FOLDER = 'test/fixtures/vectors/claude-code';
const load = <Table>(name: string) => JSON.parse(readFileSync(`${FOLDER}/${name}.2.1.329.json`, 'utf8')) as Table;

export const CWD = '/opt/work/project';
export const HOME = '/opt/work/home';

/** One rule, alone under its effect, and one call; `matches`: it decided the call. */
export interface RecordedRow {
  readonly effect: 'allow' | 'deny';
  readonly rule: string;
  readonly call: ToolCall;
  readonly label: string;
  readonly matches: boolean;
}

function callOf(tool: string, input: ToolCall['input']): ToolCall {
  return { tool, input, cwd: CWD, headless: false, shell: 'bash', runner: 'claude-code' };
}

type Verdicts = Readonly<Record<'allow' | 'deny', readonly string[]>>;

function rowsOf(table: Readonly<Record<string, Verdicts>>, calls: readonly (readonly [string, ToolCall])[]): RecordedRow[] {
  return Object.entries(table).flatMap(([rule, verdicts]) =>
    (['allow', 'deny'] as const).flatMap((effect) =>
      calls.map(([label, call]) => ({ effect, rule, call, label, matches: verdicts[effect].includes(label) })),
    ),
  );
}

function bashWildcards(): RecordedRow[] {
  const table = load<Record<string, Verdicts>>('bash-wildcards');
  const commands = table.Bash?.allow ?? [];
  return rowsOf(
    table,
    commands.map((command) => [command, callOf('Bash', { command })] as const),
  );
}

function pathRulesWrite(): RecordedRow[] {
  const table = load<Record<string, Verdicts>>('path-rules-write');
  const paths = table.Write?.allow ?? [];
  return rowsOf(
    table,
    paths.map((path) => {
      const file = path.replace('$CWD', CWD).replace(/^~/, HOME).replace(/^\/\//, '/opt/work/');
      return [path, callOf('Write', { file_path: file, content: 'x' })] as const;
    }),
  );
}

/** A call of the table: `WebFetch<http://a/>`, `Agent<rev+opus>`, `Bash<zz a bg>`, `mcp__probe__echo`. */
function otherCall(label: string): ToolCall {
  const [, tool = '', subject = ''] = /^([^<]+)(?:<(.*)>)?$/.exec(label) ?? [];
  switch (tool) {
    case 'WebFetch':
      return callOf(tool, { url: subject, prompt: 'x' });
    case 'Agent': {
      const [name, model] = subject.split('+');
      return callOf(tool, { subagent_type: name, prompt: 'x', description: 'x', ...(model === undefined ? {} : { model }) });
    }
    case 'Skill':
      return callOf(tool, { skill: subject });
    case 'Bash':
    case 'Monitor':
      return callOf(tool, {
        command: subject.replace(/ bg$/, ''),
        ...(subject.endsWith(' bg') ? { run_in_background: true } : {}),
      });
    default:
      return callOf(tool, { msg: 'x' });
  }
}

/** What is allowed without any rule tells nothing about an allow rule, so such rows are left out. */
function otherRules(): RecordedRow[] {
  const { '(none)': none, ...table } =
    load<Record<string, { readonly newlyAllowed: readonly string[]; readonly denied: readonly string[] }>>('other-rules');
  const without = new Map(none as unknown as readonly (readonly [call: string, verdict: string])[]);
  const calls = [...without.keys()].map((label) => [label, otherCall(label)] as const);
  const verdicts = Object.fromEntries(
    Object.entries(table).map(([rule, { newlyAllowed, denied }]) => [
      rule,
      { allow: newlyAllowed, deny: denied.map((call) => call.replace(/=[a-z]+$/, '')) },
    ]),
  );
  return rowsOf(verdicts, calls).filter(({ effect, label }) => effect === 'deny' || without.get(label) !== 'allow');
}

/** Spellings of a command, with only `allow Bash(zz:*)`, and with `deny Bash(zz:*)` beside `allow Bash`. */
export const recordedForms = load<{
  readonly forms: readonly { readonly command: string; readonly allowRule: string; readonly denyRule: string }[];
}>('bash-evasion').forms.map((form) => ({ ...form, call: callOf('Bash', { command: form.command }) }));

/** Calls under deny rules for `.env` (and `secrets`, for Read), beside rules that allow them. */
export const recordedFiles = (() => {
  const table = load<Readonly<Record<'Read' | 'Edit', readonly (readonly [call: string, verdict: string])[]>>>('read-deny');
  return (['Read', 'Edit'] as const).flatMap((tool) =>
    table[tool].map(([text, verdict]) => {
      const [, name, input] = /^(Read|Write) (\{.*\})$/.exec(text) ?? [];
      const call =
        name === undefined || input === undefined
          ? callOf('Bash', { command: text })
          : callOf(name, JSON.parse(input.replaceAll('$CWD', CWD)) as ToolCall['input']);
      return { tool, text, call, denied: verdict === 'deny' };
    }),
  );
})();

export const recordedTables: Readonly<Record<string, readonly RecordedRow[]>> = {
  'bash-wildcards': bashWildcards(),
  'path-rules-write': pathRulesWrite(),
  'other-rules': otherRules(),
};
