/** Agents cannot change what they may do: this program's own commands are denied to them, however they are spelt. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { decideIn } from '../world.js';

const EVERYTHING = { allow: ['Bash(*)'], policy: { onAsk: 'allow' as const } };

const denied: readonly string[] = [
  'policy trust',
  'policy trust --yes',
  'policy trust --yes --show',
  'Policy trust',
  'POLICY trust --yes',
  'policy.cmd trust --yes',
  'policy trust --show --yes',
  'policy init',
  'policy init --yes',
  "policy allow 'Bash(*)' --yes",
  'policy deny Read',
  'policy ask Read',
  "policy remove 'Bash(git push *)'",
  'npx policy remove Read --yes',
  'policy install claude-code',
  'policy uninstall claude-code',
  'policy observe on',
  'policy observe on --yes',
  'policy observe off',
  'policy observe',
  'policy observe "$WHAT"',
  'policy observe on --dry-run',
  'policy observe status --yes on',
  'echo on | xargs policy observe',
  'npx agent-policy observe on --yes',
  'node bin/policy.js observe on --yes',
  "bash -c 'policy observe on --yes'",
  'policy mcp pin --server files -- npx files',
  'policy mcp pin --yes --url http://127.0.0.1/mcp',
  'policy mcp --server files pin --yes -- npx files',
  'policy mcp "$ACTION" -- npx files',
  'policy mcp install claude-code --yes',
  'npx policy mcp uninstall --all --yes',
  'node bin/policy.js mcp pin -- npx files',
  'npx agent-policy -- mcp pin',
  'echo pin | xargs policy mcp',
  'policy log seal',
  'policy log prune --before 2026-01-01',
  '/usr/local/bin/policy trust --yes',
  './node_modules/.bin/policy trust --yes',
  'npx policy allow Bash',
  'npx agent-policy trust --yes',
  'npx --yes agent-policy@latest trust --yes',
  'npx -p agent-policy policy trust --yes',
  'npm exec policy -- trust --yes',
  'npm exec -- policy trust --yes',
  'pnpm exec policy trust --yes',
  'pnpm dlx agent-policy@0.1.0 trust --yes',
  'yarn policy trust --yes',
  'bunx agent-policy trust --yes',
  'node bin/policy.js trust --yes',
  'node /x/bin/policy.js trust',
  'node dist/policy.js allow Read',
  'node --no-warnings -r ./x.cjs dist/policy.js trust --yes',
  'env -u CLAUDECODE policy trust --yes',
  'HOME=/tmp policy trust --yes',
  'exec policy trust --yes',
  'command policy trust --yes',
  'timeout 5 policy trust --yes',
  'nohup policy trust --yes &',
  'setsid policy trust --yes',
  'sudo policy trust --yes',
  'sh -c "policy trust --yes"',
  "bash -lc 'cd /repo && policy trust --yes'",
  'eval "policy trust --yes"',
  'xargs policy trust',
  'echo trust --yes | xargs policy',
  'echo seal | xargs policy log',
  'find . -name x -exec policy allow {} +',
  '"policy" trust',
  'p\'\'olicy tr"ust" --yes',
  '\\policy trust',
  'policy $COMMAND --yes',
  'policy "$(echo trust)" --yes',
  'policy log "$ACTION"',
  'echo y | policy trust',
  'policy check Read x; policy trust --yes',
  'true && (policy trust --yes)',
  'echo $(policy trust --yes)',
  'if true; then policy trust --yes; fi',
];
for (const line of denied)
  test(`denied also under Bash(*): ${line}`, () => {
    const decision = decideIn(EVERYTHING, 'Bash', line);
    assert.is(decision.decision, 'deny');
    assert.ok(
      decision.reasons.some(({ code }) => code === 'builtin/own-commands'),
      JSON.stringify(decision.reasons),
    );
  });

const fine: readonly string[] = [
  'policy check Bash "policy trust"',
  'policy trust --show',
  'policy init --help',
  'policy observe status',
  'policy observe --help',
  'policy mcp diff --server files -- npx files',
  'policy mcp inspect -- npx pin',
  'policy mcp gateway --server "$NAME" -- npx files',
  'policy mcp pin --help',
  'policy mcp serve',
  'policy help observe',
  'policy help trust',
  'policy lint',
  'policy log tail',
  'policy agents list',
  'policy',
  'npx agent-policy check Read x',
  'node bin/policy.js check Read trust',
  'grep policy trust',
  'cat policy trust',
  'git add policy init',
  'node build.js init',
  'npm init',
  'npm install policy',
  'npx create-thing init',
];
for (const line of fine)
  test(`none of its business: ${line}`, () => {
    const { reasons } = decideIn(EVERYTHING, 'Bash', line);
    assert.not.ok(reasons.some(({ code }) => code === 'builtin/own-commands'));
  });

test('the denial says who may run it', () => {
  assert.is(
    decideIn(EVERYTHING, 'Bash', 'policy trust --yes').message,
    'policy trust changes what agents may do; only a person may run it, in their own terminal',
  );
});

test.run();
