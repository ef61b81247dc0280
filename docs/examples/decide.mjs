// What a program asks of this library: may an agent run this command in this project?
//   node docs/examples/decide.mjs "git push --force"
import { homedir } from 'node:os';
import { enforceDry, findRemedyDry, openWorkspace } from 'agent-policy';

const command = process.argv[2] ?? 'git push --force';
const cwd = process.cwd();

// Reads the policies of this project and of its user, and the agents that are defined here.
const opened = openWorkspace({
  cwd,
  home: homedir(),
  platform: process.platform,
  environment: process.env,
  preset: 'safe',
  withAgents: true,
});
if (!opened.ok) {
  for (const { message, source } of opened.problems) console.error(`${source.file}:${source.line}: ${message}`);
  process.exit(3);
}

// One call: a tool, its input, and where it is made. Nothing is run and nothing is written.
const call = { tool: 'Bash', input: { command }, cwd, shell: 'union', headless: false };
const decision = enforceDry(opened.workspace, call);
console.log(`${decision.decision}: ${decision.message}`);
for (const { text, decision: ofCommand } of decision.commands) console.log(`  ${ofCommand}  ${text}`);

// The rule that would let the call pass, or why no rule can.
const remedy = findRemedyDry(opened.workspace, call, decision);
if (remedy?.kind === 'rules') console.log(`a person could allow ${remedy.offers[0].rules.join(' and ')}`);
if (remedy?.kind === 'sentence') console.log(remedy.sentence);
process.exitCode = { allow: 0, deny: 1, ask: 2 }[decision.decision];
