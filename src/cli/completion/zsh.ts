/** The completion for zsh: constant specifications for `_arguments`. */
import { singleQuoted } from '../../call/quote.js';
import type { Offer, OfferedCommand, OfferedOption } from './offers.js';

/** Returns a file for a folder of $fpath, with the name _policy; it can also be sourced after compinit. */
export function zshCompletion(commands: readonly OfferedCommand[]): string {
  return `#compdef policy
# Completion of policy for zsh, made by \`policy completion zsh\`.

_policy() {
  local -a commands=(
${commands.map(({ name, describe }) => `    ${singleQuoted(`${name}:${describe.replaceAll(':', '\\:')}`)}`).join('\n')}
  )
  if (( CURRENT == 2 )); then
    if [[ $words[2] == -* ]]; then
      compadd -- --help --version
    else
      _describe command commands
    fi
    return
  fi
  shift words
  (( CURRENT-- ))
  case $words[1] in
${commands.map(commandLines).join('\n')}
  esac
}

if [[ $zsh_eval_context[-1] == loadautofunc ]]; then
  _policy "$@"
else
  compdef _policy policy
fi
`;
}

function commandLines({ name, options, arguments: offers, endless }: OfferedCommand): string {
  const specifications = [
    ...options.flatMap(optionSpecifications),
    ...offers.map((offer, index) => {
      const place = endless && index === offers.length - 1 ? '*' : String(index + 1);
      return singleQuoted(`${place}:argument:${actionOf(offer)}`);
    }),
  ];
  return [`    ${name})`, ...['_arguments -s :', ...specifications].map(continued), '      ;;'].join('\n');
}

/** Joins the lines of one command. */
function continued(line: string, index: number, { length }: readonly string[]): string {
  return `${index === 0 ? '      ' : '        '}${line}${index === length - 1 ? '' : ' \\'}`;
}

function optionSpecifications({ flags, describe, value }: OfferedOption): readonly string[] {
  const text = describe.replaceAll(/[[\]:\\]/g, '\\$&');
  return flags.map((flag) => {
    if (value === null) return singleQuoted(`${flag}[${text}]`);
    return singleQuoted(`${flag}${flag.startsWith('--') ? '=' : '+'}[${text}]:value:${actionOf(value)}`);
  });
}

function actionOf(offer: Offer): string {
  if (offer.kind === 'words') return `(${offer.words.join(' ')})`;
  if (offer.kind === 'files') return '_files';
  return offer.kind === 'folders' ? '_files -/' : ' ';
}
