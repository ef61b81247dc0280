import { codexProfiles } from '../../../lint/codex/profiles.js';
import type { ConfigFile } from '../../../lint/files/files.js';
import type { LintRule, Report } from '../../../lint/project/rule.js';
import type { LocatedText } from '../../../lint/text/located-text.js';
import { shown } from '../../../policy/sentences.js';

export const codexWideSandbox: LintRule = {
  id: 'codex/wide-sandbox',
  severity: 'warning',
  persona: 'reviewer',
  docs: {
    what: 'The workspace sandbox of Codex reaches beyond the workspace.',
    why: 'What runs in it runs without a question: with the network open it can send files anywhere, and a writable home folder or / is no sandbox at all.',
    bad: '# .codex/config.toml\nsandbox_mode = "workspace-write"\n[sandbox_workspace_write]\nnetwork_access = true\n',
    good: '# .codex/config.toml\nsandbox_mode = "workspace-write"\n[sandbox_workspace_write]\nwritable_roots = ["/tmp/build"]\n',
    fix: 'Take the entry out; commands that need it can be asked about one by one.',
    source: 'developers.openai.com/codex: configuration reference, sandbox_workspace_write',
    verifiedOn: 'Codex 0.142 (documentation)',
    runners: ['codex'],
  },
  check: ({ configs }) => configs.filter(({ config }) => config === 'codex-config').flatMap(check),
};

/** Folders that contain more than a project: `/`, a home directory, the folder of all home directories, system settings. */
const WIDE = /^(?:~\/?|\/|\/(?:home|Users|root|etc|usr|var)\/?|\/(?:home|Users)\/[^/]+\/?|\$\{?HOME\}?\/?|[A-Za-z]:[\\/]?)$/;
const MOST = 200;

function check({ data, path }: ConfigFile): readonly Report[] {
  if (data === null) return [];
  return codexProfiles(data, path).flatMap(({ pointer }) => {
    const above = `${pointer}/sandbox_workspace_write`;
    return [...network(data, above), ...roots(data, `${above}/writable_roots`)];
  });
}

function network(data: LocatedText, above: string): Report[] {
  if (data.at(`${above}/network_access`) !== true) return [];
  return [
    { at: data.valueSpan(`${above}/network_access`), message: 'Commands in the sandbox reach every server without a question.' },
  ];
}

function roots(data: LocatedText, pointer: string): Report[] {
  return data
    .items(pointer, ',')
    .slice(0, MOST)
    .filter(({ text }) => WIDE.test(text))
    .map(({ text, span }) => ({
      at: span,
      message: `Commands in the sandbox may write anything below ${shown(text)}.`,
      severity: 'error' as const,
    }));
}
