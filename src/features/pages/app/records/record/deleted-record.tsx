import { useQuery, useQueryClient } from '@tanstack/react-query';
import type { TypeAbout } from '../../../about.js';
import { askOnce, readWithKey, useAbout, useAttempt } from '../../api/graphql.js';
import { mayPass } from '../../api/problems.js';
import { goTo, lastSeen, pathOf } from '../../router.js';
import { useMay } from '../../session/viewer.js';
import { Button } from '../../ui/button.js';
import { Empty, Link, Loading, Problem, Trouble } from '../../ui/controls.js';
import { shortened, When } from '../list/rows.js';
import { createOperation } from '../operations.js';
import { History, readHistory } from './history.js';
import { lostWords, recordAt, restoringInput } from './past.js';
import { RecordView } from './record-view.js';

/** What the page of a record says first that was made again in this tab, by its id. */
export const notices = new Map<string, { words: string }>();

/** Makes a deleted record of a type again, with its lines and as a draft, and opens it; undefined where no journal holds it, or the user may make none. */
export function useMakeAgain(type: TypeAbout): ((id: string, version: number) => Promise<void>) | undefined {
  const about = useAbout();
  const queries = useQueryClient();
  const may = useMay();
  if (!about.history || type.kind === 'child' || may(type, 'CREATE') === false) return undefined;
  return async (id, version) => {
    const then = await recordAt(type, id, version, about);
    const operation = createOperation(type, restoringInput(type, then, undefined, about));
    const [made] = Object.values(await askOnce<Record<string, { record: { id: string } }>>(operation));
    const newId = made?.record.id ?? '';
    const words = `Made again${type.hasStates ? ' as a draft' : ''}, with a new id. ${lostWords(type, then, about)}`;
    notices.set(newId, { words });
    await queries.invalidateQueries(readWithKey);
    goTo(pathOf(`records/${type.slug}/${newId}`));
  };
}

/** The old address of a record: what it was, what became of it, and the way back. Or that there never was one. */
export function DeletedRecord({ type, id }: { type: TypeAbout; id: string }) {
  const about = useAbout();
  const again = useMakeAgain(type);
  const isKept = about.history && type.kind !== 'child' && id.startsWith(`${type.slug}_`);
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['deleted', id],
    enabled: isKept,
    queryFn: async ({ signal }) => {
      const [end] = (await readHistory(id, null, signal).catch(undefinedIfLasting))?.nodes ?? [];
      if (end?.action !== 'DELETE') return null;
      return { end, last: await recordAt(type, id, end.version, about).catch(undefinedIfLasting) };
    },
  });
  const { pending, problem, start } = useAttempt((version: number) => again?.(id, version) ?? Promise.resolve());
  if (error) return <Trouble error={error} retry={refetch} />;
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
          <p>It can be made again with its lines, with a new id. {lostWords(type, last, about)}</p>
          <Button
            kind="main"
            icon="undo"
            reason={pending === undefined ? undefined : 'Under way…'}
            onClick={() => void start(end.version)}
          >
            Make it again
          </Button>
          <Problem>{problem}</Problem>
        </section>
      )}
      {last && <RecordView type={type} record={last} isDeleted />}
      <History type={type} id={id} />
    </>
  );
}

/** An id of another form is refused, as are states that the journal no longer holds; whatever may pass says nothing of a record. */
function undefinedIfLasting(error: unknown): undefined {
  if (mayPass(error)) throw error;
}
