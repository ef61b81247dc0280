/** The list of commands: one line here, one file in commands/. */
import type { CommandEntry } from './words/command.js';

export const commands: readonly CommandEntry[] = [
  {
    command: 'check [tool] [input]',
    group: 'Decide',
    describe: 'Decide one tool call: allow, ask or deny, and why',
    load: () => import('./commands/check.js'),
  },
  {
    command: 'init',
    group: 'Write policies',
    describe: 'Write a starter policy from what the repository contains',
    load: () => import('./commands/init.js'),
  },
  {
    command: 'allow [rules..]',
    group: 'Write policies',
    describe: 'Add an allow rule to a policy, and show what it changes',
    load: async () => (await import('./commands/rule-edit.js')).allowing,
  },
  {
    command: 'ask [rules..]',
    group: 'Write policies',
    describe: 'Add a rule that asks',
    load: async () => (await import('./commands/rule-edit.js')).asking,
  },
  {
    command: 'deny [rules..]',
    group: 'Write policies',
    describe: 'Add a rule that denies',
    load: async () => (await import('./commands/rule-edit.js')).denying,
  },
  {
    command: 'remove <rule>',
    group: 'Write policies',
    describe: 'Remove a rule, and show what that changes',
    load: () => import('./commands/rule-remove.js'),
  },
  {
    command: 'observe <action>',
    group: 'Write policies',
    describe: 'Try a policy without blocking anything: on, off, status',
    load: () => import('./commands/observe.js'),
  },
  {
    command: 'trust',
    group: 'Write policies',
    describe: "Show what this project's own policy grants, and trust it",
    load: () => import('./commands/trust.js'),
  },
  {
    command: 'lint [paths..]',
    group: 'Check files',
    describe: 'Find mistakes in agent definitions, settings and policies',
    load: () => import('./commands/lint.js'),
  },
  {
    command: 'hook <runner>',
    group: 'Install hooks',
    describe: "Judge the tool call on standard input, and answer in the runner's protocol",
    load: () => import('./commands/hook.js'),
  },
  {
    command: 'install <runner>',
    group: 'Install hooks',
    describe: "Put the hook into a runner's settings",
    load: () => import('./commands/install.js'),
  },
  {
    command: 'uninstall <runner>',
    group: 'Install hooks',
    describe: 'Remove the hook',
    load: () => import('./commands/uninstall.js'),
  },
  {
    command: 'doctor [runners..]',
    group: 'Install hooks',
    describe: 'Check every installed hook with a call that must be blocked',
    load: () => import('./commands/doctor.js'),
  },
  {
    command: 'audit [dir]',
    group: 'See what happened',
    describe: 'Report whether the policy is enforced here, with evidence',
    load: () => import('./commands/audit.js'),
  },
  {
    command: 'status [run]',
    group: 'See what happened',
    describe: 'What is enforced here: policy, hooks, log, last denials, subagents',
    load: () => import('./commands/status.js'),
  },
  {
    command: 'log <action> [id]',
    group: 'See what happened',
    describe: 'Recorded decisions: tail, show, query, stats, export; protect them against changes: seal, verify, prove, prune',
    load: () => import('./commands/log.js'),
  },
  {
    command: 'preset <action> [what]',
    group: 'Write policies',
    describe: 'Shipped presets: list, expand, map, resolve, infer',
    load: () => import('./commands/preset.js'),
  },
  {
    command: 'agents <action> [name]',
    group: 'Agents and tools',
    describe: 'Agent definitions found here: list, show; status: which subagents run',
    load: () => import('./commands/agents.js'),
  },
  {
    command: 'run [agent] [words..]',
    group: 'Agents and tools',
    describe: 'Start an agent in a coding-agent program, under the policy',
    load: () => import('./commands/run.js'),
  },
  {
    command: 'tools <action>',
    group: 'Agents and tools',
    describe: 'Tools that rules can name: list',
    load: () => import('./commands/tools.js'),
  },
  {
    command: 'overlay <action>',
    group: 'Write policies',
    describe: "An agent's permissions as a file: show, write",
    load: () => import('./commands/overlay.js'),
  },
  {
    command: 'help [command]',
    group: 'This program',
    describe: 'Explain a command, with examples',
    load: () => import('./commands/help.js'),
  },
  {
    command: 'completion <shell>',
    group: 'This program',
    describe: 'Print a completion script for bash, zsh, fish or PowerShell',
    load: () => import('./commands/completion.js'),
  },
];
