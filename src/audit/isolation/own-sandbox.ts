/** Whether a runner's settings enable its own sandbox here, and what keeps the sandbox from holding. Only reads files. */
import { readText } from '../../disk/read.js';
import { readSetting } from '../../disk/setting.js';
import type { InstallPlaces } from '../../install/target.js';
import type { Runner, SandboxSetting } from '../../runner/hook/runner.js';
import { isOnPath } from '../doctor/found/client.js';
import { switchFile } from '../doctor/found/switch-file.js';
import { sandboxOpenings } from '../surroundings/openings.js';

/** The first file that mentions the sandbox decides; null if none does. `open`: why commands run outside of it although it is enabled. */
export function ownSandbox(runner: Runner, places: InstallPlaces) {
  for (const one of runner.sandboxes ?? []) {
    const file = switchFile(runner, one, places);
    const value = readSetting(file, one.format, one.key);
    if (value === undefined) continue;
    const isOn = one.on.some((on) => on === value);
    if (isOn && one.onlyOff === true) continue;
    const line = lineNaming(file, one.key.at(-1) ?? '');
    return { file, line, key: one.key.join('.'), value, isOn, open: isOn ? whyVoid(runner, one, places) : null };
  }
  return null;
}

/** Returns the programs that the sandbox needs on this system and that are not on PATH. */
export function missingPrograms(runner: Runner, places: InstallPlaces): readonly string[] {
  const needs = runner.sandboxes?.[0]?.needs;
  if (needs === undefined || needs.platform !== process.platform) return [];
  return needs.programs.filter((name) => !isOnPath(name, places));
}

function whyVoid(runner: Runner, { needs }: SandboxSetting, places: InstallPlaces): string | null {
  const [opening] = sandboxOpenings(runner, places);
  if (opening !== undefined) return opening.says;
  // The runner refuses to start if its sandbox is missing.
  if (needs === undefined || said(runner, needs.unless, places)[0] === true) return null;
  const [missing] = missingPrograms(runner, places);
  return missing === undefined ? null : `${missing} is not on PATH; without it, commands run outside any sandbox`;
}

/** Returns the values of a setting in the runner's files, in order of precedence. */
function said(runner: Runner, key: readonly string[], places: InstallPlaces): readonly unknown[] {
  return (runner.sandboxes ?? [])
    .map((one) => readSetting(switchFile(runner, one, places), one.format, key))
    .filter((value) => value !== undefined);
}

function lineNaming(file: string, key: string): number {
  const read = readText(file);
  const at = read.ok ? read.text.split('\n').findIndex((line) => line.includes(key)) : -1;
  return Math.max(1, at + 1);
}
