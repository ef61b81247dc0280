import { traitsOf } from '../../../call/traits.js';
import { data as rulesData } from '../../../generated/data.js';
import { shown } from '../../../policy/sentences.js';
import type { ConfigFile } from '../../files/files.js';
import { forConfigs, type LintRule, type Report } from '../../project/rule.js';

export const switchedOff: LintRule = {
  id: 'sandbox/switched-off',
  severity: 'warning',
  persona: 'reviewer',
  docs: {
    what: 'Settings of a project switch the sandbox of a coding agent off, or take part of it away.',
    why: 'They count for everybody who works on the project, and go before what a person chose for all projects: commands then run with all rights of the person.',
    bad: '{ "sandbox": { "enabled": false } }\n',
    good: '{ "sandbox": { "enabled": true } }\n',
    fix: 'Take it out of the project; who needs it says so in a file of their own.',
  },
  check: forConfigs(check),
};

/** What src/runner/NAME/sandbox-keys.yaml says of it, each by its names joined with dots. */
interface Switches {
  readonly off?: readonly string[];
  readonly parts?: readonly string[];
  /** Expressions for entries of lists that let everything out. */
  readonly open?: Readonly<Record<string, string>>;
}

function check({ runner, config, data }: ConfigFile): readonly Report[] {
  const switches =
    runner === null || !config.endsWith('-settings') ? undefined : (rulesData(`sandbox-keys/${runner}`) as Switches);
  if (runner === null || switches === undefined || data === null) return [];
  const { title } = traitsOf(runner);
  const found = (keys: readonly string[] = [], value: boolean, says: string) =>
    keys.flatMap((key): Report[] => {
      const pointer = `/${key.replaceAll('.', '/')}`;
      if (data.at(pointer) !== value) return [];
      return [
        {
          at: data.valueSpan(pointer),
          message: `${key} in the settings of a project ${says} the sandbox of ${title}${value ? '' : ' off'}.`,
        },
      ];
    });
  const entries = Object.entries(switches.open ?? {}).flatMap(([key, form]) =>
    data
      .items(`/${key.replaceAll('.', '/')}`, '')
      .filter(({ text }) => new RegExp(form).test(text))
      .map(({ text, span }) => ({
        at: span,
        message: `With ${shown(text)} in ${key} of a project the sandbox of ${title} holds nothing back.`,
      })),
  );
  return [...found(switches.off, false, 'switches'), ...found(switches.parts, true, 'takes away part of'), ...entries];
}
