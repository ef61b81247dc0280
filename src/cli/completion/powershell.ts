/** The completion for PowerShell (5.1 and newer): a table of constant words, looked up by the words typed so far. */
import type { Offer, OfferedCommand } from './offers.js';

/** Returns a script for a profile. It evaluates nothing: typed words are only compared; paths are left to PowerShell. */
export function powershellCompletion(commands: readonly OfferedCommand[]): string {
  return `# Completion of policy for PowerShell, made by \`policy completion powershell\`.

Register-ArgumentCompleter -Native -CommandName policy -ScriptBlock {
    param($wordToComplete, $commandAst, $cursorPosition)
    # Per command: what it does, its options with their words ($null: a switch), its arguments, whether the last of them repeats.
    $commands = [ordered]@{
${commands.map(entryOf).join('\n')}
    }
    function Offer($names, $describe) {
        foreach ($name in $names) {
            if ($name.StartsWith($wordToComplete, [StringComparison]::OrdinalIgnoreCase)) {
                [System.Management.Automation.CompletionResult]::new($name, $name, 'ParameterValue', $describe)
            }
        }
    }
    # The words before the one that is being typed, without policy itself.
    $typed = @($commandAst.CommandElements | Where-Object { $_.Extent.EndOffset -lt $cursorPosition } | Select-Object -Skip 1 | ForEach-Object { $_.Extent.Text })
    if ($typed.Count -eq 0) {
        foreach ($name in $commands.Keys) { Offer $name $commands[$name].Describe }
        Offer @('--help', '--version') 'Print all commands by task, or the version'
        return
    }
    $command = $commands[$typed[0]]
    if ($null -eq $command) { return }
    # Which argument is this, or the value of which option?
    $position = 0
    $option = $null
    $ended = $false
    foreach ($word in @($typed | Select-Object -Skip 1)) {
        if ($null -ne $option) { $option = $null }
        elseif ($ended) { $position++ }
        elseif ($word -ceq '--') { $ended = $true }
        elseif ($command.Options.Contains($word) -and $null -ne $command.Options[$word].Words) { $option = $word }
        elseif (-not $word.StartsWith('-')) { $position++ }
    }
    if ($null -ne $option) { Offer $command.Options[$option].Words $command.Options[$option].Describe; return }
    if (-not $ended -and $wordToComplete.StartsWith('-')) {
        foreach ($name in $command.Options.Keys) { Offer $name $command.Options[$name].Describe }
        return
    }
    if ($command.Endless) { $position = [Math]::Min($position, $command.Arguments.Count - 1) }
    if ($position -lt $command.Arguments.Count) { Offer $command.Arguments[$position] $command.Describe }
}
`;
}

function entryOf({ name, describe, arguments: offers, endless, options }: OfferedCommand): string {
  const rows = options.flatMap(({ flags, describe: what, value }) =>
    flags.map(
      (flag) =>
        `                ${powershellString(flag)} = @{ Describe = ${powershellString(what)}; Words = ${value === null ? '$null' : wordsOf(value)} }`,
    ),
  );
  // The comma before a list makes it a nested list.
  return `        ${powershellString(name)} = @{
            Describe = ${powershellString(describe)}
            Arguments = @(${offers.map((offer) => `,${wordsOf(offer)}`).join(' + ')})
            Endless = $${endless}
            Options = [ordered]@{
${rows.join('\n')}
            }
        }`;
}

/** Returns the constant words to offer; none if PowerShell completes paths itself. */
function wordsOf(offer: Offer): string {
  return `@(${offer.kind === 'words' ? offer.words.map(powershellString).join(', ') : ''})`;
}

/** Returns a string in which PowerShell expands nothing; typographic quotes are quotes in PowerShell, too. */
function powershellString(text: string): string {
  return `'${text.replace(/['\u2018-\u201b]/g, '$&$&')}'`;
}
