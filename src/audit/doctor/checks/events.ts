/** Events beside the gate that the engine wants to hear of: subagents that end, sessions that end. */
import { type DoctorCheck, note } from '../check.js';
import { installLine } from '../words.js';

export const events: DoctorCheck = {
  id: 'events',
  examine: ({ examined }) =>
    examined.flatMap((one) => {
      const { runner, hooks } = one;
      const gate = hooks.find(({ gates, event }) => gates && event !== null);
      if (gate === undefined) return [];
      const wanted = eventsOf(runner.settings(gate.command).text);
      const missing = wanted.filter((event) => !hooks.some((hook) => hook.event === event && hook.scope === gate.scope));
      if (missing.length === 0) return [];
      const what = `${gate.file} has no hook for ${missing.join(', ')}: running subagents and results stay unknown`;
      return [note(runner.id, what, installLine(runner.id, gate.scope, one))];
    }),
};

/** Our own settings, as they would be in a file of their own. */
function eventsOf(settings: string): readonly string[] {
  const { hooks } = JSON.parse(settings) as { readonly hooks?: Readonly<Record<string, unknown>> };
  return Object.keys(hooks ?? {});
}
