/** The network access of a command line that starts by itself, as far as the line shows it: downloaded code, and sent data. */
import type { CommandLine, Invocation, ShellWord } from '../../shell/syntax/types.js';
import { fetchedPackage } from '../mcp/fetched-package.js';
import { isLocal, serverOf } from '../settings/address.js';
import { isShell, linesIn, programOf, wordsOf } from './command-line.js';

export interface Reach {
  /** Completes "it …" and ", and …", with the program's name. */
  readonly why: string;
  /** It runs code that a server sends. */
  readonly runsRemote: boolean;
  /** Severity of code or versions that can change without a change of the file, and of data that is sent out. */
  readonly weight: 'error' | 'warning' | 'info';
}

const FETCHERS: ReadonlySet<string> = new Set(['curl', 'wget', 'fetch', 'http', 'aria2c']);
const INTERPRETERS = /^(?:python[\d.]*|node|ruby|perl|php|deno|bun|pwsh)$/;

/** Returns all reasons: remote code first, then fetched packages, then sent data. */
export function reaching(text: string): readonly Reach[] {
  const lines = linesIn(text);
  return [
    ...lines.flatMap(remoteCode),
    ...lines.flatMap(({ invocations }) => invocations.flatMap((package_) => packageRun(package_))),
    ...lines.flatMap(sends),
  ];
}

/** `curl … | sh`, `bash <(curl …)`, `eval "$(curl …)"`. */
function remoteCode({ invocations }: CommandLine): Reach[] {
  const fetches = invocations.filter((one) => FETCHERS.has(programOf(wordsOf(one)[0])));
  const [fetch] = fetches;
  if (fetch === undefined) return [];
  const runs = invocations.some((one) => {
    const words = wordsOf(one);
    const program = programOf(words[0]);
    const fed = fetches.some(({ span }) => span.start < one.span.start);
    if (one.piped && fed && (isShell(program) || INTERPRETERS.test(program))) return readsProgram(words, isShell(program));
    const inside = fetches.some(
      ({ span, enclosures }) => isWithin(span, one.span) && enclosures.some((kind) => kind.endsWith('substitution')),
    );
    return inside && (isShell(program) || program === 'eval' || program === 'source' || program === '.');
  });
  const program = programOf(wordsOf(fetch)[0]);
  return runs ? [{ why: `it runs what ${program} gets from a server`, runsRemote: true, weight: 'error' }] : [];
}

function isWithin(
  inner: { readonly start: number; readonly end: number },
  outer: { readonly start: number; readonly end: number },
): boolean {
  return inner.start > outer.start && inner.end <= outer.end;
}

/** Whether its program comes from standard input, because no word of the line is one. */
function readsProgram(words: readonly ShellWord[], shell: boolean): boolean {
  const rest = words.slice(1).map(({ text }) => text);
  if (rest.some((word) => /^(?:-[a-zA-Z]*[ce]|-m|--eval|-p|--print)$/.test(word))) return false;
  const first = rest.find((word) => !word.startsWith('-') || word === '-');
  return first === undefined || first === '-' || first === '/dev/stdin' || (shell && rest.includes('-s'));
}

/** Programs that use the project's copy before they fetch one. */
const LOCAL_FIRST: ReadonlySet<string> = new Set(['npx', 'bunx', 'npm']);

function packageRun(invocation: Invocation): Reach[] {
  const words = wordsOf(invocation);
  const texts = words.map(({ value, text }) => value ?? text);
  const fetched = fetchedPackage(texts);
  if (fetched === null || fetched.isPinned) return [];
  const program = programOf(words[0]);
  const weight = weightOf(fetched.text, LOCAL_FIRST.has(program), texts.slice(1, fetched.index));
  const what = fetched.text.slice(0, 80);
  return weight === null ? [] : [{ why: `${program} runs whatever ${what} is by then`, runsRemote: false, weight }];
}

function weightOf(spec: string, localFirst: boolean, options: readonly string[]): 'warning' | 'info' | null {
  if (/^(?:git\+|github:|https?:)/.test(spec) || /.[@:](?:latest|next|beta|canary|main|master|dev)$/.test(spec)) return 'warning';
  if (options.some((word) => word === '-y' || word === '--yes')) return 'warning';
  return localFirst ? null : 'info';
}

const SENDING =
  /^(?:-d|--data(?:-\w+)?|-F|--form|-T|--upload-file|--json|--post-data|--post-file|-X(?:POST|PUT)?|--request)(?:=|$)/;

/** Detects data sent to another server, in particular the whole call if the payload of the hook is sent unchanged. */
function sends({ invocations }: CommandLine): Reach[] {
  return invocations.flatMap((invocation): Reach[] => {
    const words = wordsOf(invocation);
    const program = programOf(words[0]);
    const texts = words.slice(1).map(({ value, text }) => value ?? text);
    const address = texts.find((text) => /^["']?https?:\/\//i.test(text))?.replace(/^["']/, '');
    if (!FETCHERS.has(program) || address === undefined || isLocal(address) || !texts.some((text) => SENDING.test(text)))
      return [];
    const whole = texts.some((text) => /^(?:@-|@\/dev\/stdin|.*=@-)$/.test(text));
    const what = whole ? 'the whole payload of the hook' : 'data';
    return [{ why: `${program} sends ${what} to ${serverOf(address)}`, runsRemote: false, weight: whole ? 'warning' : 'info' }];
  });
}
