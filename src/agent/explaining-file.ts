/** Notes for people that lie beside definitions of agents: no runner takes them for one, and neither the engine nor lint does. */

/** Names of files that explain definitions and are none. */
export const EXPLAINING =
  /(?:^|\/)(?:README|INDEX|CHANGELOG|CONTRIBUTING|LICENSE|CODE_OF_CONDUCT|SECURITY|AGENTS|CLAUDE|GEMINI|NOTES|TODO|GUIDE|OVERVIEW|TEMPLATE)(?:[._-][\w.-]+)?\.(?:md|markdown)$/i;
/** Folders of notes that people keep beside definitions. */
const NOTES =
  /(?:^|\/)(?:docs?|references?|examples?|notes|templates?|shared|resources|assets|_[\w-]+)\/[^/]+\.(?:md|markdown)$/i;

/** A Markdown file in a folder of agents that no runner would take for one: notes for people, without front matter. */
export function explainsAgents(path: string, text: string): boolean {
  const rest = text.trimStart();
  return (EXPLAINING.test(path) || NOTES.test(path)) && !/^\uFEFF?(?:---|\+\+\+)/.test(rest);
}
