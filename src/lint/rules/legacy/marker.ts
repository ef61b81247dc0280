import type { AgentFile } from '../../files/files.js';
import { forAgents, type LintRule, type Report } from '../../project/rule.js';

const MARKER = /___LAST_MESSAGE_MARKER___/g;

export const legacyMarker: LintRule = {
  id: 'legacy/marker',
  severity: 'warning',
  docs: {
    what: 'A prompt asks for ___LAST_MESSAGE_MARKER___.',
    why: 'Runners once found the last message by this marker; today they have an event for it, and the marker only appears in answers.',
    bad: 'End your answer with ___LAST_MESSAGE_MARKER___.',
    good: 'End your answer with a summary.',
    fix: 'Remove the marker.',
  },
  check: forAgents(check),
};

function check({ source }: AgentFile): readonly Report[] {
  if (!source.mayHold('marker')) return [];
  return [...source.text.matchAll(MARKER)].map(({ index, 0: marker }) => ({
    at: source.span(index, index + marker.length),
    message: `${marker} is a marker of old runners.`,
  }));
}
