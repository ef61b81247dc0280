/** The completion for fish: constant words, each offered if its condition on the words typed so far is true. */
import { flagsWithValue, type Offer, type OfferedCommand, type OfferedOption } from './offers.js';

/** Returns a script for fish's completions folder. */
export function fishCompletion(commands: readonly OfferedCommand[]): string {
  return `# Completion of policy for fish, made by \`policy completion fish\`.

# Whether the first word after policy is this one.
function __policy_in
    set -l typed (commandline -opc)
    test (count $typed) -ge 2; and test "$typed[2]" = $argv[1]
end

# Whether argument number $argv[2] (or a later one, with a +) of the command is being typed; the rest are its options with values.
function __policy_at
    __policy_in $argv[1]; or return 1
    set -l typed (commandline -opc)
    set -l position 0
    set -l skip 0
    for word in $typed[3..-1]
        if test $skip -eq 1
            set skip 0
        else if contains -- $word $argv[3..-1]
            set skip 1
        else if not string match -q -- '-*' $word
            set position (math $position + 1)
        end
    end
    test $skip -eq 0; or return 1
    if string match -q -- '*+' $argv[2]
        test $position -ge (string trim -r -c + -- $argv[2])
    else
        test $position -eq $argv[2]
    end
end

complete -c policy -f
complete -c policy -n 'test (count (commandline -opc)) -eq 1' -l help -d 'Print all commands by task'
complete -c policy -n 'test (count (commandline -opc)) -eq 1' -l version -d 'Print the version'
${commands.map(({ name, describe }) => `complete -c policy -n 'test (count (commandline -opc)) -eq 1' -a ${name} -d ${fishString(describe)}`).join('\n')}
${commands.flatMap(commandLines).join('\n')}
`;
}

function commandLines(command: OfferedCommand): readonly string[] {
  const { name, arguments: offers, endless, options } = command;
  const values = flagsWithValue(command).join(' ');
  return [
    `# policy ${name}`,
    ...offers.flatMap((offer, index) => {
      const place = `${index}${endless && index === offers.length - 1 ? '+' : ''}`;
      const offered = offeredBy(offer);
      return offered === null ? [] : [`complete -c policy -n '__policy_at ${name} ${place} ${values}' ${offered}`];
    }),
    ...options.map((option) => `complete -c policy -n '__policy_in ${name}' ${optionWords(option)}`),
  ];
}

function optionWords({ flags, describe, value }: OfferedOption): string {
  const named = flags.map((flag) => (flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`)).join(' ');
  const takes = value === null ? '' : ` -r ${offeredBy(value) ?? '-f'}`;
  return `${named}${takes} -d ${fishString(describe)}`;
}

/** Returns the arguments of `complete` that offer it; null if nothing can be offered. */
function offeredBy(offer: Offer): string | null {
  if (offer.kind === 'words') return offer.words.length === 0 ? null : `-f -a ${fishString(offer.words.join(' '))}`;
  if (offer.kind === 'files') return '-F';
  return offer.kind === 'folders' ? "-f -a '(__fish_complete_directories)'" : null;
}

function fishString(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
