/** Notes for people next to agent definitions: no runner treats them as one, nor does the engine or lint. */

/** Names of files that explain definitions. */
export const EXPLAINING =
  /(?:^|\/)(?:README|INDEX|CHANGELOG|CONTRIBUTING|LICENSE|CODE_OF_CONDUCT|SECURITY|AGENTS|CLAUDE|GEMINI|NOTES|TODO|GUIDE|OVERVIEW|TEMPLATE)(?:[._-][\w.-]+)?\.(?:md|markdown)$/i;
/** Folders for notes that people keep next to definitions. */
const NOTES =
  /(?:^|\/)(?:docs?|references?|examples?|notes|templates?|shared|resources|assets|_[\w-]+)\/[^/]+\.(?:md|markdown)$/i;

/** Whether a Markdown file in a folder of agents is a note for people, without front matter, that no runner would treat as a definition. */
export function explainsAgents(path: string, text: string): boolean {
  const rest = text.trimStart();
  return (EXPLAINING.test(path) || NOTES.test(path)) && !/^\uFEFF?(?:---|\+\+\+)/.test(rest);
}
