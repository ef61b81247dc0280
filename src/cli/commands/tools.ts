/** `policy tools list`: the known tools, their capabilities, and how much harm one call can do. */
import { canonicalTools, describeTool, runnerTools } from '../../call/catalogue.js';
import { RUNNERS } from '../../call/tool-call.js';
import { TIERS } from '../../policy/policy.js';
import { open, POLICY_OPTIONS } from '../place/open.js';
import { EXIT, type ExitCode } from '../terminal/exit.js';
import { print, printTable } from '../terminal/terminal.js';
import { type Arguments, choiceFlag, switchFlag } from '../words/arguments.js';
import type { Takes } from '../words/command.js';

export const takes: Takes = {
  arguments: { action: { choices: ['list'], describe: 'What to do; list if left out' } },
  options: {
    tier: { choices: TIERS, default: 'all', describe: 'Only tools of this tier' },
    runner: { choices: RUNNERS, default: 'the names shared by all', describe: "A runner's own names" },
    json: { describe: 'Print JSON' },
    ...POLICY_OPTIONS,
  },
};

interface ListedTool {
  readonly name: string;
  /** The name that rules use. */
  readonly canonical: string;
  readonly tier: string;
  readonly access: string;
  readonly status: string;
}

/** Throws UsageError for an unknown tier or runner and for a policy file with mistakes. */
export async function run(args: Arguments): Promise<ExitCode> {
  const tier = choiceFlag(args, 'tier', TIERS);
  const tools = listed(args).filter((tool) => tier === undefined || tool.tier === tier);
  if (switchFlag(args, 'json')) await print(`${JSON.stringify(tools)}\n`);
  else await printTable(tools.map((tool) => [tool.name, tool.tier, tool.access, moreAbout(tool)]));
  return EXIT.allow;
}

/** Returns the runner's tools or the shared ones, then those of the policy. */
function listed(args: Arguments): readonly ListedTool[] {
  const runner = choiceFlag(args, 'runner', RUNNERS);
  const names = runner === undefined ? canonicalTools().map(({ name }) => name) : runnerTools(runner).map(({ name }) => name);
  const known = names.map((name): ListedTool => {
    const { canonical, tier, access, status } = describeTool(name, runner);
    return { name, canonical, tier, access, status };
  });
  const custom = open(args, false).policy.customTools.map(({ name, tier, review }): ListedTool => {
    const status = review === undefined ? 'custom' : `custom, reviewed by ${review.by} on ${review.date}: ${review.reason}`;
    return { name, canonical: name, tier, access: '', status };
  });
  return [...known, ...custom];
}

/** Returns information that the other columns do not contain. */
function moreAbout({ name, canonical, status }: ListedTool): string {
  return [...(canonical === name ? [] : [`rules say ${canonical}`]), ...(status === 'available' ? [] : [status])].join('; ');
}
