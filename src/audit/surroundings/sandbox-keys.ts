/**
 * What settings may say of a coding agent's sandbox so that it still holds. Only what stands here is known: with any other key nobody can
 * tell what commands may do, and the sandbox does not count.
 */
import type { RunnerId } from '../../call/tool-call.js';

/**
 * What a value must be: `any`, `off` (false), a command that only reads, a folder in the project or a temporary one, an address that is
 * one host, a permission rule that widens no folder and no address, the name of this platform, or one of a list.
 */
export type Harmless =
  | 'any'
  | 'off'
  | 'none'
  | 'command'
  | 'folder'
  | 'host'
  | 'rule'
  | 'platform'
  | readonly (string | boolean)[];

export interface SandboxKeys {
  /** Every value below these names has to be known. */
  readonly sections: readonly (readonly string[])[];
  /** Beginnings of names, outermost first and joined with dots, of further values that have to be known. */
  readonly prefixes: readonly string[];
  /** By the names joined with dots; of a list each member is meant, of a table with `.*` each value. */
  readonly known: Readonly<Record<string, Harmless>>;
}

const TOOLS = [true, 'docker', 'podman', 'sandbox-exec'];

export const SANDBOX_KEYS: Readonly<Partial<Record<RunnerId, SandboxKeys>>> = {
  // Documentation of its settings, and the descriptions in 2.1.330.
  'claude-code': {
    sections: [['sandbox']],
    prefixes: ['permissions.additionalDirectories', 'permissions.allow'],
    known: {
      'sandbox.enabled': 'any',
      'sandbox.failIfUnavailable': 'any',
      'sandbox.autoAllowBashIfSandboxed': 'any',
      'sandbox.allowUnsandboxedCommands': 'off',
      'sandbox.enableWeakerNestedSandbox': 'off',
      'sandbox.enableWeakerNetworkIsolation': 'off',
      'sandbox.allowNestedUserNamespaces': 'off',
      'sandbox.allowAppleEvents': 'off',
      'sandbox.excludedCommands': 'command',
      'sandbox.enabledPlatforms': 'platform',
      'sandbox.ignoreViolations.*': 'any',
      'sandbox.filesystem.allowWrite': 'folder',
      'sandbox.filesystem.denyWrite': 'any',
      'sandbox.filesystem.denyRead': 'any',
      'sandbox.filesystem.allowRead': 'any',
      'sandbox.filesystem.allowManagedReadPathsOnly': 'any',
      'sandbox.network.allowedDomains': 'host',
      'sandbox.network.deniedDomains': 'any',
      'sandbox.network.allowManagedDomainsOnly': 'any',
      'sandbox.network.allowLocalBinding': 'any',
      'sandbox.network.allowAllUnixSockets': 'off',
      'sandbox.network.allowUnixSockets': 'none',
      // The sandbox takes folders and addresses from rules, too.
      'permissions.additionalDirectories': 'folder',
      'permissions.allow': 'rule',
    },
  },
  // The configuration reference of Codex.
  codex: {
    sections: [['sandbox_workspace_write']],
    prefixes: ['default_permissions', 'permissions'],
    known: {
      'sandbox_workspace_write.writable_roots': 'folder',
      'sandbox_workspace_write.network_access': 'off',
      'sandbox_workspace_write.exclude_tmpdir_env_var': 'any',
      'sandbox_workspace_write.exclude_slash_tmp': 'any',
      // The profile that `policy install --sandbox` writes.
      default_permissions: [':read-only', ':workspace', 'policy'],
      'permissions.policy.extends': [':read-only', ':workspace'],
      'permissions.policy.filesystem.*': ['deny'],
    },
  },
  // `loadSandboxConfig` of 0.61.0.
  'gemini-cli': {
    sections: [],
    prefixes: ['tools.sandbox'],
    known: { 'tools.sandbox': TOOLS, 'tools.sandboxAllowedPaths': 'folder', 'tools.sandboxNetworkAccess': 'any' },
  },
  // `loadSandboxConfig` of 0.24.4; what `tools.executionSandbox` does is another thing, and was not tried.
  'qwen-code': { sections: [], prefixes: ['tools.sandbox', 'tools.executionSandbox'], known: { 'tools.sandbox': TOOLS } },
};
