/** Keys that were meant as an agent's tool list, and that no runner reads. */
import { type AgentFormat, formatTraits } from '../../agent/format.js';
import { pointerNames } from '../../policy/read/pointer.js';

/** In lower case, without `-` and `_`: keys that people write for either list. */
const LISTED = new Set(
  'tool tools toolss tolls toosl tols allowedtools allowtools allowedtool includetools includetool toollist enabledtools'.split(
    ' ',
  ),
);
const EXCLUDED = new Set(
  'disallowedtools disallowedtool disabledtools deniedtools denytools blockedtools excludetools excludedtools excludetool'.split(
    ' ',
  ),
);

/** Returns the intended key; null for a key that is spelled correctly or means something else. */
export function misspeltTools(format: AgentFormat, key: string): string | null {
  const { listed: list, excluded: others, switches = null, toldByReader = [] } = formatTraits(format);
  const listed = list === undefined ? switches : keyOf(list);
  const excluded = others === undefined ? null : keyOf(others);
  if (key === listed || key === excluded || toldByReader.includes(key)) return null;
  const folded = key.toLowerCase().replace(/[-_ ]/g, '');
  if (LISTED.has(folded)) return listed;
  return EXCLUDED.has(folded) ? excluded : null;
}

/** The outermost key of a pointer. */
function keyOf(pointer: string): string | null {
  return pointerNames(pointer)[0] ?? null;
}
