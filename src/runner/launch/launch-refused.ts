/** Thrown by a launcher if the runner cannot be started as the run requires: the message states what to do. */
export class LaunchRefused extends Error {
  override readonly name = 'LaunchRefused';
}
