/** Addresses in settings and hooks: whose server it is. */

/** A server on the same machine, whose data goes nowhere else. */
export function isLocal(address: string): boolean {
  return /^(?:[a-z][a-z+]*:\/\/)?(?:[^\s/@]*@)?(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?|0\.0\.0\.0|host\.docker\.internal)(?=[:/?#]|$)/i.test(
    address.trim(),
  );
}

/** Scheme and host, without what may be a secret. */
export function serverOf(address: string): string {
  return (
    /^([a-z][a-z+]{1,15}:\/\/)?(?:[^\s/@'"]{0,256}@)?([^\s/?#@'"]{1,256})/i.exec(address)?.slice(1, 3).join('') ?? 'a server'
  );
}
