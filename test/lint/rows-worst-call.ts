// The worst calls of rules with a wildcard. Tried with Claude Code 2.1.197 and 2.1.332, the rules in the person's settings: both ran
// `git log --output=F`, `git push -f` and `git push origin main --force` beside a rule against `git push --force:*`, `rg --pre=sh x`
// and `kubectl delete x` without a question, and neither ran `git log --pretty=x` beside a rule against `git log* --pretty*`.
import { SETTINGS } from './hook-texts.js';
import { CLAUDE, definition, POLICY, policyText, type Row, row } from './linted.js';

const RULE = 'permissions/worst-call';

function settings(say: string, allow: readonly string[], deny: readonly string[], ...places: readonly string[]): Row {
  const shell = (rules: readonly string[]) => JSON.stringify(rules.map((rule) => `Bash(${rule})`));
  return row(RULE, say, SETTINGS, `{"permissions": {"deny": ${shell(deny)},\n"allow": ${shell(allow)}}}`, ...places);
}

export const worstCallRows: readonly Row[] = [
  settings('a file that git log writes', ['git log *'], [], '2:12-2:27 info'),
  settings('the same behind an option', ['git diff --stat:*'], [], '2:12-2:35 info'),
  settings('denied as the finding says', ['git log *', 'git diff:*'], ['git log* --output*', 'git diff* --output*']),
  settings(
    'a value in the next word is not denied',
    ['git log:*'],
    ['git log --output=*', 'git log * --output=*'],
    '2:12-2:27 warning',
  ),
  settings('another spelling of --force', ['git push:*'], ['git push --force*'], '2:12-2:28 warning'),
  settings('--force behind the branch', ['git push:*'], ['git push -f:*', 'git push --force:*'], '2:12-2:28 warning'),
  settings('a remote that the rule has', ['git push -u origin:*'], [], '2:12-2:38 warning'),
  settings('another spelling of --no-verify', ['git commit:*'], ['git commit --no-verify:*'], '2:12-2:30 warning'),
  settings('both spellings', ['git commit:*'], ['git commit* --no-verify*', 'git commit* -n*']),
  row(
    'permissions/interpreter-wildcard',
    'an MCP tool beside it',
    SETTINGS,
    '{"permissions": {"allow": ["mcp__a__b",\n"Bash(pnpm:*)"]}}',
    '2:2-2:14 error',
  ),
  row(RULE, 'files may be written anyway', SETTINGS, '{"permissions": {"allow": ["Edit",\n"Bash(git log:*)"]}}'),
  settings('pushing is asked about', ['git push:*'], ['git push *']),
  settings('a program that rg starts', ['rg:*'], [], '2:12-2:22 info'),
  settings('settings that name a program', ['git config:*'], [], '2:12-2:30 warning'),
  settings('a setting without an option', ['git config:*'], ['git config* --ad*', 'git config* --rep*'], '2:12-2:30 warning'),
  settings('options of find that the client asks about itself', ['find:*'], []),
  row(RULE, 'beside a rule for every command', SETTINGS, '{"permissions": {"allow": ["Bash", "Bash(git log:*)"]}}'),
  settings('reading settings', ['git config --get user.name'], []),
  settings(
    'the cluster',
    ['kubectl delete:*', 'kubectl patch:*', 'kubectl drain x:*'],
    [],
    '2:12-2:34 warning',
    '2:37-2:58 warning',
    '2:61-2:84 warning',
  ),
  settings('what runs', ['terraform apply:*', 'helm upgrade:*'], [], '2:12-2:35 warning', '2:38-2:58 warning'),
  settings('a trial run of it', ['helm upgrade --dry-run:*'], []),
  settings('commands that only read', ['git status:*', 'ls:*', 'cat:*', 'grep:*', 'head:*', 'command -v:*', 'gh pr view:*'], []),
  settings('commands that run the project', ['npm test:*', 'npm run build:*', 'go test:*', 'cargo test:*', 'make test:*'], []),
  settings('one call', ['git log --oneline'], []),
  settings('told by another rule', ['git push --force:*', 'git reset:*'], []),
  row('permissions/interpreter-wildcard', 'looking a program up', SETTINGS, '{"permissions": {"allow": ["Bash(command -v:*)"]}}'),
  row(
    RULE,
    'a rule of Codex',
    '.codex/rules/default.rules',
    'prefix_rule(pattern = ["git", ["log", "status"]], decision = "allow")\n',
    '1:23-1:49 info',
  ),
  row(RULE, 'OpenCode may edit', 'opencode.json', '{"permission": {"bash": {"*": "ask", "git show *": "allow"}}}'),
  row(
    RULE,
    'OpenCode is asked about edits',
    'opencode.json',
    '{"permission": {"edit": "ask", "bash": {"*": "ask", "git show *": "allow"}}}',
    '1:54-1:64 info',
  ),
  // In a policy, the wildcard stands for no option that writes, and none that forces.
  row(
    RULE,
    'a policy that allows what it says',
    POLICY,
    policyText('allow: ["Bash(git log *)", "Bash(git push *)", "Bash(rg *)"]'),
  ),
  row(
    RULE,
    'a policy that lets the cluster be changed',
    POLICY,
    policyText('allow: ["Bash(kubectl delete *)"]'),
    '2:10-2:32 warning',
  ),
  row(RULE, 'a policy that asks about it', POLICY, policyText('allow: ["Bash(kubectl *)"]', 'ask: ["Bash(kubectl delete *)"]')),
  row(RULE, 'a definition', CLAUDE, definition('allow: ["Bash(git log *)"]')),
];
