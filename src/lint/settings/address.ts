/** Whose server an address in settings or hooks belongs to. */

/** Whether it is a server on the same machine, so that data goes nowhere else. */
export function isLocal(address: string): boolean {
  return /^(?:[a-z][a-z+]*:\/\/)?(?:[^\s/@]*@)?(?:localhost|127(?:\.\d{1,3}){3}|\[?::1\]?|0\.0\.0\.0|host\.docker\.internal)(?=[:/?#]|$)/i.test(
    address.trim(),
  );
}

/** Returns scheme and host, without parts that may be a secret. */
export function serverOf(address: string): string {
  return (
    /^([a-z][a-z+]{1,15}:\/\/)?(?:[^\s/@'"]{0,256}@)?([^\s/?#@'"]{1,256})/i.exec(address)?.slice(1, 3).join('') ?? 'a server'
  );
}
