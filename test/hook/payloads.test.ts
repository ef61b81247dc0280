/** Every recorded payload of Claude Code through the hook: what the runner is told. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { verdictOf, withHookWorld } from './world.js';

const FOLDER = 'test/fixtures/payloads/claude-code';

const POLICY = `version: 1
preset: safe
allow: [Edit(/src/**), 'WebFetch(domain:example.com)', Agent(reviewer), Skill(demo), mcp__probe__echo]
ask: [WebSearch]
deny: [CronCreate, 'Bash(touch *)']
`;
const REVIEWER = `---
name: reviewer
description: Reads and reports.
tools: Read, Grep, Bash(git diff:*)
---
Review.
`;

/** By payload; `allow` is the runner's own allow, `silence` no objection. */
const EXPECTED: Readonly<Record<string, string>> = {
  'main.PreToolUse.Bash': 'allow', // git status
  'main.PreToolUse.Bash.2': 'ask', // git status; rm -rf x
  'main.PreToolUse.Bash.3': 'deny', // touch RAN && echo done
  'main.PreToolUse.Bash.4': 'allow', // false
  'main.PreToolUse.Bash.5': 'allow', // sleep 1, in the background
  'main.PreToolUse.CronCreate': 'deny',
  'main.PreToolUse.Edit': 'allow', // README.md
  'main.PreToolUse.EnterWorktree': 'ask',
  'main.PreToolUse.Monitor': 'allow', // echo x
  'main.PreToolUse.Read': 'allow',
  'main.PreToolUse.Read.2': 'allow',
  'main.PreToolUse.Read.3': 'ask', // ~/.claude.json, outside the project
  'main.PreToolUse.Read.4': 'allow',
  'main.PreToolUse.Read.5': 'allow', // a file that is not there
  'main.PreToolUse.Skill': 'allow',
  'main.PreToolUse.StructuredOutput': 'silence',
  'main.PreToolUse.TaskCreate': 'silence',
  'main.PreToolUse.TaskUpdate': 'silence',
  'main.PreToolUse.ToolSearch': 'silence',
  'main.PreToolUse.WebFetch': 'ask', // http://127.0.0.1:9/x
  'main.PreToolUse.WebSearch': 'ask',
  'main.PreToolUse.Write': 'allow', // src/new.txt
  'main.PreToolUse.mcp__probe__danger_delete': 'deny', // /etc/passwd, which no tool may delete
  'main.PreToolUse.mcp__probe__echo': 'allow',
  // touch: denied whoever loads the skill
  'main-2.1.332.PreSkillShellCommand.agent': 'deny',
  'main-2.1.332.PreSkillShellCommand.model': 'deny',
  'main-2.1.332.PreSkillShellCommand.typed': 'deny',
  'subagent.PreToolUse.Agent': 'allow', // reviewer
  'subagent.PreToolUse.Agent.2': 'allow',
  'subagent.PreToolUse.Agent.3': 'silence', // general-purpose, whose calls are judged one by one
  'subagent.PreToolUse.Agent.4': 'allow',
  'subagent.PreToolUse.Agent.subagent': 'allow', // general-purpose starts reviewer
  'subagent.PreToolUse.Bash.subagent': 'deny', // reviewer: touch SUB && echo s
  'subagent.PreToolUse.Bash.subagent.2': 'deny',
  'subagent.PreToolUse.Bash.subagent.3': 'allow', // general-purpose: echo nest
  'subagent.PreToolUse.Bash.subagent.4': 'deny',
  'subagent.PreToolUse.Bash.subagent.5': 'deny', // reviewer: sleep 1; touch SUBBG
  'subagent.PreToolUse.Read.subagent': 'allow', // reviewer
  'subagent.PreToolUse.Read.subagent.2': 'allow',
  'subagent.PreToolUse.Read.subagent.3': 'allow',
};

/** Both versions of the client write the same calls. */
function expected(name: string): string | undefined {
  if (/PreToolUse|PreSkillShell/.test(name)) return EXPECTED[name.replace('subagent-2.1.197.', 'subagent.')];
  return 'silence';
}

for (const file of readdirSync(FOLDER)) {
  const name = file.replace(/\.json$/, '');
  test(`${name}: ${expected(name)}`, () => {
    const files = {
      '.config/policy/policy.yaml': POLICY,
      'project/.claude/agents/reviewer.md': REVIEWER,
      'project/.claude/skills/demo/SKILL.md': '---\nname: demo\ndescription: d\n---\nSay hello.\n',
    };
    withHookWorld(files, (world) => {
      const text = readFileSync(join(FOLDER, file), 'utf8')
        .replaceAll('/home/user/project', world.project)
        .replaceAll('/home/user', world.home);
      const output = world.run(text);
      assert.is(verdictOf(output), expected(name), output.stderr || output.stdout);
    });
  });
}

test('a line of a skill that is asked about runs only where a person typed the name', () => {
  withHookWorld({ '.config/policy/policy.yaml': "version: 1\ndefault: allow\nask: ['Bash(touch *)']\n" }, (world) => {
    for (const [by, verdict] of [
      ['typed', 'silence'],
      ['model', 'deny'],
      ['agent', 'deny'],
    ] as const) {
      const text = readFileSync(join(FOLDER, `main-2.1.332.PreSkillShellCommand.${by}.json`), 'utf8');
      assert.is(verdictOf(world.run(text.replaceAll('/home/user/project', world.project))), verdict, by);
    }
  });
});

test.run();
