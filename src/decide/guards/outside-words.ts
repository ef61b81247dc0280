/**
 * Words that lead out of the project, given to a command that passes its words to the project's own code: `npm run build --
 * --outDir ../other`. Only that code knows how it uses them, so a project rule with a wildcard does not cover them: it ends at
 * the project's edge.
 */
import { posix } from 'node:path';
import { locate } from '../../rule/path/location.js';
import { filledWord } from '../flow/directories.js';
import { isOwn } from '../place/paths.js';
import { absolutePath } from '../place/place.js';
import type { CommandContext } from '../policy/command-context.js';

/** Programs that build, test or check a project with its scripts, targets and settings. */
const OF_THE_PROJECT: ReadonlySet<string> = new Set(
  (
    'npm npx pnpm pnpx yarn bun bunx vite vitest jest mocha tsc eslint prettier biome uv poetry pipenv hatch pdm pytest tox nox ruff ' +
    'mypy black bundle rake rspec rubocop mvn mvnw gradle gradlew make gmake just task cargo go composer phpunit dotnet mix sbt'
  ).split(' '),
);
const INTERPRETED = /^python[0-9.]*$/;
const PATH_LIKE = /^(?:file:|[/~]|\.\.(?:\/|$))|\/\.\.(?:\/|$)/;
/** A word beyond this limit is assumed to lead out of the project. */
const MOST_WORDS = 256;

/** The words that lead out, as written; empty for any other command. */
export function outsideWords({ command, scope, directory }: CommandContext): readonly string[] {
  const { name, invocation, verdict } = command;
  const { argv } = invocation;
  const base = name?.slice(name.lastIndexOf('/') + 1) ?? '';
  const isModule = INTERPRETED.test(base) && argv[1]?.value === '-m';
  if (!OF_THE_PROJECT.has(base) && !isModule && verdict.work === undefined) return NONE;
  if (
    verdict.known &&
    !verdict.effects.some(({ action, path }) => action === 'execute' && path === null) &&
    command.inner.length === 0
  )
    return NONE;
  return wordsLeadingOut({ command, scope, directory });
}

/** Like `outsideWords`, but for any command. */
export function wordsLeadingOut({
  command: {
    invocation: { argv },
  },
  scope,
  directory,
}: Pick<CommandContext, 'command' | 'scope' | 'directory'>): readonly string[] {
  if (argv.length > MOST_WORDS) return [argv[MOST_WORDS]?.text ?? ''];
  const { facts, rules } = scope;
  const isOutside = (text: string) => {
    const path = posix.normalize(absolutePath(text.replace(/^file:(?:\/\/)?/i, ''), facts.home, directory ?? facts.cwd));
    if (isOwn(path, facts) || /^\/dev\/(?:null|stdout|stderr|stdin|tty)$/.test(path)) return false;
    return rules.coversPath('Write', locate(path, facts)).length === 0;
  };
  return argv.slice(1).flatMap((word) => {
    const { value, text } = filledWord(word, scope.place);
    if (value === null) return [];
    // Paths may also directly follow a short option (`-S/tmp/x`), or be in lists and pairs (`src:/tmp/x`).
    const words = /[/~@]|\.\./.test(value) ? value.replace(LOOPBACK, '') : '';
    const pieces = words === '' ? [] : [words.replace(/^-\w/, ''), ...words.split(/[=:,;@\s[\](){}"'<>|&]+/)];
    return holdsAddress(words) || pieces.some((piece) => PATH_LIKE.test(piece) && isOutside(piece)) ? [text] : [];
  });
}

/** Addresses of this machine. */
const LOOPBACK = /(?:https?|wss?):\/\/(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:[/?#]\S*)?(?=[\s"'<>,]|$)/gi;

/** Whether the text contains an address of another machine. */
function holdsAddress(text: string): boolean {
  return /[a-z][a-z0-9+.-]*:\/\/|^[\w.-]+@[\w.-]+:/i.test(text.replace(/file:\/\//gi, ''));
}

const NONE: readonly string[] = [];
