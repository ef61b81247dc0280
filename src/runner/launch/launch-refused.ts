/** A launcher throws it when the client cannot be started as the run has to be: the message says what to do. */
export class LaunchRefused extends Error {
  override readonly name = 'LaunchRefused';
}
