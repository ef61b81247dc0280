/** The few sessions that all properties are read from: a client is slow to start, so each of its turns tries something else. */
import { realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from './client.js';
import { patchLine } from './clients/codex.js';
import { everydayFiles, everydayLines, type Stack } from './everyday.js';
import type { ModelCall } from './mock-model.js';
import type { Session } from './stage.js';

export type SessionName =
  | `everyday ${Stack}`
  | 'calls'
  | 'project'
  | 'failing'
  | 'agent'
  | 'agents'
  | 'unagreed'
  | 'project unagreed'
  | 'noise'
  | 'work'
  | 'bypass'
  | 'edits'
  | 'plan'
  | 'auto'
  | 'never'
  | 'unasked agent'
  | 'skill'
  | 'skill line'
  | 'skill files'
  | 'typed skill'
  | 'agent skills'
  | 'patch'
  | 'secrets'
  | 'refused'
  | 'mcp'
  | 'gateway'
  | 'wrapped'
  | 'upgrade'
  | 'sandbox';

/** Starts an agent of Claude Code by its name. */
const agentOf = (name: string): ModelCall => ({
  tool: 'Agent',
  input: { description: 'd', prompt: 'SCENARIO:child', subagent_type: name, run_in_background: false },
});

/** What most people have: the preset for everyday work, and nothing else. */
const SAFE = 'version: 1\npreset: safe\n';
/** In `.env`, and nowhere else: a request to the model that holds it shows a leak. */
export const SECRET = 'hunter2-of-the-env-file';
/** The answer to a call with this name in it is a question. */
const ASKING = 'version: 1\ndefault: allow\nask: [Bash(mkfifo *), Agent]\ndeny: [Bash(touch *)]\n';
const SKILL = (line: string) => skillOf(`This is how things stand: !\`${line}\``);
const skillOf = (body: string, head = '') => `---\nname: one\ndescription: Says how things stand.\n${head}---\n${body}\n`;

/** The denied forms, by the marker that each of them would make. */
export const DENIED = {
  plain: 'touch plain',
  compound: 'ls && touch compound',
  wrapper: 'env touch wrapper',
  script: "bash -c 'touch script'",
  substitution: 'echo $(touch substitution)',
  question: 'mkfifo question',
} as const;

/** Those of them that are tried with a hook in the project's settings, too. */
export const DENIED_IN_PROJECT = { plain: DENIED.plain, compound: DENIED.compound } as const;

/** What a broken hook does when it is asked about making a folder of this name. */
export const BROKEN = {
  ...{ crash: 'kill -9 $$', empty: 'exit 0', talk: 'echo welcome; exit 3', json: "echo '{}'; exit 3", hang: 'exec sleep 600' },
} as const;

/** Claude Code forgets a hook's question about a line that writes one of its own settings, in a mode without questions. */
const LEFT_OUT = ['mkfifo question; echo x > .mcp.json', 'touch plain'] as const;

/** What code of the project tries that an agent may have written; it notes what it could do. */
const REACH = `const { readFileSync, writeFileSync } = require('node:fs');
const home = require('node:os').homedir();
const could = (what, act) => { try { return act() ?? what, what; } catch { return ''; } };
const found = [
  ...['.ssh/id_test', '.gnupg/key', '.netrc'].map((name) => could('read ' + name, () => { if (!readFileSync(home + '/' + name, 'utf8').includes('hunter2')) throw 0; })),
  ...['outside', '.bashrc', '.config/policy/policy.yaml'].map((name) => could('write ' + name, () => writeFileSync(home + '/' + name, '\\n', { flag: 'a' }))),
  could('write .git/hooks', () => writeFileSync('.git/hooks/pre-commit', '')),
];
writeFileSync(process.argv[2] ?? 'reached.txt', found.filter(Boolean).join(', ') || 'nothing');
`;

/** The session of a client. */
export function sessionOf(name: SessionName, client: Client): Session {
  const { shell: call, agent, unaskedAgent, write, skill, mcp } = client;
  const shell = (line: string) => [call(line)];
  const alone = [shell('touch alone')];
  switch (name) {
    case 'calls':
      return { scenarios: { main: [shell('mkdir made'), ...Object.values(DENIED).map(shell)], alone } };
    case 'project':
      return {
        scenarios: { main: [shell('mkdir made'), ...Object.values(DENIED_IN_PROJECT).map(shell)], alone },
        scope: 'project',
      };
    case 'failing':
      // The deadline is the shipped one: what hangs has to be ended before the client loses patience.
      return {
        scenarios: { main: Object.keys(BROKEN).map((made) => shell(`mkdir ${made}`)) },
        settings: brokenNode,
        shippedDeadline: true,
      };
    case 'agent':
      // Codex hands the child what was said before, results among it: the child then starts with a later turn.
      return {
        scenarios: {
          main: [[agent('child')], shell('sleep 2')],
          child: [...Array.from({ length: 4 }, () => shell('mkdir -p made')), shell('touch plain')],
        },
      };
    case 'agents':
      return { scenarios: { main: [[agent('one'), agent('two')]], one: [shell('sleep 3')], two: [shell('sleep 3')] } };
    case 'unagreed':
      return { scenarios: { main: [shell('touch plain')] }, unagreed: true };
    case 'project unagreed':
      return { scenarios: { main: [shell('touch plain')] }, unagreed: true, scope: 'project' };
    case 'work':
      return {
        policy: SAFE,
        files: { 'project/.env': `TOKEN=${SECRET}\n`, 'project/.gitignore': '.env\n' },
        scenarios: {
          main: [
            shell('git log --format=%s -1'),
            [write('made.txt', 'written')],
            shell('git add made.txt && git commit -q -m "The second commit"'),
            shell('cat .env'),
            shell('git push origin main; mkdir pushed'),
          ],
        },
      };
    case 'unasked agent':
      return {
        policy: 'version: 1\ndefault: allow\nask: [Bash(mkfifo *)]\ndeny: [Bash(touch *)]\n',
        scenarios: {
          main: unaskedAgent === undefined ? [] : [[unaskedAgent('child')]],
          child: [shell('mkdir made'), ...LEFT_OUT.map(shell)],
        },
      };
    case 'bypass':
    case 'edits':
    case 'plan':
    case 'auto':
    case 'never':
      return {
        policy: ASKING,
        mode: name,
        scenarios: { main: LEFT_OUT.map(shell) },
      };
    case 'skill':
      return {
        policy: 'version: 1\ndefault: allow\ndeny: [Bash(touch *)]\n',
        files: {
          'project/.claude/skills/denied/SKILL.md': SKILL('touch plain'),
          'project/.claude/skills/allowed/SKILL.md': SKILL('mkdir made'),
        },
        scenarios: { main: skill === undefined ? [] : [[skill('denied')], [skill('allowed')]] },
      };
    case 'skill line':
      return {
        policy: 'version: 1\ndefault: allow\nask: [Bash(mkfifo *)]\ndeny: [Bash(touch *)]\n',
        files: {
          'project/.claude/skills/denied/SKILL.md': SKILL('touch plain'),
          'project/.claude/skills/asking/SKILL.md': SKILL('mkfifo question'),
          'project/.claude/skills/allowed/SKILL.md': SKILL('mkdir made'),
        },
        settings: onlyLines,
        scenarios: { main: skill === undefined ? [] : ['denied', 'asking', 'allowed'].map((name) => [skill(name)]) },
      };
    case 'skill files':
      return {
        policy: 'version: 1\ndefault: allow\nask: [Bash(mkfifo *)]\n',
        files: {
          'project/.env': `TOKEN=${SECRET}\n`,
          'project/.claude/skills/reading/SKILL.md': skillOf('See @.env.'),
          'project/.claude/skills/plain/SKILL.md': skillOf('Greet.'),
          'project/.claude/skills/tools/SKILL.md': skillOf('Greet.', 'allowed-tools: Bash\n'),
        },
        scenarios: {
          main:
            skill === undefined
              ? []
              : [
                  [skill('reading')],
                  [skill('plain', 'the person of @.env')],
                  [skill('tools')],
                  shell('mkfifo question'),
                  shell('mkdir made'),
                ],
        },
      };
    case 'agent skills':
      return {
        policy: 'version: 1\ndefault: allow\ndeny: [Bash(touch *)]\n',
        files: {
          'project/.claude/skills/denied/SKILL.md': SKILL('touch plain'),
          'project/.claude/skills/allowed/SKILL.md': SKILL('mkdir made'),
          'project/.claude/agents/one.md': '---\nname: one\ndescription: d\nskills: denied\n---\nLook.\n',
          'project/.claude/agents/two.md': '---\nname: two\ndescription: d\nskills: [allowed]\n---\nLook.\n',
        },
        scenarios: { main: ['one', 'two'].map((name) => [agentOf(name)]), child: [] },
      };
    case 'typed skill':
      return {
        policy: 'version: 1\ndefault: allow\ndeny: [Bash(touch *)]\n',
        files: {
          'project/.claude/skills/denied/SKILL.md': SKILL('touch plain'),
          'project/.claude/skills/allowed/SKILL.md': SKILL('mkdir made'),
        },
        prompts: { main: '/denied SCENARIO:main', later: '/allowed SCENARIO:later' },
        scenarios: { main: [], later: [] },
      };
    case 'patch':
      return {
        policy: 'version: 1\ndefault: allow\n',
        scenarios: {
          main: [
            shell(patchLine('*** Add File: .git/hooks/pre-commit\n+#!/bin/sh')),
            shell(`cd . && ${patchLine('*** Add File: .codex/config.toml\n+approval_policy = "never"')}`),
            shell(patchLine('*** Update File: README.md\n@@\n-hello\n+changed')),
          ],
        },
      };
    case 'secrets':
      return secrets(client);
    case 'refused':
      return {
        policy: ASKING,
        scenarios: {
          main: [[agent('one')], [agent('two')], shell('mkdir made')],
          one: [shell('sleep 1')],
          two: [shell('sleep 1')],
        },
      };
    case 'mcp':
    case 'gateway':
    case 'wrapped':
      return {
        policy: 'version: 1\ndefault: allow\ndeny: [mcp__probe__touch]\n',
        withServer: name,
        scenarios: { main: [[mcp('touch', { name: 'plain' })], [mcp('make', { name: 'made' })]] },
      };
    case 'upgrade':
      return {
        scenarios: {
          main: [shell('touch plain'), shell('mkdir made')],
          later: [shell('touch later'), shell('mkdir settled')],
          alone,
        },
        upgraded: true,
      };
    case 'sandbox':
      return {
        sandbox: true,
        files: {
          'project/reach.cjs': REACH,
          '.ssh/id_test': `${SECRET}\n`,
          '.netrc': `machine localhost password ${SECRET}\n`,
          '.gnupg/key': `${SECRET}\n`,
        },
        scenarios: {
          main: [shell('touch plain'), shell('node reach.cjs'), shell('mkdir made')],
          alone: [shell('node reach.cjs alone.txt')],
        },
      };
    case 'everyday node':
    case 'everyday python':
    case 'everyday go':
      return everyday(name.slice('everyday '.length) as Stack, shell);
    case 'noise':
      return { scenarios: { main: [shell('mkdir made')] }, settings: noisyHook };
  }
}

/** Lines of the files in which a project keeps its secrets. */
const KEPT = `TOKEN=${SECRET}\nOTHER=1\n`;

/** Edits everywhere are allowed, and yet none of a secret file, which runners start with and which an edit would show. */
function secrets({ shell, write, edit, changes }: Client): Session {
  const calls = [
    edit?.('a.txt', 'one', 'two') ?? write('new.txt', 'two'),
    ...['.env', 'prod.env'].flatMap((name) =>
      [edit?.(name, 'OTHER=1', 'OTHER=2') ?? [], write(name, 'QWEN_CODE_SIMPLE=1')].flat(),
    ),
    ...['.env', 'prod.env'].flatMap((name) => [changes?.move(name) ?? [], changes?.remove(name) ?? []].flat()),
    ...[shell(': > .env'), shell('cp a.txt prod.env')],
  ].flat();
  return {
    policy: 'version: 1\npreset: safe\nallow: ["Edit(./**)"]\n',
    files: { 'project/.env': KEPT, 'project/prod.env': KEPT, 'project/a.txt': 'one\n' },
    scenarios: { main: calls.map((one) => [one]) },
  };
}

/** What of the secret files is not as it was. */
export function changedSecrets(text: (name: string) => string | null): readonly string[] {
  return ['.env', 'prod.env'].filter((name) => text(name) !== KEPT);
}

/** The person's own settings allow nothing: what runs unasked, the hook let run. */
function everyday(stack: Stack, shell: (line: string) => readonly ModelCall[]): Session {
  return {
    policy: 'init',
    mode: 'asks',
    files: everydayFiles(stack),
    settings: (text) => text.replace(/"permissions"\s*:\s*\{[^}]*\},?/, ''),
    scenarios: { main: everydayLines(stack).map(shell) },
  };
}

/** The node of the installed line becomes a script that fails in the way that the call names. */
function brokenNode(text: string, base: string): string {
  const cases = Object.entries(BROKEN).map(([made, script]) => `*"mkdir ${made}"*) ${script};;`);
  const file = script(base, 'broken-node', `payload=$(cat)\ncase $payload in ${cases.join(' ')} *) exit 1;; esac`);
  return text.replaceAll(realpathSync(process.execPath), file);
}

/** A hook of our own making, to see what the client itself makes of exit code 2 with a text on both channels. */
function noisyHook(text: string, base: string): string {
  const file = script(base, 'noisy-hook', 'cat >/dev/null; echo welcome; echo no >&2; exit 2');
  // OpenCode's plugin starts one line for all that it asks.
  if (!text.startsWith('{')) return text.replace(/^const command = .*$/m, `const command = ${JSON.stringify(file)};`);
  const settings = JSON.parse(text.replace(/^\s*\/\/.*$/gm, '').replace(/,(\s*\})/g, '$1')) as {
    hooks: Record<string, unknown[]>;
  };
  // Only before a call: at the end of a turn the same would mean "go on".
  for (const name of ['PreToolUse', 'BeforeTool', 'preToolUse'])
    settings.hooks[name] = (settings.hooks[name] ?? []).map((entry) => withCommand(entry, file));
  return JSON.stringify(settings);
}

/** Without the hooks that judge a skill before it is loaded. */
function onlyLines(text: string): string {
  const settings = JSON.parse(text) as { hooks: Record<string, unknown> };
  const { PreToolUse, UserPromptExpansion, ...hooks } = settings.hooks;
  return JSON.stringify({ ...settings, hooks });
}

/** Every command in an entry replaced; Copilot CLI calls it `bash`. */
function withCommand(entry: unknown, file: string): unknown {
  const text = JSON.stringify(entry, (name, value: unknown) =>
    name === 'command' || name === 'bash' ? file : name === 'onFailure' ? undefined : value,
  );
  return JSON.parse(text) as unknown;
}

function script(base: string, name: string, lines: string): string {
  const file = join(base, name);
  writeFileSync(file, `#!/bin/sh\n${lines}\n`, { mode: 0o755 });
  return file;
}
