import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { TypeAbout } from '../../../about.js';
import { readWithKey, useAbout, useAttempt } from '../../api/graphql.js';
import { goTo, lastSeen, pathOf } from '../../router.js';
import { useMay } from '../../session/viewer.js';
import { Button } from '../../ui/button.js';
import { Empty, Link, Loading } from '../../ui/controls.js';
import { shortened, When } from '../list/rows.js';
import { History, readHistory } from './history.js';
import { lostWords, makeAgain, recordAt } from './past.js';
import { RecordView } from './record-view.js';

/** Makes a deleted record of a type again and opens it; undefined where no journal holds it, or the user may make none. */
export function useMakeAgain(type: TypeAbout): ((id: string, version: number) => Promise<void>) | undefined {
  const about = useAbout();
  const queries = useQueryClient();
  const mayCreate = useMay()(type, 'CREATE') !== false && type.mutations.includes(`create${type.model}`);
  if (!about.history || type.kind === 'child' || !mayCreate) return undefined;
  return async (id, version) => {
    const newId = await makeAgain(type, id, version, about);
    await queries.invalidateQueries(readWithKey);
    goTo(pathOf(`records/${type.slug}/${newId}`));
  };
}

/** The old address of a record: what it was, what became of it, and the way back. Or that there never was one. */
export function DeletedRecord({ type, id }: { type: TypeAbout; id: string }) {
  const about = useAbout();
  const again = useMakeAgain(type);
  const isKept = about.history && type.kind !== 'child' && id.startsWith(`${type.slug}_`);
  const { data, isPending } = useQuery({
    queryKey: ['deleted', id],
    enabled: isKept,
    queryFn: async ({ signal }) => {
      // An id of another form is refused, as are states that the journal no longer holds.
      const [end] = (await readHistory(id, null, signal).catch(() => undefined))?.nodes ?? [];
      if (end?.action !== 'DELETE') return null;
      return { end, last: await recordAt(type, id, end.version, about).catch(() => undefined) };
    },
  });
  const { pending, problem, start } = useAttempt((version: number) => again?.(id, version) ?? Promise.resolve());
  if (isKept && isPending) return <Loading lines={8} />;
  const list = lastSeen(`records/${type.slug}`);
  if (!data) {
    return (
      <Empty title={`There is no ${type.title} with the id “${id}”.`}>
        <Link to={list}>See those there are</Link>
      </Empty>
    );
  }
  const { end, last } = data;
  return (
    <>
      <p className="crumbs">
        <Link to="records">Records</Link> / <Link to={list}>{type.title}</Link>
      </p>
      <h1>
        <bdi>{last ? shortened(String(last.displayTitle)) : id}</bdi> <span className="badge cancelled">deleted</span>
      </h1>
      <p>
        This {type.title} was deleted by {end.by.keyName}, <When at={end.at} />.
      </p>
      {last && again && (
        <section className="card" aria-label="Bring it back">
          <p>It can be made again with its lines, with a new id. {lostWords(type, last)}</p>
          <Button
            kind="main"
            icon="undo"
            reason={pending === undefined ? undefined : 'Under way…'}
            onClick={() => void start(end.version)}
          >
            Make it again
          </Button>
          <p className="problem" role="alert">
            {problem}
          </p>
        </section>
      )}
      {last && <RecordView type={type} record={last} isDeleted />}
      <History type={type} id={id} />
    </>
  );
}
