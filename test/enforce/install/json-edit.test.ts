// Editing JSON settings at random: everything that is not ours stays, comments included, and taking out undoes putting in.
import * as fc from 'fast-check';
import { suite } from 'uvu';
import * as assert from 'uvu/assert';
import { canonical, isMap, JsonTextError, type JsonValue, readJsonText } from '../../../src/disk/json-text.js';
import { withJsonHooks, withoutJsonHooks } from '../../../src/install/json-hooks.js';

const test = suite('editing JSON settings');
const OURS = 'policy hook gemini-cli --ours';
const isOurs = (command: string) => command.startsWith('policy hook ');
const settings = (command: string) =>
  JSON.stringify({
    hooks: {
      BeforeTool: [{ matcher: '*', hooks: [{ name: 'policy', type: 'command', command, timeout: 30000 }] }],
      AfterTool: [{ hooks: [{ command }] }],
    },
  });

/** Text between tokens: blanks, line breaks, comments of both kinds. */
const trivia = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('', ' ', '\n', '\n  ', '\n\t', '\r\n    ') },
  { weight: 1, arbitrary: fc.constantFrom(' // , ] } "x\n', ' /* , ] } " */ ', '\n  // note\n  ', '/**/', ' // a\r\n') },
);

/** A value as somebody may have written it. */
const { value } = fc.letrec<{ value: string; list: string; object: string }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    fc.oneof(
      fc.integer().map(String),
      fc.string().map((text) => JSON.stringify(text)),
      fc.constantFrom('true', 'null', '1.50', '"//"'),
    ),
    tie('list'),
    tie('object'),
  ),
  list: written('[', ']', fc.array(fc.tuple(trivia, tie('value'), trivia), { maxLength: 3 })),
  object: fc
    .tuple(
      fc.uniqueArray(fc.string({ maxLength: 3 }), { maxLength: 3 }),
      fc.array(fc.tuple(trivia, tie('value'), trivia), { maxLength: 3 }),
    )
    .chain(([names, values]) => {
      const members = names.slice(0, values.length).map((name, at): [string, string, string] => {
        const [before = '', inner = '', after = ''] = values[at] ?? [];
        return [before, `${JSON.stringify(name)}: ${inner}`, after];
      });
      return written('{', '}', fc.constant(members));
    }),
}));

/** Entries between brackets, with or without a spare comma. */
function written(
  open: string,
  close: string,
  entries: fc.Arbitrary<readonly (readonly [string, string, string])[]>,
): fc.Arbitrary<string> {
  return fc.tuple(entries, fc.boolean(), trivia).map(([some, spare, gap]) => {
    const inner = some.map(([before, text, after]) => before + text + after).join(',');
    return `${open}${inner}${spare && some.length > 0 ? ',' : ''}${gap}${close}`;
  });
}

const handler = fc.constantFrom('./a.sh', 'policy check Bash x', 'policy hook gemini-cli --old', 'policy hook gemini-cli');
const group = fc.oneof(
  value,
  fc
    .tuple(
      fc.array(
        fc.tuple(
          trivia,
          handler.map((command) => `{ "type": "command", "command": ${JSON.stringify(command)} }`),
          trivia,
        ),
        { minLength: 1, maxLength: 3 },
      ),
      trivia,
    )
    .map(([handlers, gap]) => `{${gap}"matcher": "Bash", "hooks": [${handlers.map((one) => one.join('')).join(',')}]}`),
);
const event = fc.tuple(
  fc.constantFrom('BeforeTool', 'AfterTool', 'Stop'),
  written('[', ']', fc.array(fc.tuple(trivia, group, trivia), { maxLength: 3 })),
);
const hooks = fc
  .uniqueArray(event, { selector: ([name]) => name, maxLength: 3 })
  .chain((events) =>
    written('{', '}', fc.constant(events.map(([name, list]): [string, string, string] => ['', `"${name}": ${list}`, '\n']))),
  );

/** A whole document, mostly with hooks in it. */
const document = fc
  .tuple(trivia, trivia, fc.option(hooks, { freq: 4 }), value, trivia, fc.boolean())
  .map(([before, gap, some, other, after, first]) => {
    const members = [...(some === null ? [] : [`"hooks": ${some}`]), `"other": ${other}`];
    return `${before}{${gap}${(first ? members : members.reverse()).join(`,${gap}`)}${gap}}${after}`;
  });

/** The value without our hooks, and without lists and objects that they left empty. */
function others(root: JsonValue): string {
  if (!isMap(root)) return canonical(root);
  const found = root.get('hooks');
  const members = [...root].filter(([name]) => name !== 'hooks');
  if (!isMap(found)) return canonical(new Map(members));
  const events = [...found].flatMap(([name, list]): [string, JsonValue][] => {
    if (!Array.isArray(list)) return [[name, list]];
    const left = (list as JsonValue[]).flatMap((entry) => {
      const handlers = isMap(entry) ? entry.get('hooks') : undefined;
      if (!isMap(entry) || !Array.isArray(handlers)) return [entry];
      const kept = (handlers as JsonValue[]).filter((one) => !(isMap(one) && isOurs(String(one.get('command')))));
      return kept.length === 0 && handlers.length > 0 ? [] : [new Map([...entry, ['hooks', kept] as const])];
    });
    return left.length === 0 ? [] : [[name, left]];
  });
  return canonical(new Map([...members, ...(events.length === 0 ? [] : [['hooks', new Map(events)] as const])]));
}

/** All comments of a text, in their order. */
function comments(text: string): readonly string[] {
  return [...text.matchAll(/"(?:[^"\\]|\\.)*"|\/\/[^\r\n]*|\/\*[\s\S]*?\*\//g)]
    .map(([one]) => one.trimEnd())
    .filter((one) => one.startsWith('/'));
}

test('whatever is in the file stays, in its order, with its comments; ours is there once; twice is once', () => {
  fc.assert(
    fc.property(document, (text) => {
      const before = readJsonText(text, false).value;
      const installed = withJsonHooks(text, settings(OURS), false, isOurs);
      const after = readJsonText(installed, false).value;
      assert.is(others(after), others(before), installed);
      assert.is(installed.split(JSON.stringify(OURS)).length - 1, 2, installed);
      assert.not.match(installed, /--old/);
      for (const one of comments(installed)) assert.ok(comments(text).includes(one), `${one} in\n${text}`);
      if (!text.includes('policy hook')) assert.equal(comments(installed), comments(text), `${text}\n→\n${installed}`);
      assert.is(withJsonHooks(installed, settings(OURS), false, isOurs), installed);
    }),
    { numRuns: 1_500 },
  );
});

test('taking out leaves nothing of ours and everything of others', () => {
  fc.assert(
    fc.property(document, fc.boolean(), (text, first) => {
      const start = first ? withJsonHooks(text, settings(OURS), false, isOurs) : text;
      const left = withoutJsonHooks(start, false, isOurs);
      assert.is(others(readJsonText(left, false).value), others(readJsonText(text, false).value), left);
      assert.not.match(left, /policy hook/);
      if (!text.includes('policy hook')) assert.equal(comments(left), comments(text), `${text}\n→\n${left}`);
    }),
    { numRuns: 1_500 },
  );
});

test('a text that is no settings file is refused with a sentence, whatever it holds', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.string({ unit: 'grapheme' }),
        fc.string({ unit: fc.constantFrom('{', '}', '[', ']', ',', ':', '"', '/', '*', 'a', '1', '\n') }),
      ),
      (text) => {
        try {
          withJsonHooks(text, settings(OURS), false, isOurs);
        } catch (error) {
          assert.instance(error, JsonTextError, String(error));
        }
      },
    ),
    { numRuns: 1_500 },
  );
});

test.run();
