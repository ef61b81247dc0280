/** Summarizes the decision log of a project: the decisions, the rules that decided, and the calls that no hook judged. */
import { approvedOffers } from '../../author/approved-calls.js';
import { logDirectory } from '../../log/files/directory.js';
import { LogError } from '../../log/files/log-error.js';
import { cappedText } from '../../log/record/capped-input.js';
import { LONGEST_RULE } from '../../log/record/record.js';
import type { NameCounts } from '../../log/scan/counts.js';
import { scanLog } from '../../log/scan/scan.js';
import type { Workspace } from '../../project/workspace.js';
import { excerptOf, shownFile } from '../model/digest.js';
import type { AllowCandidate, DecisionLog, RuleCount, TranscriptCoverage, UnusedRule } from '../model/types.js';
import { MOST_EXAMPLES, ProjectCounter } from './counter.js';
import { type Told, toldCalls } from './transcripts.js';

const MOST_ROWS = 10;
const MOST_SAMPLE = 120;
/** The tool that starts a subagent. */
const STARTS = 'Agent';

/**
 * Null when the log contains no record of the project, or cannot be read (another control reports that).
 * @param transcripts a folder of Claude Code's transcripts; null: none is read
 * @param until milliseconds since 1970: later records are ignored
 */
export function analyseLog(
  workspace: Workspace,
  stateDirectory: string,
  transcripts: string | null,
  until?: number,
): DecisionLog | null {
  const { project } = workspace.surroundings;
  const told = transcripts === null ? null : toldCalls(transcripts, project);
  const all = told === null ? null : new Map(told.calls);
  const counter = new ProjectCounter(told?.calls ?? null);
  let unreadable = 0;
  try {
    scanLog(stateDirectory, { project, withoutTrials: true, ...(until !== undefined && { until }) }, counter, () => {
      unreadable += 1;
    });
  } catch (error) {
    if (error instanceof LogError) return null;
    throw error;
  }
  const { first, last } = counter.span;
  if (first === null || last === null) return null;
  const tools = counter.tools.sorted();
  const starts = tools.find(([name]) => name === STARTS)?.[1];
  return {
    directory: logDirectory(stateDirectory),
    records: counter.records,
    first,
    last,
    unreadable,
    sessions: counter.sessions,
    decisions: counter.decisions,
    observed: counter.observed,
    results: counter.results,
    tools: tools.slice(0, MOST_ROWS).map(([name, answers]) => ({ name, ...answers })),
    agents: counter.agents
      .sorted()
      .slice(0, MOST_ROWS)
      .map(([key, answers]) => ({ ...agentOf(key), ...answers })),
    denied: rulesOf(counter.rules.deny),
    asked: rulesOf(counter.rules.ask),
    candidates: counter.decisions.ask === 0 ? [] : candidates(workspace, stateDirectory, Date.parse(first)),
    rules: unusedRules(workspace, counter),
    failures: { count: counter.failures, last: counter.lastFailure },
    budget: counter.budget,
    subagents: { starts: starts === undefined ? 0 : starts.allow + starts.ask + starts.deny, overlaps: counter.overlaps },
    coverage: counter.named === 0 ? null : { calls: counter.named, unjudged: counter.unjudged, examples: counter.examples },
    transcripts: told === null || all === null ? null : transcriptCoverage(told, all, first),
  };
}

function agentOf(key: string): { readonly name: string; readonly model: string | null } {
  const [agent, model] = parsedPair(key);
  return { name: agent ?? (key.startsWith('[') ? 'main agent' : key), model };
}

/** Returns rules with their counts, the most frequent first. */
function rulesOf(counts: NameCounts): readonly RuleCount[] {
  return counts
    .sorted()
    .slice(0, MOST_ROWS)
    .map(([key, count]) => {
      const [text, place] = parsedPair(key);
      return { text: text ?? key, place, count };
    });
}

/** Parses a name that consists of two strings; names of any other kind give nulls. */
function parsedPair(key: string): readonly [string | null, string | null] {
  if (!key.startsWith('[')) return [null, null];
  const pair: unknown = JSON.parse(key);
  const [first, second] = Array.isArray(pair) ? pair : [];
  return [typeof first === 'string' ? first : null, typeof second === 'string' ? second : null];
}

/** Like `policy allow --from-log`, but only for approved calls: here nobody can ask a person whether the rest is fine, too. */
function candidates(workspace: Workspace, stateDirectory: string, since: number): readonly AllowCandidate[] {
  return approvedOffers(workspace, stateDirectory, since, 'approved')
    .slice(0, MOST_ROWS)
    .map(({ calls, sample, line }) => ({ calls, sample: excerptOf(sample, MOST_SAMPLE), line }));
}

/** Only rules that grant something are candidates for removal; a denial that no call met may be the reason why nobody tried. */
function unusedRules({ policy, surroundings }: Workspace, counter: ProjectCounter): DecisionLog['rules'] {
  const allow = policy.rules.filter(({ effect }) => effect === 'allow');
  const unused = allow.filter((rule) => !counter.isUsed({ ...rule, text: cappedText(rule.text, LONGEST_RULE) }));
  const examples = unused.slice(0, MOST_ROWS).map(({ text, source }): UnusedRule => {
    return { text: cappedText(text, LONGEST_RULE), place: `${shownFile(surroundings.project, source.file)}:${source.line}` };
  });
  return { allow: allow.length, unused: unused.length, examples };
}

/** Of the calls since the beginning of the project's log, reports those for which no decision was found. */
function transcriptCoverage({ calls, files, whole }: Told, all: Told['calls'], first: string): TranscriptCoverage {
  const isSince = ({ time }: { readonly time: string | null }) => time === null || Date.parse(time) >= Date.parse(first);
  const left = [...calls].filter(([, call]) => isSince(call));
  return {
    files,
    whole,
    calls: [...all.values()].filter(isSince).length,
    unjudged: left.length,
    examples: left.slice(0, MOST_EXAMPLES).map(([toolUseId, call]) => ({ toolUseId: excerptOf(toolUseId), ...call })),
  };
}
