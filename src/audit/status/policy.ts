/** The policy files in force here, how far they are trusted, and the policy that they add up to. */
import { resolve } from 'node:path';
import { readText } from '../../disk/read.js';
import type { PolicyLayer } from '../../policy/layers.js';
import type { ComposedPolicy, PolicyProblem } from '../../policy/policy.js';
import { readTrustedLayers, type TrustedLayers } from '../../project/trust.js';
import { digestOf } from '../../project/trust-record.js';
import { openWorkspace } from '../../project/workspace.js';
import type { StatusOptions } from './options.js';
import type { ComposedStatus, LayerStatus, PolicyStatus, Problem } from './status.js';

/** The problems state why the policy cannot be used. */
export function policyStatus(options: StatusOptions): { readonly policy: PolicyStatus; readonly problems: readonly Problem[] } {
  const { cwd, places, userDirectory, stateDirectory, managedDirectory, platform } = options;
  const { project, home, environment } = places;
  const folders = { userDirectory, stateDirectory, managedDirectory };
  const read = readTrustedLayers({ ...folders, project, cwd, extra: null, preset: null, trustProject: false });
  const opened = openWorkspace({ ...folders, cwd, project, home, platform, environment });
  return {
    policy: {
      inForce: opened.ok ? composedStatus(opened.workspace.policy) : null,
      layers: read.layers.map((layer) => layerStatus(layer, read, project)),
    },
    problems: opened.ok ? [] : opened.problems.map(problemOf),
  };
}

function composedStatus({ mode, preset, default: otherwise, locked, rules }: ComposedPolicy): ComposedStatus {
  const count = (effect: string) => rules.filter((rule) => rule.effect === effect).length;
  return {
    mode,
    preset: preset?.name ?? null,
    default: otherwise,
    locked,
    rules: { allow: count('allow'), ask: count('ask'), deny: count('deny') },
  };
}

function layerStatus({ layer, document, trusted }: PolicyLayer, read: TrustedLayers, project: string): LayerStatus {
  const { file } = document;
  const recorded = read.isRecorded ? read.trust.own.find((own) => own.document === document) : undefined;
  const text = recorded === undefined ? readText(resolve(project, file)) : { ok: true as const, text: recorded.text };
  const trust = trustOf(layer, document, read);
  const since = trust === 'record' ? (read.trust.record?.trustedAt.slice(0, 10) ?? null) : null;
  return { layer, file, digest: text.ok ? digestOf(text.text) : null, trusted, trust, since };
}

function trustOf(layer: PolicyLayer['layer'], document: PolicyLayer['document'], { trust }: TrustedLayers): LayerStatus['trust'] {
  if (layer !== 'project' && layer !== 'local') return 'own';
  if (!trust.own.some((own) => own.document === document)) return 'nested';
  if (trust.by !== null) return trust.by === 'flag' ? 'own' : trust.by;
  if (trust.changes.length === 0) return 'restricts';
  return trust.record === null ? 'untrusted' : 'changed';
}

function problemOf({ source, message }: PolicyProblem): Problem {
  const place = message.startsWith(`${source.file} `) ? '' : `${source.file}:${source.line}:${source.column}: `;
  return { runner: null, message: `The policy cannot be used, so every call is denied: ${place}${message}`, fix: 'policy lint' };
}
