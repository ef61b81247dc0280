/** The list of commands: one line here, one file in commands/. */
import type { CommandEntry } from './command.js';

export const commands: readonly CommandEntry[] = [
  {
    command: 'check [tool] [input]',
    group: 'Decide',
    describe: 'May this tool call run? Prints allow, ask or deny, and why',
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
    describe: 'Let calls pass: adds a rule to a policy, and shows what it changes',
    load: async () => (await import('./commands/rule-edit.js')).allowing,
  },
  {
    command: 'ask [rules..]',
    group: 'Write policies',
    describe: 'Make calls ask, in the same way',
    load: async () => (await import('./commands/rule-edit.js')).asking,
  },
  {
    command: 'deny [rules..]',
    group: 'Write policies',
    describe: 'Refuse calls, in the same way',
    load: async () => (await import('./commands/rule-edit.js')).denying,
  },
  {
    command: 'remove <rule>',
    group: 'Write policies',
    describe: 'Take a rule out of the policy that holds it, and show what changes',
    load: () => import('./commands/rule-remove.js'),
  },
  {
    command: 'trust',
    group: 'Write policies',
    describe: "What does this project's own policy grant, and do you agree?",
    load: () => import('./commands/trust.js'),
  },
  {
    command: 'lint [paths..]',
    group: 'Check files',
    describe: 'What is wrong with the agent definitions and policies here?',
    load: () => import('./commands/lint.js'),
  },
  {
    command: 'hook <runner>',
    group: 'Gate a runner',
    describe: "Judge the tool call on standard input, in the runner's own protocol",
    load: () => import('./commands/hook.js'),
  },
  {
    command: 'install <runner>',
    group: 'Gate a runner',
    describe: "Put the hook into a runner's settings",
    load: () => import('./commands/install.js'),
  },
  {
    command: 'uninstall <runner>',
    group: 'Gate a runner',
    describe: 'Take it out again',
    load: () => import('./commands/uninstall.js'),
  },
  {
    command: 'doctor [runners..]',
    group: 'Gate a runner',
    describe: 'Is every gate closed? Tries a call that has to be blocked',
    load: () => import('./commands/doctor.js'),
  },
  {
    command: 'audit',
    group: 'See what happened',
    describe: 'Is what the policy promises enforced here? A report with evidence',
    load: () => import('./commands/audit.js'),
  },
  {
    command: 'status [run]',
    group: 'See what happened',
    describe: 'Which subagents run here, which have run, and what did one do?',
    load: () => import('./commands/status.js'),
  },
  {
    command: 'log <action> [id]',
    group: 'See what happened',
    describe: 'What was decided: tail, show, query, stats, export; and that nobody changed it: seal, verify, prove, prune',
    load: () => import('./commands/log.js'),
  },
  {
    command: 'preset <action> [what]',
    group: 'Write policies',
    describe: 'The shipped presets: list, expand, map, resolve, infer',
    load: () => import('./commands/preset.js'),
  },
  {
    command: 'agents <action> [name]',
    group: 'Agents and tools',
    describe: 'The agent definitions found here: list, show',
    load: () => import('./commands/agents.js'),
  },
  {
    command: 'tools <action>',
    group: 'Agents and tools',
    describe: 'The tools that rules can name: list',
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
    describe: 'How a command is used, with examples',
    load: () => import('./commands/help.js'),
  },
  {
    command: 'completion <shell>',
    group: 'This program',
    describe: 'A script with which bash, zsh or fish completes command lines',
    load: () => import('./commands/completion.js'),
  },
];
