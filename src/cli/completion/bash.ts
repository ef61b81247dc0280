/** The completion for bash: one function with constant words; file names are left to readline. */
import { flagsWithValue, type Offer, type OfferedCommand } from './offers.js';

/** Returns a script to source. It evaluates nothing: typed words are only compared (bash 3.2 and newer). */
export function bashCompletion(commands: readonly OfferedCommand[]): string {
  const values = commands.flatMap((command) => flagsWithValue(command).map((flag) => `${command.name}:${flag}`));
  return `# Completion of policy for bash, made by \`policy completion bash\`.

# Offers those of its words that begin with $word.
_policy_offer() {
  local candidate
  for candidate in "$@"; do
    if [[ $candidate == "$word"* ]]; then COMPREPLY+=("$candidate"); fi
  done
}

_policy() {
  local word=\${COMP_WORDS[COMP_CWORD]} command=\${COMP_WORDS[1]-} option= position=0 ended= index
  COMPREPLY=()
  if (( COMP_CWORD == 1 )); then
    _policy_offer ${[...commands.map(({ name }) => name), '--help', '--version'].join(' ')}
    return
  fi
  # Which argument is this, or the value of which option? \`--flag=value\` comes as three words.
  for (( index = 2; index < COMP_CWORD; index++ )); do
    case $ended$command:\${COMP_WORDS[index]} in
      -*) (( position++ )) ;;
      *:--) ended=- ;;
      ${values.join(' | ')})
        option=\${COMP_WORDS[index]}
        (( index++ ))
        if [[ \${COMP_WORDS[index]} == = ]]; then
          if (( index == COMP_CWORD )); then word=; fi
          (( index++ ))
        fi
        if (( index < COMP_CWORD )); then option=; fi
        ;;
      *:-*) ;;
      *) (( position++ )) ;;
    esac
  done
  if [[ -n $option ]]; then
    case $command:$option in
${commands.flatMap(valueLines).join('\n')}
    esac
    return
  fi
  if [[ -z $ended && $word == -* ]]; then
    case $command in
${commands.map(({ name, options }) => `      ${name}) _policy_offer ${options.flatMap(({ flags }) => flags).join(' ')} ;;`).join('\n')}
    esac
    return
  fi
  case $command:$position in
${commands.flatMap(argumentLines).join('\n')}
  esac
}

complete -F _policy policy
`;
}

function valueLines({ name, options }: OfferedCommand): readonly string[] {
  return options.flatMap(({ flags, value }) => {
    const action = value === null ? null : actionOf(value);
    return action === null ? [] : [`      ${flags.map((flag) => `${name}:${flag}`).join(' | ')}) ${action} ;;`];
  });
}

function argumentLines({ name, arguments: offers, endless }: OfferedCommand): readonly string[] {
  return offers.flatMap((offer, index) => {
    const action = actionOf(offer);
    const place = endless && index === offers.length - 1 ? '*' : String(index);
    return action === null ? [] : [`    ${name}:${place}) ${action} ;;`];
  });
}

/** Returns the shell action for one position; null if nothing can be offered. */
function actionOf(offer: Offer): string | null {
  if (offer.kind === 'words') return offer.words.length === 0 ? null : `_policy_offer ${offer.words.join(' ')}`;
  // bash 3.2 has no compopt, and then offers nothing.
  if (offer.kind === 'files') return 'compopt -o default 2> /dev/null';
  return offer.kind === 'folders' ? 'compopt -o dirnames 2> /dev/null' : null;
}
