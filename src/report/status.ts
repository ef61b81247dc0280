/** What is enforced here, on one screen, and the same as JSON. */
import type { LayerStatus, Problem, RunnerStatus, Status } from '../audit/status/status.js';
import { escapeText, jsonText } from './printing/escape.js';
import { OBSERVE_MODE } from './printing/observe.js';
import type { TextOptions } from './printing/paint.js';
import { type Painter, painter } from './printing/paint.js';
import { type Entry, entries } from './printing/table.js';
import { wrap } from './printing/wrap.js';
import { runLine, runningLine, type ShownRun } from './runs.js';

export interface ShownStatus extends Status {
  /** The subagents; null when their record cannot be read. */
  readonly runs: readonly ShownRun[] | null;
}

/** The maximum lengths of lists; the command that follows a list shows the rest. */
const MOST = { problems: 3, layers: 6, runs: 4 };

/** @param home what `~` stands for */
export function statusText(status: ShownStatus, home: string, options: TextOptions): string {
  const paint = painter(options.color);
  const shown = (path: string) => (home !== '/' && path.startsWith(`${home}/`) ? `~${path.slice(home.length)}` : path);
  const lines = [
    ...wrap(escapeText(`${shown(status.project)} (policy ${status.program})`), options.width),
    ...problemLines(status.problems, options, paint),
    paint.title('Policy'),
    ...entries(policyEntries(status, shown, paint), options.width),
    paint.title('Hooks'),
    ...entries(hookEntries(status, shown, paint), options.width),
    paint.title('Log'),
    ...entries(logEntries(status, shown), options.width),
    paint.title('Last denials'),
    ...entries(denialEntries(status, paint), options.width, 2),
    ...runLines(status.runs, paint),
    paint.title('Next'),
    ...entries([{ head: status.next.command, text: status.next.why }], options.width),
  ];
  return `${lines.join('\n')}\n`;
}

/** @param runs the subagents as returned by runsAsJson */
export function statusAsJson({ runs: _, ...status }: ShownStatus, runs: object): string {
  return jsonText({ ...runs, ...status });
}

function problemLines(problems: readonly Problem[], { width }: TextOptions, paint: Painter): readonly string[] {
  const shown = problems
    .slice(0, MOST.problems)
    .flatMap(({ message, fix }) => [
      ...entries([{ head: 'PROBLEM', text: message, paint: (text) => paint.mark('error', text) }], width),
      ...entries([{ head: '', text: `fix: ${fix}` }], width, null, 'PROBLEM'.length),
    ]);
  const left = problems.length - MOST.problems;
  return left > 0 ? [...shown, `  … and ${left} more: policy doctor`] : shown;
}

function policyEntries({ policy, hooks }: Status, shown: (path: string) => string, paint: Painter): readonly Entry[] {
  const { inForce, layers } = policy;
  const files = layers.slice(0, MOST.layers).map((layer): Entry => ({ head: layer.layer, text: layerText(layer, shown) }));
  const left = layers.length - files.length;
  const more: readonly Entry[] = left > 0 ? [{ head: '', text: `… and ${left} more files: policy status --json` }] : [];
  if (inForce === null)
    return [{ head: 'broken', text: 'every call is denied', paint: (text) => paint.mark('error', text) }, ...files, ...more];
  const { mode, preset, locked, rules } = inForce;
  const counts = `${rules.allow} allow, ${rules.ask} ask and ${rules.deny} deny rules${locked ? '; locked' : ''}`;
  const otherwise = inForce.default ?? 'project reads are allowed, everything else asks';
  const hooked = hooks.some((one) => one.hooks.length > 0);
  const standing: Entry = { head: 'mode', ...modeOf(mode, hooked, paint) };
  return [
    standing,
    { head: 'preset', text: `${preset ?? 'none'}; default: ${otherwise}; ${counts}` },
    ...(layers.length === 0 ? [{ head: 'files', text: 'none: only the built-in rules apply' }] : files),
    ...more,
  ];
}

function modeOf(mode: 'enforce' | 'observe', hooked: boolean, paint: Painter): Omit<Entry, 'head'> {
  if (mode === 'observe') return { text: OBSERVE_MODE, paint: (text) => paint.mark('warning', text) };
  if (!hooked)
    return { text: 'enforce, but no hook is installed: no call is checked', paint: (text) => paint.mark('warning', text) };
  return {
    text: 'enforce: denied calls are blocked, and questions wait for a person',
    paint: (text) => paint.mark('ok', text),
  };
}

const TRUST: Readonly<Record<LayerStatus['trust'], string>> = {
  own: '',
  record: 'trusted',
  trustedRepos: 'trusted by trustedRepos',
  untrusted: 'NOT TRUSTED: it can only add restrictions',
  changed: 'NO LONGER TRUSTED: it grants more than before, and can only add restrictions',
  nested: 'in a subfolder: it can only add restrictions',
  restricts: 'only adds restrictions, so it needs no trust',
};

/** `policy.yaml, sha256:1a2b3c4d5e6f, trusted on 2026-01-31` */
function layerText({ file, digest, trust, since }: LayerStatus, shown: (path: string) => string): string {
  const version = digest === null ? 'cannot be read' : digest.slice(0, 'sha256:'.length + 12);
  const standing = `${TRUST[trust]}${since === null ? '' : ` on ${since}`}`;
  return [shown(file), version, standing].filter((part) => part !== '').join(', ');
}

const SCOPES = { user: 'in all your projects', project: 'in this project', managed: 'for everybody on this machine' } as const;

/** Runners that neither are on PATH nor have a hook appear only in the JSON. */
function hookEntries({ hooks, problems }: Status, shown: (path: string) => string, paint: Painter): readonly Entry[] {
  const here = hooks.filter(({ path, hooks: own }) => path !== null || own.length > 0);
  if (here.length === 0) return [{ head: 'none', text: 'no coding agent is on PATH, and no settings contain a policy hook' }];
  return here.map((one) => {
    const broken = one.hooks.length === 0 || problems.some(({ runner }) => runner === one.runner);
    return { head: one.runner, text: hookText(one, shown), paint: (text) => paint.mark(broken ? 'error' : 'ok', text) };
  });
}

/** `in all your projects (~/.claude/settings.json:3, version 0.1.0); on PATH` */
function hookText({ path, hooks }: RunnerStatus, shown: (path: string) => string): string {
  const places = hooks.map(({ scope, file, line, version }) => {
    const program = version === null ? 'no installed copy of the program' : `version ${version}`;
    return `${SCOPES[scope]} (${shown(file)}:${line}, ${program})`;
  });
  const onPath = path === null ? 'its program is not on PATH' : 'on PATH';
  return `${places.length === 0 ? 'NO HOOK: its calls are not checked' : places.join(' and ')}; ${onPath}`;
}

function logEntries({ log }: Status, shown: (path: string) => string): readonly Entry[] {
  if (log === null) return [{ head: 'unread', text: 'it cannot be read' }];
  const { directory, today, unsealed, sealedAt } = log;
  const sealing = unsealed.count === 0 ? (sealedAt === null ? 'nothing to seal' : 'all sealed') : `${many(unsealed)} not sealed`;
  return [
    { head: 'today', text: `${many(today)} ${today.count === 1 ? 'record' : 'records'} (UTC); ${sealing}; ${shown(directory)}` },
  ];
}

function many({ count, whole }: { readonly count: number; readonly whole: boolean }): string {
  return whole ? String(count) : `more than ${count}`;
}

function denialEntries({ denials: { last, whole } }: Status, paint: Painter): readonly Entry[] {
  if (last.length === 0) return [{ head: 'none', text: whole ? 'no call was denied here' : 'none among the newest records' }];
  return last.map(({ time, tool, call, reason, agent, observed }) => {
    const who = agent === null ? '' : ` (${agent})`;
    return {
      head: `${time.slice(0, 10)} ${time.slice(11, 16)}Z`,
      text: `${observed ? 'would be denied: ' : ''}${cut([tool, call].filter((part) => part !== '').join(' '))}${who} · ${reason}`,
      paint: (text) => paint.effect('deny', text),
    };
  });
}

/** The maximum number of characters of a denied call, so that there is room for the reason. */
const LONGEST_CALL = 72;

function cut(text: string): string {
  const characters = [...text];
  return characters.length > LONGEST_CALL ? `${characters.slice(0, LONGEST_CALL - 1).join('')}…` : text;
}

/** In the words of the original document; a long list ends with the command that shows all of it. */
function runLines(runs: readonly ShownRun[] | null, paint: Painter): readonly string[] {
  if (runs === null) return [];
  if (runs.length === 0) return ['No subagent runs yet.'];
  const first = runs.filter(({ state }) => state === 'running' || state === 'waiting');
  const rest = runs.filter((run) => !first.includes(run));
  const most = Math.max(0, MOST.runs - first.length);
  const kept = new Set([...first.slice(0, MOST.runs), ...rest.slice(rest.length - most)]);
  const left = runs.length - kept.size;
  return [
    paint.title(runningLine(runs)),
    ...runs.filter((run) => kept.has(run)).map(runLine),
    ...(left > 0 ? [`  … and ${left} more: policy agents status`] : []),
  ];
}
