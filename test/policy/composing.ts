/** Short ways to write layers in the tests of composition. */
import { composePolicy } from '../../src/policy/compose.js';
import { parsePolicy } from '../../src/policy/document.js';
import type { PolicyLayer, PolicyLayerName } from '../../src/policy/layers.js';
import type { ComposedPolicy, PolicyProblem } from '../../src/policy/policy.js';

/** A layer from YAML without its `version`; a name that ends in `?` is a layer that nobody trusts. */
export function layer(name: PolicyLayerName | `${PolicyLayerName}?`, yaml: string): PolicyLayer {
  const layerName = name.replace('?', '') as PolicyLayerName;
  const file = `${layerName}.yaml`;
  const { document, problems } = parsePolicy(`version: 1\n${yaml}\n`, { file, format: 'yaml', layer: layerName });
  if (document === null) throw new Error(`${yaml}: ${problems[0]?.message ?? 'foreign'}`);
  return { layer: layerName, trusted: !name.endsWith('?'), document };
}

/** Composes `name: yaml` layers for the repository /repo. */
export function compose(...layers: readonly PolicyLayer[]): ComposedPolicy & { readonly problems: readonly PolicyProblem[] } {
  const { policy, problems } = composePolicy(layers, { repository: '/repo' });
  return { ...policy, problems };
}

/** Notes as `code file:line:column`, in order. */
export function noted(policy: ComposedPolicy): string[] {
  return policy.notes.map(({ code, source }) => `${code} ${source?.file}:${source?.line}:${source?.column}`);
}
