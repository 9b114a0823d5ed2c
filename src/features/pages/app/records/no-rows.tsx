import type { TypeAbout } from '../../about.js';
import { pathOf } from '../addresses.js';
import { useAbout } from '../api/about.js';
import { Empty } from '../ui/notice.js';

/** The place of a list in which there is nothing, and how to get something into it. */
export function NoRows({ type, isFiltered }: { type: TypeAbout; isFiltered: boolean }) {
  const about = useAbout();
  const create = type.endpoints.find(({ operation }) => operation === 'create');
  if (isFiltered) return <Empty title="No record fulfils these filters." />;
  return (
    <Empty title="There is none yet.">
      {about.graphiql && create && (
        <p>
          <a href={`${pathOf('graphql')}#operation=${create.name}`}>Create one in GraphiQL</a>
        </p>
      )}
      <p className="soft">
        The command <code>records seed</code> fills an empty database with sample records.
      </p>
    </Empty>
  );
}
