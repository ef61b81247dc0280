/** The help of `policy allow`, `policy ask` and `policy deny`. */
import type { Effect } from '../../rule/pattern/permission-rule.js';
import type { CommandHelp } from '../words/command.js';

const EXIT_CODES: CommandHelp['exitCodes'] = [
  [0, 'Written, there already, or shown with --dry-run'],
  [3, 'A mistake in a rule or a file, a rule that a stricter one overrides, or not confirmed; nothing was changed'],
];
const FILES: CommandHelp['files'] = [
  ['policy.local.yaml, policy.yaml', 'Written, at the top of the project (also .json and .toml)'],
  ['$XDG_CONFIG_HOME/policy/policy.yaml', 'Written with --user (without XDG_CONFIG_HOME: ~/.config)'],
  ['$XDG_STATE_HOME/policy', 'Read: the decision log. Written: your agreement, under trust/'],
];
const DRY = 'Nothing was changed (--dry-run).';

const EXAMPLES: Readonly<Record<Effect, CommandHelp['examples']>> = {
  allow: [
    {
      says: 'What would change if a script of the project were allowed',
      line: "policy allow --user --dry-run 'Bash(npm run format *)'",
      exit: 0,
      prints: [
        '…',
        '  allow: Bash(npm run format *)',
        'What changes:',
        '  Bash npm run format          ask → allow',
        '  Bash npm run format x        ask → allow',
        '  Bash npm run format --force  ask → allow',
        DRY,
      ],
    },
    {
      says: 'Rules for what you approved in the last week, from the decision log',
      line: 'policy allow --from-log --days 7 --dry-run',
      exit: 0,
      prints: [],
    },
    {
      says: 'A rule that a stricter one overrides is not written',
      line: "policy allow --user --dry-run 'Bash(npm publish *)'",
      exit: 3,
      prints: [],
    },
  ],
  ask: [
    {
      says: 'Ask before documentation is fetched, with a reason that every question names',
      line: "policy ask --dry-run --reason 'Say what you look for.' 'WebFetch(domain:*.example.com)'",
      exit: 0,
      prints: ['…', DRY],
    },
    {
      says: 'For everybody who works on the project',
      line: "policy ask --project --dry-run 'Edit(/migrations/**)'",
      exit: 0,
      prints: ['…', DRY],
    },
  ],
  deny: [
    {
      says: 'Refuse a program, for you in this project',
      line: "policy deny --dry-run 'Bash(terraform *)'",
      exit: 0,
      prints: [
        'policy.local.yaml (new):',
        '  deny: Bash(terraform *)',
        'What changes:',
        '  Bash terraform          ask → deny',
        '  Bash terraform x        ask → deny',
        '  Bash terraform --force  ask → deny',
        DRY,
      ],
    },
    {
      says: 'The examples in a policy show what a new rule changes',
      line: "policy deny --dry-run 'Bash(git push *)'",
      exit: 0,
      prints: ['…', '  Bash git push origin main  ask → deny  (an example in the policy)', DRY],
    },
  ],
};

/** Exit codes, files and examples of one of the commands. */
export function ruleEditHelp(effect: Effect): CommandHelp {
  return { exitCodes: EXIT_CODES, files: FILES, examples: EXAMPLES[effect] };
}
