/** Files that no client started in the project reads: inputs of its own tests, backups, and copies of other repositories. */
import { isOfPlugin } from '../places/plugin-files.js';
import { type LintProject, oncePerProject, pluginsOf } from './project.js';

const FIXTURES = /(?:^|\/)(?:(?:tests?|spec|__tests__)\/(?:[^/]+\/){0,3}fixtures?|testdata|__fixtures__)\//;
const PUT_AWAY = /(?:^|\/)[._]?(?:backups?|bak|archived?|attic|trash|disabled)\//i;
/** An archive of GitHub, unpacked. */
const UNPACKED = /(?:^|\/)[^/]+-(?:main|master)\//;

/** Instructions that clients read in every folder. */
const NESTED = /(?:^|\/)(?:CLAUDE|AGENTS|GEMINI|QWEN)[\w.]*\.md$/;

/** Their paths. Instructions, skills and commands in a runner's folder are never among them: a client finds these below its own. */
export const setAside = oncePerProject((project): ReadonlySet<string> => {
  const found = project.files.flatMap((file) => {
    const folder = folderOf(file.path, project);
    return folder === null ? [] : [{ file, folder }];
  });
  if (found.length === 0) return new Set();
  // A marketplace, a manifest or settings may point there.
  const outside = project.configs.filter(({ path }) => folderOf(path, project) === null);
  const isNamed = (folder: string) => outside.some(({ source }) => source.text.includes(folder));
  const plugins = pluginsOf(project).filter((root) => folderOf(root.folder, project) !== null);
  return new Set(
    found.flatMap(({ file, folder }) => {
      if (file.kind === 'policy' || isNamed(folder)) return [];
      const isFound = file.kind === 'text' && !plugins.some((root) => isOfPlugin(file.path, root));
      return isFound && (NESTED.test(file.path) || (file.text !== 'instructions' && /(?:^|\/)\.\w/.test(file.path)))
        ? []
        : [file.path];
    }),
  );
});

/** The folder that is set aside, as others would name it; null for what lies elsewhere, or is read below a runner's own folder. */
function folderOf(path: string, { exists }: Pick<LintProject, 'exists'>): string | null {
  const aside = FIXTURES.exec(path) ?? PUT_AWAY.exec(path);
  if (
    aside !== null &&
    !/(?:^|\/)\.(?:claude|codex|gemini|github|opencode|cursor|qwen|agents?)\/(?!skills\/)/.test(path.slice(0, aside.index + 1))
  )
    return aside[0].replace(/^\//, '');
  const [unpacked] = UNPACKED.exec(path) ?? [];
  const isCopy =
    unpacked !== undefined &&
    ['README.md', 'LICENSE'].every((name) => exists(path.slice(0, path.indexOf(unpacked) + unpacked.length) + name));
  return isCopy ? unpacked.replace(/^\//, '') : null;
}
