/** Drafts that an installation left beside the settings when it was killed. The next one removes those that it knows. */
import { leftoverDrafts } from '../../../enforce/leftover-drafts.js';
import { realPath } from '../../../enforce/real-path.js';
import { type DoctorCheck, note } from '../check.js';

export const leftovers: DoctorCheck = {
  id: 'leftovers',
  examine: ({ examined }) =>
    examined.flatMap(({ runner, sources }) =>
      sources
        .flatMap(({ file }) => leftoverDrafts(realPath(file) ?? file))
        .map((draft) => note(runner.id, `${draft} looks like what an installation left that was ended midway`, `rm ${draft}`)),
    ),
};
