/** Plugins and agents that are inputs of the project's own tests: no client loads them, and what is wrong with them may be meant. */
import { isOfPlugin } from '../places/plugin-files.js';
import { oncePerProject, pluginsOf } from './project.js';

const FIXTURES = /(?:^|\/)(?:(?:tests?|spec|__tests__)\/(?:[^/]+\/){0,3}fixtures?|testdata|__fixtures__)\//;
const OF_PLUGINS: ReadonlySet<string> = new Set(['claude-plugin', 'claude-marketplace', 'claude-hooks']);

/** The paths of these files; settings, instructions and skills that a client finds below its own folder are never among them. */
export const fixturesOf = oncePerProject((project): ReadonlySet<string> => {
  const inside = project.files.filter(({ path }) => FIXTURES.test(path));
  // A marketplace, a manifest or settings may point there.
  const isNamed = project.configs.some(({ path, source }) => !FIXTURES.test(path) && /fixtures?\/|testdata/.test(source.text));
  if (inside.length === 0 || isNamed) return new Set();
  const roots = pluginsOf(project).filter(({ folder }) => FIXTURES.test(folder));
  const found = inside.filter((file) => {
    if (file.kind === 'config') return OF_PLUGINS.has(file.config);
    return file.kind === 'agent' || (file.kind === 'text' && roots.some((root) => isOfPlugin(file.path, root)));
  });
  return new Set(found.map(({ path }) => path));
});
