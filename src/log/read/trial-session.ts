/** Calls with which `policy doctor` tests an installed hook: they are in the log like any other, but no agent made them. */
const PREFIX = 'policy-doctor-';
const TRIAL_SESSION = /^policy-doctor-[0-9a-f-]{36}$/;

export function trialSession(uuid: string): string {
  return `${PREFIX}${uuid}`;
}

/** Whether a record's session is one of `policy doctor`. */
export function isTrialSession(session: string | null): boolean {
  return session !== null && TRIAL_SESSION.test(session);
}
