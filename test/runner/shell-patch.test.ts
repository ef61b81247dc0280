/** Codex applies a patch in a shell line by itself: such a line is judged as the edits that it makes. */
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { runnerNamed } from '../../src/runner/runners.js';
import { withHookWorld } from '../hook/world.js';

const PATCH = '*** Begin Patch\n*** Add File: made.txt\n+x\n*** End Patch';
const payload = (command: string, cwd = '/home/user/project') => ({
  ...{ session_id: 's', turn_id: 't', cwd, hook_event_name: 'PreToolUse', model: 'm', permission_mode: 'default' },
  ...{ tool_name: 'Bash', tool_input: { command }, tool_use_id: 'u' },
});

/** The tool, the folder and the patch that a line is read as; null: it stays a line. */
type Row = readonly [why: string, command: string, cwd: string | null, patch?: string];
const ROWS: readonly Row[] = [
  ['quoted', `apply_patch <<'EOF'\n${PATCH}\nEOF`, '/home/user/project'],
  ['double quotes', `apply_patch <<"PATCH"\n${PATCH}\nPATCH\n`, '/home/user/project'],
  ['no quotes, nothing to expand', `apply_patch <<EOF\n${PATCH}\nEOF`, '/home/user/project'],
  ['the other name', `applypatch << 'EOF'\n${PATCH}\nEOF`, '/home/user/project'],
  ['in a folder', `cd packages/a && apply_patch <<'EOF'\n${PATCH}\nEOF`, '/home/user/project/packages/a'],
  ['in a folder outside', `cd '/etc' && apply_patch <<'EOF'\n${PATCH}\nEOF`, '/etc'],
  ['out of the project', `cd ../other && apply_patch <<'EOF'\n${PATCH}\nEOF`, '/home/user/other'],
  ['a command behind it', `apply_patch <<'EOF'\n${PATCH}\nEOF\nrm -rf x`, null],
  ['a command on its line', `apply_patch <<'EOF' && rm -rf x\n${PATCH}\nEOF`, null],
  ['a command before it', `ls; apply_patch <<'EOF'\n${PATCH}\nEOF`, null],
  ['an expansion', `apply_patch <<EOF\n${PATCH.replace('+x', '+$(id)')}\nEOF`, null],
  ['a folder that the shell expands', `cd $HOME && apply_patch <<'EOF'\n${PATCH}\nEOF`, null],
  ['the home folder', `cd ~ && apply_patch <<'EOF'\n${PATCH}\nEOF`, null],
  ['no end', `apply_patch <<'EOF'\n${PATCH}\n`, null],
  ['no patch', "apply_patch <<'EOF'\nhello\nEOF", null],
  ['an argument', `apply_patch '${PATCH}'`, null],
];

for (const [why, command, cwd] of ROWS)
  test(`${why}: ${JSON.stringify(command.slice(0, 48))} is ${cwd === null ? 'a shell line' : `a patch in ${cwd}`}`, () => {
    const event = runnerNamed('codex')?.parse(payload(command), 'bash');
    if (event?.kind !== 'before-call') throw new Error('it is not read');
    assert.is(event.call.tool, cwd === null ? 'Bash' : 'apply_patch');
    if (cwd === null) return;
    assert.is(event.call.cwd, cwd);
    assert.is(event.call.input.command, `${PATCH}\n`);
  });

const patchOf = (header: string) => `apply_patch <<'EOF'\n*** Begin Patch\n*** ${header}\n+x\n*** End Patch\nEOF`;
const JUDGED: readonly (readonly [line: string, exit: 0 | 2, why: string])[] = [
  [patchOf('Add File: made.txt'), 0, 'an ordinary file of the project'],
  [`cd src && ${patchOf('Add File: made.txt')}`, 0, 'in a folder of the project'],
  [patchOf('Add File: .git/hooks/pre-commit'), 2, 'a hook of git'],
  [patchOf('Add File: .codex/config.toml'), 2, 'the settings of the runner'],
  [`cd .git && ${patchOf('Add File: hooks/pre-commit')}`, 2, 'a hook of git, from its folder'],
  [patchOf('Add File: .git/hooks/pre-commit').replace(' <<', '  -v <<'), 2, 'a form that is not known'],
  [`ls; ${patchOf('Add File: made.txt')}`, 2, 'within a longer line'],
  ["echo 'apply_patch'", 0, 'only the name'],
];

for (const [line, exit, why] of JUDGED)
  for (const policy of [
    'version: 1\ndefault: allow\n',
    "version: 1\npreset: safe\nallow: ['Bash(apply_patch *)', 'Bash(ls *)', 'Bash(ls)']\n",
  ])
    test(`codex, ${why}: ${exit === 0 ? 'not denied' : 'denied'} under ${JSON.stringify(policy.slice(11, 30))}`, () => {
      withHookWorld({ '.config/policy/policy.yaml': policy }, (world) => {
        const output = world.run(JSON.stringify(payload(line, world.project)), { words: ['codex'] });
        assert.is(output.exitCode, exit, output.stderr);
      });
    });

test('codex, a file outside the project: denied, also as the first call of a session', () => {
  withHookWorld({ '.config/policy/policy.yaml': 'version: 1\npreset: safe\n' }, (world) => {
    const line = `cd / && ${patchOf('Add File: etc/made')}`;
    assert.is(world.run(JSON.stringify(payload(line, world.project)), { words: ['codex'] }).exitCode, 2);
  });
});

test.run();
