/**
 * With what the installed line starts node, so that each call costs less. Node itself then needs a sixth fewer instructions (node 20
 * to 26, measured): nothing of the hook's work is left out for it.
 */

/**
 * Words behind `node`. V8 keeps the hashes of its snapshot (otherwise it draws new ones at each start, and looks for primes to do
 * so; they would protect a server from keys that collide, and here the deadline does), optimises nothing for a process this short
 * but what runs very often, nor a regular expression before its tenth text, and starts with room for all that a call needs, one
 * that compiles the policy included; node does not ask for the real path of a program that is named by it, and starts one thread
 * for V8's work on the side instead of four (2 % of the time of a call).
 */
export const NODE_OPTIONS: readonly string[] = [
  '--no-rehash-snapshot',
  '--no-sparkplug',
  '--no-ignition-reo',
  '--min-semi-space-size=4',
  '--preserve-symlinks-main',
  '--no-global-search-paths',
  '--v8-pool-size=1',
  '--regexp-tier-up-ticks=10',
];

/** What `env` sets for it: no configuration of OpenSSL is read, and none can load a library into the hook. */
export const NODE_VARIABLES: Readonly<Record<string, string>> = { OPENSSL_CONF: '/dev/null' };
