/** OpenCode: the map `permission` of the project's `opencode.json`. The last pattern that matches wins. */
import { jsonText } from '../hook/runner.js';
import { builtIn, type ExportOptions, type Loss, type NativeRunner, notExpressible, wider } from '../native/model.js';
import { type PathPatterns, type PresetParts, partsOf, refusedWithin, sensitivePatterns } from '../native/parts.js';
import { everythingLoss, linkLoss, prefixLoss, provenReadsLoss } from '../native/sentences.js';

const CLIENT = 'OpenCode';

type Action = 'allow' | 'ask' | 'deny';
type Patterns = Readonly<Record<string, Action>>;

export const native: NativeRunner = {
  program: 'opencode',
  express: (preset, options) => {
    const parts = partsOf(preset);
    return {
      flags: ['run', '--format', 'json'],
      files: [{ below: 'project', path: 'opencode.json', text: jsonText({ permission: permission(parts, options) }) }],
      needs: [],
      losses: losses(parts, options),
    };
  },
};

function permission(parts: PresetParts, { withHook }: ExportOptions): Readonly<Record<string, Action | Patterns>> {
  const { secret, deniedWrites, askedWrites } = sensitivePatterns();
  const rest: Action = parts.closed ? 'deny' : 'ask';
  const all = parts.everything && withHook;
  return {
    '*': all ? 'allow' : rest,
    read: { '*': 'allow', ...paths(secret, 'ask') },
    glob: 'allow',
    list: 'allow',
    grep: withHook ? 'allow' : rest,
    todowrite: 'allow',
    todoread: 'allow',
    edit: parts.edits
      ? { '*': 'allow', ...paths(secret, 'ask'), ...paths(askedWrites, 'ask'), ...paths(deniedWrites, 'deny') }
      : 'deny',
    bash: all ? 'allow' : shell(parts, withHook, rest),
    external_directory: parts.closed ? 'deny' : 'ask',
  };
}

function shell(parts: PresetParts, withHook: boolean, rest: Action): Action | Patterns {
  const prefixes = [...parts.shell.map(({ words }) => words), ...parts.reading];
  if (!withHook || prefixes.length === 0) return rest;
  const entries = prefixes.flatMap((words): [string, Action][] => [
    [words, 'allow'],
    [`${words} *`, 'allow'],
  ]);
  const refused = refusedWithin(parts).flatMap((words): [string, Action][] => [
    [words, 'deny'],
    [`${words} *`, 'deny'],
  ]);
  return Object.fromEntries<Action>([['*', rest], ...entries, ...refused]);
}

/** OpenCode's `*` also matches slashes. */
function paths({ anywhere, home, absolute }: PathPatterns, action: Action): Patterns {
  const all = [...anywhere, ...home, ...absolute.map((path) => path.slice(1))];
  return Object.fromEntries(
    all.flatMap((pattern) => [pattern, `${pattern}/*`, `*/${pattern}`, `*/${pattern}/*`].map((one) => [one, action])),
  );
}

function losses(parts: PresetParts, { withHook }: ExportOptions): Loss[] {
  const searches = 'OpenCode searches all files of a folder, secret ones, too';
  return [
    ...everythingLoss(parts, CLIENT, withHook),
    ...parts.shell.map((rule) => prefixLoss(rule, CLIENT, withHook)),
    ...provenReadsLoss(parts, CLIENT, withHook),
    ...(parts.shell.length + parts.reading.length === 0
      ? []
      : [
          withHook
            ? wider(
                null,
                'OpenCode does not look at redirections: an allowed command may write any file; the hook enforces the rest.',
              )
            : notExpressible(
                null,
                'OpenCode does not look at redirections, so even a command without options may write any file.',
              ),
        ]),
    withHook
      ? wider('Grep(**)', `${searches}; the hook enforces the rest.`)
      : notExpressible('Grep(**)', `${searches}, so it is left out.`),
    builtIn(
      'OpenCode compares names of files with case, so on some file systems a secret file has a spelling that no pattern meets.',
    ),
    builtIn('Agents of OpenCode may bring permissions of their own, which come after these.'),
    linkLoss(CLIENT),
  ];
}
