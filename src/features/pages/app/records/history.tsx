import { useQuery } from '@tanstack/react-query';
import { Fragment } from 'react';
import { askAll } from '../api/graphql.js';
import { Trouble } from '../ui/notice.js';
import { type Change, type ChangeGroup, doneWord, historyGroups } from './history-groups.js';
import type { RecordProps } from './props.js';
import { labelOf, Value, When } from './value.js';

interface Version {
  at: string;
  action: string;
  version: number;
  by: { keyName: string };
  changes: Change[];
}

interface Page {
  nodes: Version[];
  pageInfo: { hasNextPage: boolean };
}
type Data = Record<string, { history: Page } | null>;

/** Who changed what, the newest first, as far as the journal holds it. */
export function History({ type, record, recordKey }: RecordProps) {
  const { data, error, refetch } = useQuery({
    queryKey: ['history', record.id, record.version],
    queryFn: async ({ signal }) => {
      const isOne = type.kind === 'singleton';
      const query = `query ${isOne ? '' : '($id: ID!)'} { ${type.one}${isOne ? '' : '(id: $id)'} {
        history(first: 20) { nodes { at action version by { keyName } changes { path before(names: REST) after(names: REST) action } } pageInfo { hasNextPage } }
      } }`;
      const found = await askAll<Data>(recordKey, query, isOne ? {} : { id: record.id }, signal);
      return found[type.one]?.history ?? { nodes: [], pageInfo: { hasNextPage: false } };
    },
  });
  return (
    <section className="card history" aria-label="History">
      <h2>History</h2>
      {error && <Trouble error={error} retry={() => void refetch()} />}
      {data?.nodes.length === 0 && <p className="soft">The journal holds no change of it.</p>}
      <ol>
        {data?.nodes.map(({ version, action, at, by, changes }) => (
          <li key={version}>
            <p>
              <strong>Version {version}</strong> · {doneWord(action)} <span className="soft">by {by.keyName},</span>{' '}
              <span className="soft">
                <When at={at} />
              </span>
            </p>
            {action !== 'CREATE' && <Changes groups={historyGroups(changes, record.id)} />}
          </li>
        ))}
      </ol>
      {data?.pageInfo.hasNextPage && (
        <p className="soft">These are the newest {data.nodes.length}; GraphQL and REST tell the older ones.</p>
      )}
    </section>
  );
}

/** How many changes of one version are shown. */
const most = 12;

function Changes({ groups }: { groups: ChangeGroup[] }) {
  return (
    <ul>
      {groups.slice(0, most).map(({ line, action, changes }) => (
        <li key={line?.id ?? changes[0]?.field} title={line?.id}>
          {line && `${labelOf(line.list)}: a line was ${doneWord(action)}. `}
          {changes.map(({ field, before, after }, index) => (
            <Fragment key={field}>
              {index > 0 && ', '}
              {labelOf(field)}: {!(line && action === 'CREATE') && <Value value={before} />}
              {!(line && (action === 'CREATE' || action === 'DELETE')) && ' → '}
              {!(line && action === 'DELETE') && <Value value={after} />}
            </Fragment>
          ))}
        </li>
      ))}
      {groups.length > most && <li>and {(groups.length - most).toLocaleString('en')} more changes</li>}
    </ul>
  );
}
