/** AS-1, a policy in force: it is written down, trusted, and enforced. */

import { type Examined, judged } from '../model/examined.js';
import type { Control } from '../subject/control.js';
import { lineEvidence, scanEvidence } from '../subject/evidence.js';
import { type AuditSubject, settingEvidence } from '../subject/subject.js';

export const as1: Control = {
  id: 'AS-1',
  async examine(subject) {
    return [
      { claim: 'present', runner: null, found: present(subject) },
      { claim: 'trusted', runner: null, found: trusted(subject) },
      { claim: 'enforced', runner: null, found: enforced(subject) },
    ];
  },
};

/** Evidence: a policy file of any layer, or the places in which there is none. */
function present({ workspace, project }: AuditSubject): Examined {
  const files = workspace.policy.sources.flatMap(({ file, layer }) =>
    lineEvidence(project, { file, line: 1 }, `This is the ${layer} policy.`, { supports: true, excerpt: '' }),
  );
  if (files.length > 0) return judged(files, '');
  const looked = ['policy.yaml', 'policy.json', 'policy.toml'].map((file) => ({ file, digest: null }));
  const shows = 'No policy file was found: only the built-in rules apply, and everything else asks.';
  return judged([scanEvidence(false, shows, 'a policy file', looked)], '');
}

/** Rules of an untrusted project only add restrictions: its allow rules are ignored. */
function trusted({ workspace, project }: AuditSubject): Examined {
  const pieces = workspace.policy.sources.flatMap(({ file, layer, trusted: supports }) => {
    const shows = supports ? `The ${layer} policy counts.` : 'This file is not trusted, so only its restrictions apply.';
    return lineEvidence(project, { file, line: 1 }, shows, { supports, excerpt: '' });
  });
  return judged(pieces, 'There is no policy file.');
}

function enforced(subject: AuditSubject): Examined {
  const value = subject.workspace.policy.mode;
  const supports = value === 'enforce';
  const shows = supports ? 'Decisions are enforced.' : 'Observe mode: decisions are logged, nothing is blocked.';
  return judged([settingEvidence(subject, { key: 'mode', value, supports, shows })], '');
}
