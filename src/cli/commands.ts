/** The list of commands: one line here, one file in commands/, one entry in rules/help.yaml and what its help says in rules/help/. */
import { data } from '../generated/data.js';
import { type CommandEntry, type CommandHelp, nameOf } from './words/command.js';

const FILES = {
  check: () => import('./commands/check.js'),
  init: () => import('./commands/init.js'),
  allow: async () => (await import('./commands/rule-edit.js')).allowing,
  ask: async () => (await import('./commands/rule-edit.js')).asking,
  deny: async () => (await import('./commands/rule-edit.js')).denying,
  remove: () => import('./commands/rule-remove.js'),
  observe: () => import('./commands/observe.js'),
  trust: () => import('./commands/trust.js'),
  lint: () => import('./commands/lint.js'),
  hook: () => import('./commands/hook.js'),
  install: () => import('./commands/install.js'),
  uninstall: () => import('./commands/uninstall.js'),
  doctor: () => import('./commands/doctor.js'),
  audit: () => import('./commands/audit.js'),
  status: () => import('./commands/status.js'),
  log: () => import('./commands/log.js'),
  replay: () => import('./commands/replay.js'),
  preset: () => import('./commands/preset.js'),
  agents: () => import('./commands/agents.js'),
  run: () => import('./commands/run.js'),
  tools: () => import('./commands/tools.js'),
  mcp: () => import('./commands/mcp.js'),
  overlay: () => import('./commands/overlay.js'),
  help: () => import('./commands/help.js'),
  completion: () => import('./commands/completion.js'),
};

/** The policy files that every command reads which asks for a decision: `policy files` in rules/help. */
const POLICY_FILES: CommandHelp['files'] = [
  ['policy.yaml, .json, .toml', "The project's policy, at the top of its repository"],
  ['policy.local.yaml', 'Your own additions to it, kept out of git'],
  ['$XDG_CONFIG_HOME/policy/policy.yaml', 'Your policy for all projects (without XDG_CONFIG_HOME: ~/.config)'],
  ['/etc/policy/policy.yaml', 'The managed policy of this machine, which no other policy can loosen'],
];

function helpOf(name: string): CommandHelp {
  const written = data(`help/${name}`) as CommandHelp;
  return { ...written, files: written.files.flatMap((row) => (typeof row === 'string' ? POLICY_FILES : [row])) };
}

export const commands = (data('help') as readonly Omit<CommandEntry, 'load' | 'help'>[]).map((entry): CommandEntry => {
  const name = nameOf(entry);
  return { ...entry, load: FILES[name as keyof typeof FILES], help: () => helpOf(name) };
});
