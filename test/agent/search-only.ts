/** An agent definition of agent-code, as the demo repository holds it. */
export const SEARCH_ONLY = `---
name: search-only
description: Read-only searcher
include_tools: [Grep, Glob, FileRead]
permission_mode: deny
allow: ["Grep", "Glob", "FileRead(src/**)"]
deny: ["Bash(rm *)"]
ask: ["Bash(git *)"]
---

System prompt additions...
`;
