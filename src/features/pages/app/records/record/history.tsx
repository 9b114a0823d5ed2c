import { useInfiniteQuery } from '@tanstack/react-query';
import { Fragment, useState } from 'react';
import type { TypeAbout } from '../../../about.js';
import { askAll } from '../../api/graphql.js';
import { Button } from '../../ui/button.js';
import { Trouble } from '../../ui/controls.js';
import type { RecordValues } from '../form/draft.js';
import { labelOf, Value, When } from '../list/rows.js';
import { type Change, type ChangeGroup, doneWord, historyGroups } from './history-groups.js';
import { VersionDialog } from './version-dialog.js';

interface Version {
  at: string;
  action: string;
  version: number;
  by: { keyName: string };
  changes: Change[];
}

interface Page {
  nodes: Version[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

interface Props {
  type: TypeAbout;
  id: string;
  /** The record as it is now; left out for one that is deleted. */
  record?: RecordValues;
  onRestored?(words: string): Promise<void>;
}

const query = `query ($id: ID!, $after: String) { history(id: $id, first: 20, after: $after) {
  nodes { at action version by { keyName } changes { path before(names: REST) after(names: REST) action } }
  pageInfo { hasNextPage endCursor }
} }`;

/** A page of the versions of a record, the newest first; of a deleted one, too. */
export async function readHistory(id: string, after: string | null, signal: AbortSignal): Promise<Page> {
  const { history } = await askAll<{ history: Page | null }>({ query, variables: { id, after } }, signal);
  return history ?? { nodes: [], pageInfo: { hasNextPage: false, endCursor: null } };
}

/** Who changed what, the newest first, as far as the journal holds it; each version can be looked at beside the present one. */
export function History({ type, id, record, onRestored }: Props) {
  const [shown, show] = useState<number>();
  const { data, error, refetch, ...older } = useInfiniteQuery({
    queryKey: ['history', id, record?.version],
    initialPageParam: null,
    queryFn: ({ signal, pageParam }: { signal: AbortSignal; pageParam: string | null }) =>
      readHistory(id, pageParam, signal),
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.endCursor : undefined),
  });
  const versions = data?.pages.flatMap(({ nodes }) => nodes);
  return (
    <section className="card history" aria-label="History">
      <h2>History</h2>
      {error && <Trouble error={error} retry={refetch} />}
      {versions?.length === 0 && <p className="soft">The journal holds no change of it.</p>}
      <ol>
        {versions?.map(({ version, action, at, by, changes }) => (
          <li key={version + action}>
            <p>
              <strong>Version {version}</strong> · {doneWord(action)}{' '}
              <span className="soft">
                by {by.keyName}, <When at={at} />
              </span>{' '}
              {record && version !== record.version && (
                <Button
                  kind="quiet"
                  isSmall
                  icon="history"
                  aria-label={`Compare version ${version} with today’s`}
                  onClick={() => show(version)}
                >
                  Compare
                </Button>
              )}
            </p>
            {action !== 'CREATE' && action !== 'DELETE' && <Changes groups={historyGroups(changes, id)} />}
          </li>
        ))}
      </ol>
      {older.hasNextPage && (
        <Button isSmall reason={older.isFetching ? 'Loading' : undefined} onClick={() => void older.fetchNextPage()}>
          Show older versions
        </Button>
      )}
      {record && onRestored && shown !== undefined && (
        <VersionDialog {...{ type, record, onRestored }} version={shown} onClose={() => show(undefined)} />
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
      {groups.length > most && <li>and {(groups.length - most).toLocaleString()} more changes</li>}
    </ul>
  );
}
