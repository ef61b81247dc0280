/** A newer version for Codex: at no moment between its installation and the last one is a hook taken out that a person trusted and that runs. */
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { test } from 'uvu';
import * as assert from 'uvu/assert';
import { codexStanding, readCodexTrust } from '../../../src/install/codex-trust.js';
import { planInstall } from '../../../src/install/install.js';
import { withoutJsonHooks } from '../../../src/install/json-hooks.js';
import { isHookLine } from '../../../src/install/own-hook.js';
import { hookCommandLine } from '../../../src/runner/hook/command-line.js';
import type { Runner } from '../../../src/runner/hook/runner.js';
import { runnerNamed } from '../../../src/runner/runners.js';
import { scratch } from '../../cli/spawned.js';

const codex = runnerNamed('codex') as Runner;

interface Group {
  readonly hooks: readonly { readonly command: string; readonly timeout?: number }[];
}
type Hooks = Readonly<Record<string, readonly Group[]>>;

/** The line of a version. */
function line(version: string): string {
  const places = { home: '/h', project: null, configDirectory: '/c', stateDirectory: '/s', shell: null };
  return hookCommandLine({ runner: 'codex', platform: 'linux', node: '/n', hook: `/v/${version}/hook.cjs`, ...places }) ?? '';
}

function codexHome(foreign?: Hooks) {
  const home = scratch({});
  const file = join(home, '.codex/hooks.json');
  const places = { home, project: join(home, 'project'), machine: '', environment: {} };
  mkdirSync(dirname(file));
  if (foreign !== undefined) writeFileSync(file, JSON.stringify({ hooks: foreign }, null, 2));
  let trusted = new Map<string, string>();
  const hooks = () => (JSON.parse(readFileSync(file, 'utf8')) as { hooks: Hooks }).hooks;
  return {
    install: (version: string) => {
      const { after } = planInstall(codex, 'user', places, line(version));
      writeFileSync(file, after ?? '');
    },
    /** As `/hooks` writes it, worked out here a second time. */
    trust: () => {
      trusted = hashes(file, hooks());
      const tables = [...trusted].map(([key, hash]) => `[hooks.state.${JSON.stringify(key)}]\ntrusted_hash = "${hash}"\n`);
      writeFileSync(join(home, '.codex/config.toml'), tables.join(''));
    },
    /** Who stands at an event: versions, `-` for a group without hooks, other commands as they are; `*`: Codex runs it. */
    at: (event: string) => {
      const now = hashes(file, hooks());
      return (hooks()[event] ?? []).map(({ hooks: handlers }, group) => {
        const [name] = handlers.map(({ command }) => /\/v\/(\w+)\//.exec(command)?.[1] ?? command);
        if (name === undefined) return '-';
        const key = `${file}:${event === 'Stop' ? 'stop' : 'pre_tool_use'}:${group}:0`;
        return trusted.get(key) === now.get(key) ? `${name}*` : name;
      });
    },
    standing: () => {
      const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
      return codexStanding({ file, text, scope: 'user' }, readCodexTrust(codex, places))?.kind ?? null;
    },
    text: () => readFileSync(file, 'utf8'),
  };
}

function hashes(file: string, hooks: Hooks): Map<string, string> {
  const entries = Object.entries(hooks).flatMap(([name, groups]) => {
    const event = name.replace(/(?<=[a-z])(?=[A-Z])/g, '_').toLowerCase();
    return groups.flatMap(({ hooks: handlers }, at) =>
      handlers.map(({ command, timeout = 600 }, nth): [string, string] => {
        const identity = { event_name: event, hooks: [{ async: false, command, timeout, type: 'command' }] };
        const hash = createHash('sha256').update(JSON.stringify(identity)).digest('hex');
        return [`${file}:${event}:${at}:${nth}`, `sha256:${hash}`];
      }),
    );
  });
  return new Map(entries);
}

/** [what is done, in words: a version is installed, `trust` is what a person does; who stands there then; what is said of it; why] */
const stories: readonly (readonly [steps: string, at: string, standing: string | null, why: string])[] = [
  ['a', 'a', 'open', 'nobody trusted it yet'],
  ['a trust', 'a*', null, 'as it is meant'],
  ['a b', 'b', 'open', 'nobody trusted the first one: nothing is lost'],
  ['a trust a', 'a*', null, 'nothing to do'],
  ['a trust b', 'a* b', 'former', 'the first one stays and is run'],
  ['a trust b b', 'a* b', 'former', 'nothing to do until a person does something'],
  ['a trust b trust', 'a* b*', 'both', 'both are run'],
  ['a trust b trust b', '- b*', null, 'the first one goes, and the second one keeps its place'],
  ['a trust b a', 'a*', null, 'back to the first one, which never went'],
  ['a trust b c', 'a* c', 'former', 'the second one was never run'],
  ['a trust b trust b c', 'c b*', 'former', 'a free place is taken'],
  ['a trust b trust b c trust c', 'c*', null, 'and what is behind it goes'],
  ['a trust b trust c', 'c b*', 'former', 'one of two that are run is enough'],
  ['a trust b trust c c', 'c b*', 'former', 'the place of a trusted hook is no trust'],
  ['a trust b trust c trust c', 'c*', null, 'and then goes, too'],
];
for (const [steps, at, standing, why] of stories)
  test(`${steps}: ${at} (${why})`, () => {
    const home = codexHome();
    for (const step of steps.split(' ')) step === 'trust' ? home.trust() : home.install(step);
    assert.is(home.at('PreToolUse').join(' '), at);
    assert.is(home.at('Stop').join(' '), at);
    assert.is(home.standing(), standing);
  });

const other = (command: string): Group => ({ hooks: [{ command, timeout: 5 }] });

test('hooks of somebody else keep their places, and with them the trust in them', () => {
  const home = codexHome({ PreToolUse: [other('x')] });
  home.install('a');
  const between = JSON.parse(home.text()) as { hooks: Record<string, Group[]> };
  between.hooks.PreToolUse?.push(other('y'));
  const again = codexHome(between.hooks);
  again.trust();
  again.install('b');
  assert.is(again.at('PreToolUse').join(' '), 'x* a* y* b');
  again.trust();
  again.install('b');
  assert.is(again.at('PreToolUse').join(' '), 'x* - y* b*');
  again.install('c');
  assert.is(again.at('PreToolUse').join(' '), 'x* c y* b*');
  assert.equal(JSON.parse(withoutJsonHooks(again.text(), true, isHookLine)), { hooks: { PreToolUse: [other('x'), other('y')] } });
});

test('the group that keeps a place is taken out with the hook', () => {
  const home = codexHome({ PreToolUse: [other('x')] });
  const before = home.text();
  for (const step of 'a trust b trust b'.split(' ')) step === 'trust' ? home.trust() : home.install(step);
  assert.is(home.at('PreToolUse').join(' '), 'x* - b*');
  assert.is(withoutJsonHooks(home.text(), true, isHookLine), before);
});

test('whatever is installed and trusted in whatever order: once a hook was run, one is run', () => {
  let seed = 7;
  const random = (most: number) => {
    seed = (seed * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((seed / 2_147_483_648) * most);
  };
  for (let round = 0; round < 60; round++) {
    const home = codexHome({ PreToolUse: [other('x')], Stop: [other('x')] });
    const steps = ['a', 'trust'];
    home.install('a');
    home.trust();
    for (let step = 0; step < 8; step++) {
      const next = ['a', 'b', 'c', 'd', 'trust', 'trust'][random(6)] ?? 'trust';
      steps.push(next);
      next === 'trust' ? home.trust() : home.install(next);
      for (const event of ['PreToolUse', 'Stop']) {
        const there = home.at(event);
        assert.is(there[0], 'x*', steps.join(' '));
        assert.ok(
          there.some((one) => /^[a-d]\*$/.test(one)),
          `${steps.join(' ')}: ${there.join(' ')}`,
        );
        assert.ok(there.length <= 3, `${steps.join(' ')}: ${there.join(' ')}`);
      }
    }
  }
});

test.run();
