/** Protected and secret paths: the lists of rules/, compiled. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { protectedPath, secretPath } from '../../../src/decide/place/sensitive-paths.js';
import { data } from '../../../src/generated/data.js';
import { validateBuiltinDenials } from '../../../src/generated/validators/builtin-denials.js';
import { validateEnvironment } from '../../../src/generated/validators/environment.js';
import { validateFilterWords } from '../../../src/generated/validators/filter-words.js';
import { validateFoundNames } from '../../../src/generated/validators/found-names.js';
import { validateGitHazards } from '../../../src/generated/validators/git-hazards.js';
import { validateKeystrokes } from '../../../src/generated/validators/keystrokes.js';
import { validateSecretTakers } from '../../../src/generated/validators/secret-takers.js';
import { validateSensitivePaths } from '../../../src/generated/validators/sensitive-paths.js';

const home = '/home/me';
const own = ['/home/me/.config/policy'];

const writes: readonly (readonly [string, 'deny' | 'ask' | null])[] = [
  ['/repo/.git/config', 'deny'],
  ['/repo/.git', 'deny'],
  ['/repo/a/.git/objects/x', 'deny'],
  ['repo\\.git\\config', 'deny'],
  ['/repo/./.git//x', 'deny'],
  ['/repo/.GIT/config', 'deny'],
  ['/repo/.husky/pre-commit', 'deny'],
  ['/repo/node_modules/x/index.js', 'deny'],
  ['/repo/policy.yaml', 'deny'],
  ['/repo/policy.exceptions.yaml', 'deny'],
  ['/repo/packages/a/policy.toml', 'deny'],
  ['/repo/.claude/settings.local.json', 'deny'],
  ['/repo/.codex/config.toml', 'deny'],
  ['/home/me/.bashrc', 'deny'],
  ['/home/me/.claude/projects/x.jsonl', 'deny'],
  ['/home/me/.ssh/config', 'deny'],
  ['/home/me/.config/policy/policy.yaml', 'deny'],
  ['/etc/policy/policy.yaml', 'deny'],
  ['/repo/.claude/agents/x.md', 'ask'],
  ['/repo/.mcp.json', 'ask'],
  ['/repo/.cursor/mcp.json', 'ask'],
  ['/repo/.github/mcp.json', 'ask'],
  ['/repo/.cursor/environment.json', 'ask'],
  ['/repo/.cursor/permissions.json', 'deny'],
  ['/repo/a/x.code-workspace', 'ask'],
  ['/repo/.agents/skills/x/SKILL.md', 'ask'],
  ['/repo/lefthook.yml', 'ask'],
  ['/repo/.gemini/.env', 'deny'],
  ['/repo/.opencode/tool/x.ts', 'deny'],
  ['/repo/.github/workflows/ci.yml', 'ask'],
  ['/repo/.npmrc', 'ask'],
  ['/repo/.lfsconfig', 'ask'],
  ['/repo/.env', 'ask'],
  ['/repo/web/prod.env', 'ask'],
  ['/repo/.env.example', null],
  ['/repo/foo.git/x', null],
  ['/repo/src/a.ts', null],
  ['/repo/.gitignore', null],
  ['/repo/docs/policy.md', null],
  ['/repo/.bashrc.d/x', null],
];

for (const [path, effect] of writes) {
  test(`writing ${path} is ${effect ?? 'not protected'}`, () => {
    assert.is(protectedPath(path, home, own)?.effect ?? null, effect);
  });
}

const reads: readonly (readonly [string, boolean])[] = [
  ['/repo/.env', true],
  ['/repo/.env.local', true],
  ['/repo/.env.production', true],
  ['/repo/.envrc', true],
  ['/repo/web/.envrc', true],
  ['/repo/.env-staging', true],
  ['/repo/.envs/.local/.django', true],
  ['/repo/.ENVRC', true],
  ['/repo/.envrc.example', false],
  ['/repo/env.ts', false],
  ['/repo/src/envrc', false],
  ['/repo/src/.en', false],
  ['/repo/.ENV', true],
  ['/repo/prod.env', true],
  ['/repo/.env.example', false],
  ['/repo/.env.sample', false],
  ['/repo/.env.template', false],
  ['/repo/.env.dist', false],
  ['/repo/id_rsa', true],
  ['/home/me/.ssh/id_ed25519', true],
  ['/home/me/.ssh/id_ed25519.pub', false],
  ['/home/me/.ssh/known_hosts', false],
  ['/repo/tls/server.pem', true],
  ['/repo/tls/server.key', true],
  ['/home/me/.aws/credentials', true],
  ['/home/me/.config/gh/hosts.yml', true],
  ['/proc/self/environ', true],
  ['/proc/1/environ', true],
  ['/repo/src/environment.ts', false],
  ['/repo/src/keys.ts', false],
  ['/repo/.npmrc', true],
  ['/repo/package.json', false],
  ['/etc/shadow', true],
];

for (const [path, secret] of reads) {
  test(`reading ${path} ${secret ? 'meets a secret' : 'is no secret'}`, () => {
    assert.is(secretPath(path, home) !== null, secret);
  });
}

test('the data files are what their schemas say', () => {
  assert.ok(validateBuiltinDenials(data('builtin-denials')), JSON.stringify(validateBuiltinDenials.errors));
  assert.ok(validateSensitivePaths(data('protected')), JSON.stringify(validateSensitivePaths.errors));
  assert.ok(validateSensitivePaths(data('secrets')), JSON.stringify(validateSensitivePaths.errors));
  assert.ok(validateGitHazards(data('git-hazards')), JSON.stringify(validateGitHazards.errors));
  assert.ok(validateEnvironment(data('environment')), JSON.stringify(validateEnvironment.errors));
  assert.ok(validateFilterWords(data('filter-words')), JSON.stringify(validateFilterWords.errors));
  assert.ok(validateKeystrokes(data('keystrokes')), JSON.stringify(validateKeystrokes.errors));
  assert.ok(validateFoundNames(data('found-names')), JSON.stringify(validateFoundNames.errors));
  assert.ok(validateSecretTakers(data('secret-takers')), JSON.stringify(validateSecretTakers.errors));
});

test.run();
