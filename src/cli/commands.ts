/** The list of commands: one line here, one file beside it. */
import type { CommandEntry } from './command.js';

export const commands: readonly CommandEntry[] = [
  {
    command: 'check [tool] [input]',
    group: 'Decide',
    describe: 'May this tool call run? Prints allow, ask or deny, and why',
    load: () => import('./check.js'),
  },
  {
    command: 'init',
    group: 'Write policies',
    describe: 'Write a starter policy from what the repository contains',
    load: () => import('./init.js'),
  },
  {
    command: 'allow [rules..]',
    group: 'Write policies',
    describe: 'Let calls pass: adds a rule to a policy, and shows what it changes',
    load: async () => (await import('./rule-edit.js')).allowing,
  },
  {
    command: 'ask [rules..]',
    group: 'Write policies',
    describe: 'Make calls ask, in the same way',
    load: async () => (await import('./rule-edit.js')).asking,
  },
  {
    command: 'deny [rules..]',
    group: 'Write policies',
    describe: 'Refuse calls, in the same way',
    load: async () => (await import('./rule-edit.js')).denying,
  },
  {
    command: 'remove <rule>',
    group: 'Write policies',
    describe: 'Take a rule out of the policy that holds it, and show what changes',
    load: () => import('./rule-remove.js'),
  },
  {
    command: 'trust',
    group: 'Write policies',
    describe: "What does this project's own policy grant, and do you agree?",
    load: () => import('./trust.js'),
  },
  {
    command: 'lint [paths..]',
    group: 'Check files',
    describe: 'What is wrong with the agent definitions and policies here?',
    load: () => import('./lint.js'),
  },
  {
    command: 'hook <runner>',
    group: 'Gate a runner',
    describe: "Judge the tool call on standard input, in the runner's own protocol",
    load: () => import('./hook.js'),
  },
  {
    command: 'install <runner>',
    group: 'Gate a runner',
    describe: "Put the hook into a runner's settings",
    load: () => import('./install.js'),
  },
  {
    command: 'uninstall <runner>',
    group: 'Gate a runner',
    describe: 'Take it out again',
    load: () => import('./uninstall.js'),
  },
  {
    command: 'doctor [runners..]',
    group: 'Gate a runner',
    describe: 'Is every gate closed? Tries a call that has to be blocked',
    load: () => import('./doctor.js'),
  },
  {
    command: 'audit',
    group: 'See what happened',
    describe: 'Is what the policy promises enforced here? A report with evidence',
    load: () => import('./audit.js'),
  },
  {
    command: 'status [run]',
    group: 'See what happened',
    describe: 'Which subagents run here, which have run, and what did one do?',
    load: () => import('./status.js'),
  },
  {
    command: 'log <action> [id]',
    group: 'See what happened',
    describe: 'What was decided: tail, show, query, stats, export; and that nobody changed it: seal, verify, prove, prune',
    load: () => import('./log.js'),
  },
  {
    command: 'preset <action> [what]',
    group: 'Write policies',
    describe: 'The shipped presets: list, expand, map, resolve, infer',
    load: () => import('./preset.js'),
  },
  {
    command: 'agents <action> [name]',
    group: 'Agents and tools',
    describe: 'The agent definitions found here: list, show',
    load: () => import('./agents.js'),
  },
  {
    command: 'tools <action>',
    group: 'Agents and tools',
    describe: 'The tools that rules can name: list',
    load: () => import('./tools.js'),
  },
  {
    command: 'overlay <action>',
    group: 'Write policies',
    describe: "An agent's permissions as a file: show, write",
    load: () => import('./overlay.js'),
  },
  {
    command: 'help [command]',
    group: 'This program',
    describe: 'How a command is used, with examples',
    load: () => import('./help.js'),
  },
  {
    command: 'completion <shell>',
    group: 'This program',
    describe: 'A script with which bash, zsh or fish completes command lines',
    load: () => import('./completion.js'),
  },
];
