/** How PowerShell interprets names of commands. A name that is not here, or means something else on one of its systems, has no reading. */

const set = (names: string) => new Set(names.split(/\s+/));
const canonical = (names: string) => new Map(names.split(/\s+/).map((name) => [name.toLowerCase(), name]));

/** Commands that may begin a pipeline (rules/commands/powershell.yaml states what they do). */
const SOURCES = canonical(
  'Get-ChildItem Get-Content Select-String Get-Item Test-Path Resolve-Path Get-FileHash Split-Path Join-Path Get-Location Get-Date ' +
    'Get-Command Get-Help Get-Process Get-Service Compare-Object Write-Output Write-Host Start-Sleep',
);

/** Commands that take pipeline input and bind no path in it: an object may contain a path under any name. */
const FILTERS = canonical(
  'Select-Object Sort-Object Where-Object Measure-Object Group-Object Format-Table Format-List Format-Wide Out-String Out-Null Out-Host ' +
    'Get-Unique Get-Member ConvertTo-Json ConvertFrom-Json',
);

/**
 * Aliases that are the same everywhere, and two that are programs elsewhere: `ls` and `cat` show the same for the same files, and
 * have no option that does more (7.5 and 5.1: `Get-Alias`; about_Aliases).
 */
const ALIASES = new Map(
  (
    'dir:Get-ChildItem gci:Get-ChildItem ls:Get-ChildItem gc:Get-Content cat:Get-Content type:Get-Content sls:Select-String gi:Get-Item ' +
    'rvpa:Resolve-Path gl:Get-Location pwd:Get-Location gcm:Get-Command gps:Get-Process gsv:Get-Service echo:Write-Output ' +
    'select:Select-Object where:Where-Object ?:Where-Object measure:Measure-Object group:Group-Object ft:Format-Table fl:Format-List ' +
    'fw:Format-Wide oh:Out-Host gm:Get-Member'
  )
    .split(' ')
    .map((pair) => pair.split(':') as [string, string]),
);

/** Programs that are machine code wherever they are installed: they receive their words as PowerShell passes them. */
const PROGRAMS = set(
  'git gh cargo rustc go gofmt node dotnet python python3 rg grep head tail wc jq docker podman kubectl helm terraform aws',
);

/** Programs that may be scripts of cmd.exe or PowerShell, which parse their words again. */
const SCRIPTS = set(
  'npm npx pnpm yarn bun deno tsc eslint prettier biome jest vitest mocha pytest pip pip3 uv poetry ruff black mypy mvn gradle make ' +
    'cmake ctest ninja just java javac python python3 aws rustup bundle rspec rake composer php ruby',
);

/** Programs that only filter their pipeline input. */
const FILTERING_PROGRAMS = set('grep head tail wc jq rg');

export type Named =
  | { readonly kind: 'command'; readonly name: string; readonly filters: boolean }
  | { readonly kind: 'location' }
  | { readonly kind: 'program'; readonly name: string; readonly script: boolean; readonly filters: boolean };

/** The meaning of a name at the start of a command; null when it is not certain. */
export function commandNamed(written: string): Named | null {
  const lower = written.toLowerCase();
  if (lower === 'cd' || lower === 'sl' || lower === 'chdir' || lower === 'set-location') return { kind: 'location' };
  const full = (ALIASES.get(lower) ?? lower).toLowerCase();
  const filter = FILTERS.get(full);
  const name = filter ?? SOURCES.get(full);
  if (name !== undefined) return { kind: 'command', name, filters: filter !== undefined };
  const script = SCRIPTS.has(written);
  return script || PROGRAMS.has(written)
    ? { kind: 'program', name: written, script, filters: FILTERING_PROGRAMS.has(written) }
    : null;
}
