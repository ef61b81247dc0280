/** Finds and reads agent definitions of the project and of the user, bounded, no link followed. */
import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { AgentDefinition, Dialect } from '../agent/agent.js';
import { parseAgent } from '../agent/parse.js';
import { readText } from './read-file.js';

interface AgentRoot {
  readonly folder: string;
  readonly dialect: Dialect;
  readonly extensions: readonly string[];
  readonly depth: number;
}

/** Where each dialect keeps its definitions, below the project and below the home folder (R135, R180, C19). */
const PROJECT_ROOTS: readonly AgentRoot[] = [
  { folder: '.claude/agents', dialect: 'claude-code', extensions: ['.md'], depth: 8 },
  { folder: '.codex/agents', dialect: 'codex-markdown', extensions: ['.md', '.markdown'], depth: 8 },
  { folder: '.codex/agents', dialect: 'codex-yaml', extensions: ['.yaml', '.yml'], depth: 1 },
  { folder: '.agent/agents', dialect: 'agent-code', extensions: ['.md'], depth: 1 },
];
const USER_ROOTS: readonly AgentRoot[] = [
  ...PROJECT_ROOTS.filter((root) => root.dialect !== 'agent-code'),
  { folder: '.config/agent-code/agents', dialect: 'agent-code', extensions: ['.md'], depth: 1 },
];
const MAX_FILES = 2_000;

/** Every agent definition found, project first; files that cannot be read come as invalid definitions of their own. */
export function readAgents(project: string, home: string): AgentDefinition[] {
  return [...readRoots(project, PROJECT_ROOTS, 'project'), ...readRoots(home, USER_ROOTS, 'user')];
}

function readRoots(base: string, roots: readonly AgentRoot[], scope: 'project' | 'user'): AgentDefinition[] {
  const definitions: AgentDefinition[] = [];
  for (const root of roots) {
    for (const path of filesBelow(join(base, root.folder), root.depth)) {
      if (definitions.length >= MAX_FILES) return definitions;
      if (!root.extensions.some((extension) => path.toLowerCase().endsWith(extension))) continue;
      const text = readText(path, { follow: false });
      const file = scope === 'project' ? relative(base, path) : path;
      if (text.ok) definitions.push(parseAgent(text.text, { file, dialect: root.dialect, scope }));
    }
  }
  return definitions;
}

function filesBelow(folder: string, depth: number): string[] {
  if (depth === 0) return [];
  const files: string[] = [];
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) files.push(...filesBelow(path, depth - 1));
    else if (entry.isFile()) files.push(path);
    if (files.length > MAX_FILES) break;
  }
  return files.sort();
}

function entriesOf(folder: string) {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return [];
  }
}
