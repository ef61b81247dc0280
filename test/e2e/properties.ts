/** What is asked of every client: how the disk, the log and the model's next question have to look after a session. */
import type { Client } from './clients.js';
import { BROKEN, DENIED, type SessionName } from './sessions.js';
import type { RunEnd } from './stage.js';

export interface Property {
  readonly name: string;
  readonly session: SessionName;
  /** Why it does not apply to a client; null when it does. */
  readonly leftOut?: (client: Client) => string | null;
  /** Null: it holds; else what was seen instead. */
  readonly holds: (end: RunEnd) => string | null;
}

const REASON = 'Nothing is touched here';
const noAgents = ({ agent }: Client) => (agent === null ? 'it has no subagents' : null);

/** A command of the session `calls` that must have left nothing, although the model went on to the end. */
function denied(name: string, form: keyof typeof DENIED): Property {
  return {
    name: `${name}: \`${DENIED[form]}\``,
    session: 'calls',
    holds: (end) => (end.made(form) ? 'it ran' : reached(end, 1 + Object.keys(DENIED).length)),
  };
}

function broken(name: string, how: keyof typeof BROKEN): Property {
  return {
    name,
    session: 'failing',
    holds: (end) => (end.made(how) ? 'the call ran' : reached(end, Object.keys(BROKEN).length)),
  };
}

/** The model was asked again after each of its turns: otherwise that nothing ran would prove nothing. */
function reached(end: RunEnd, turns: number): string | null {
  if (end.hung) return `the client hung: ${tail(end)}`;
  return end.requests.filter((text) => text.includes('SCENARIO:main')).length > turns
    ? null
    : `the model was not asked again: ${tail(end)}`;
}

export const PROPERTIES: readonly Property[] = [
  {
    name: 'what the policy does not object to runs',
    session: 'calls',
    holds: (end) => (end.made('made') ? null : `it did not run: ${tail(end)}`),
  },
  denied('a denied command does not run', 'plain'),
  {
    name: 'the reason reaches the model',
    session: 'calls',
    leftOut: ({ tellsReason }) => (tellsReason ? null : 'the client keeps it to itself'),
    holds: ({ requests }) => (requests.slice(1).some((text) => text.includes(REASON)) ? null : 'it does not'),
  },
  denied('nor within a compound', 'compound'),
  denied('nor behind a wrapper', 'wrapper'),
  denied("nor in a shell's script", 'script'),
  denied('nor in a substitution', 'substitution'),
  denied('a question that nobody can answer is a denial', 'question'),
  broken('a hook that is killed blocks', 'crash'),
  broken('a program that does nothing in place of the hook blocks', 'empty'),
  broken('a program that talks and fails blocks', 'talk'),
  broken('a hook that hangs blocks', 'hang'),
  {
    name: 'calls of a subagent are judged',
    session: 'agent',
    leftOut: noAgents,
    holds: (end) =>
      end.made('plain') ? 'the denied command ran' : end.made('made') ? null : `the allowed one did not run: ${tail(end)}`,
  },
  {
    name: 'and under its name',
    session: 'agent',
    leftOut: (client) => noAgents(client) ?? (client.namesAgents ? null : 'its hooks are not told who calls'),
    holds: ({ log }) =>
      log.some(({ agent }) => agent === 'reviewer') ? null : `no record names it: ${JSON.stringify(log).slice(0, 600)}`,
  },
  {
    name: 'of two subagents at once, one is refused',
    session: 'agents',
    leftOut: noAgents,
    holds: (end) => {
      const starts = end.log
        .filter(({ kind, canonical }) => kind === 'decision' && canonical === 'Agent')
        .map(({ decision }) => decision);
      const refused = starts.length === 2 && starts.includes('deny') && starts.some((one) => one !== 'deny');
      return refused ? null : `${JSON.stringify(starts)}: ${tail(end)}`;
    },
  },
  {
    name: 'known limit: without trust in the hook the gate is open',
    session: 'untrusted',
    leftOut: ({ needsTrust }) => (needsTrust ? null : 'it asks for none'),
    holds: (end) => (end.made('plain') ? null : 'it did not run: the limit is gone'),
  },
  {
    name: 'the client by itself: exit code 2 with a text on both channels blocks',
    session: 'noise',
    holds: (end) => (end.made('made') ? 'the call ran' : reached(end, 1)),
  },
];

function tail({ output, log }: RunEnd): string {
  return `${output.slice(-500)} ${JSON.stringify(log.slice(-1)).slice(0, 300)}`;
}
