/** Published lists of risks, and the evidence of an audit for each of their items. */
import { data } from '../../generated/data.js';
import type { ControlResult, Coverage, FrameworkCoverage, FrameworkItem } from './report.js';

/** In the order of the report; each has a file in rules/frameworks. */
export const FRAMEWORKS = [
  'owasp-agentic-2026',
  'owasp-llm-2025',
  'owasp-mcp-2025',
  'mitre-atlas',
  'nist-ai-rmf',
  'cwe',
] as const;
export type FrameworkId = (typeof FRAMEWORKS)[number];

export interface Framework {
  readonly id: string;
  readonly title: string;
  readonly source: string;
  readonly items: readonly { readonly id: string; readonly title: string; readonly controls: readonly string[] }[];
}

/** Returns a framework; a test checks each against schemas/risk-framework.schema.json. */
export function framework(id: FrameworkId): Framework {
  return data(`frameworks/${id}`) as Framework;
}

/** Returns every framework with the results of the examined controls for its items. */
export function frameworkCoverage(controls: readonly ControlResult[]): readonly FrameworkCoverage[] {
  const byId = new Map(controls.map((one) => [one.id, one]));
  return FRAMEWORKS.map((name) => {
    const { id, title, source, items } = framework(name);
    return { id, title, source, items: items.map((item) => itemCoverage(item, byId)) };
  });
}

function itemCoverage(
  { id, title, controls }: Framework['items'][number],
  byId: ReadonlyMap<string, ControlResult>,
): FrameworkItem {
  const examined = controls.flatMap((control) => byId.get(control) ?? []);
  const evidence = evidenceOf(examined);
  return { id, title, controls: examined.map((one) => one.id), coverage: coverageOf(examined, evidence), evidence };
}

/** `covered` requires every control about the item, `partly covered` one answer of a hook that is in force. */
function coverageOf(examined: readonly ControlResult[], evidence: readonly string[]): Coverage {
  if (examined.length === 0) return 'not assessed';
  if (examined.every(({ status, notInForce }) => status === 'implemented' && notInForce === null)) return 'covered';
  return evidence.length > 0 ? 'partly covered' : 'not covered';
}

const MOST_OF_A_CONTROL = 5;

/** Returns expected answers of an installed hook, on which coverage rests; a few for each control. */
function evidenceOf(examined: readonly ControlResult[]): readonly string[] {
  const inForce = examined.filter(({ notInForce }) => notInForce === null);
  return inForce.flatMap(({ evidence }) =>
    evidence
      .filter(({ kind, supports }) => kind === 'probe' && supports)
      .slice(0, MOST_OF_A_CONTROL)
      .map(({ id }) => id),
  );
}
