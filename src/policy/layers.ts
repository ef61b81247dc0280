/** The layers of a policy: their order, and what each may write. */
import type { PermissionRule, SourcePosition } from '../rule/pattern/permission-rule.js';
import type { PolicyDocument } from './document.js';
import type { PolicyNote } from './policy.js';
import { shown } from './sentences.js';
import type { Setting } from './settings.js';
import { MANAGERS_ONLY, SETTINGS } from './strictness.js';

/** From the farthest and most trusted to the nearest; the nearest wins unless a more trusted layer binds it. */
export const LAYERS = ['managed', 'user', 'project', 'local', 'cli'] as const;
export type PolicyLayerName = (typeof LAYERS)[number];

/** A document in its layer. A base that it `extends` is a layer of the same name, before it in the list. */
export interface PolicyLayer {
  readonly layer: PolicyLayerName;
  /** False: the layer can only add restrictions (an untrusted repository, a nested package, a folder the agent moved into). */
  readonly trusted: boolean;
  readonly document: PolicyDocument;
}

/** The most trusted layer that set `security.disable_bypass_permissions`. */
export interface Lock {
  readonly authority: number;
  readonly source: SourcePosition;
}

/** The authority of a layer, from 4 (managed) to 0 (command line). */
function authorityOf(layer: PolicyLayerName): number {
  return LAYERS.length - 1 - LAYERS.indexOf(layer);
}

/** The layers from far to near; layers with the same name keep their order. */
export function inOrder(layers: readonly PolicyLayer[]): PolicyLayer[] {
  return LAYERS.flatMap((name) => layers.filter((layer) => layer.layer === name));
}

/** Finds the lock; locking adds a restriction, so every layer may do it. `layers` are in order. */
export function lockOf(layers: readonly PolicyLayer[]): Lock | null {
  for (const { layer, document } of layers) {
    const setting = document.settings.find((one) => one.key === 'security.disable_bypass_permissions' && one.value === true);
    if (setting !== undefined) return { authority: authorityOf(layer), source: setting.source };
  }
  return null;
}

/** The wording for "locked" in notes, with the place of the lock. */
export function lockedBy(lock: Lock): string {
  return `security.disable_bypass_permissions is set (${lock.source.file}:${lock.source.line})`;
}

/** Why a rule of a layer does not apply; null if it does. Ask and deny rules always apply. */
export function ruleRefused(
  rule: PermissionRule,
  layer: PolicyLayer,
  lock: Lock | null,
  isTotal: (rule: PermissionRule) => boolean,
): PolicyNote | null {
  if (rule.effect !== 'allow') return null;
  const text = shown(rule.text);
  if (!layer.trusted) {
    return note(
      'layer/untrusted-allow',
      `The allow rule ${text} is ignored: ${untrusted(layer)} can only add restrictions.`,
      rule.source,
    );
  }
  if (lock === null || authorityOf(layer.layer) >= lock.authority) return null;
  if (layer.layer === 'cli')
    return note('lock/allow-ignored', `The allow rule ${text} is ignored: ${lockedBy(lock)}.`, rule.source);
  if (isTotal(rule))
    return note(
      'lock/total-rule',
      `The rule ${text} would allow everything unchecked; it is ignored: ${lockedBy(lock)}.`,
      rule.source,
    );
  return null;
}

/** Why a layer may not write this setting (or this value) at all; null if it may. */
export function settingRefused(setting: Setting, layer: PolicyLayer, lock: Lock | null): PolicyNote | null {
  const name = settingName(setting);
  if (MANAGERS_ONLY.has(setting.key) && layer.layer !== 'managed' && layer.layer !== 'user') {
    return note('layer/managers-only', `${name} is ignored: it is read only from user and managed policies.`, setting.source);
  }
  const nature = SETTINGS[setting.key];
  if (lock === null || nature.kind === 'limit' || nature.kind === 'free') return null;
  const below = authorityOf(layer.layer) < lock.authority;
  if (nature.kind === 'union') {
    if (nature.adding === 'tightens' || !below) return null;
    return note('lock/loosening-ignored', `${name} is ignored: ${lockedBy(lock)}.`, setting.source);
  }
  if (!nature.bypass.includes(String(setting.value))) return null;
  // Preset all and onAsk allow are the bypass itself: no layer may combine them with the lock.
  if (!below && setting.key !== 'preset' && setting.key !== 'onAsk') return null;
  return note('lock/bypass-ignored', `${name}: ${shown(setting.value)} is ignored: ${lockedBy(lock)}.`, setting.source);
}

/** `budget.perAgent.researcher`, escaped for printing. */
export function settingName(setting: Pick<Setting, 'key' | 'member'>): string {
  return setting.member === null ? setting.key : `${setting.key}.${shown(setting.member).slice(1, -1)}`;
}

/** How messages name an untrusted layer. */
export function untrusted(layer: PolicyLayer): string {
  return `${layer.document.file} is not trusted and`;
}

export function note(code: string, message: string, source: SourcePosition): PolicyNote {
  return { code, message, source };
}
