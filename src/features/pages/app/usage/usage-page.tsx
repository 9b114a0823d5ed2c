import { useQuery } from '@tanstack/react-query';
import { pathOf } from '../addresses.js';
import { Refusal } from '../api/graphql.js';
import { goTo, useAddress } from '../router.js';
import { NeedsKey } from '../session/needs-key.js';
import { Empty, Loading, Trouble } from '../ui/notice.js';
import { CalledCard } from './called-card.js';
import { most, readUsage, type UsageFilter } from './uses.js';

/** Who calls what, and who still has to move: for keys with the scope `admin`. */
export function UsagePage() {
  return (
    <NeedsKey reason="Who calls what is shown to administrators: to keys with the scope admin.">
      {(key) => <Usage apiKey={key} />}
    </NeedsKey>
  );
}

const periods = [7, 30, 90];

function Usage({ apiKey }: { apiKey: string }) {
  const { search } = useAddress();
  const filter: UsageFilter = {
    onlyDeprecated: search.has('deprecated'),
    days: periods.find((days) => String(days) === search.get('days')),
  };
  const { data, error, refetch } = useQuery({
    queryKey: ['usage', apiKey, filter],
    queryFn: ({ signal }) => readUsage(apiKey, filter, signal),
    placeholderData: (before) => before,
  });
  return (
    <>
      <h1>Usage</h1>
      <p className="soft">
        Which keys call which endpoints, and what to move to. Counts are up to a minute behind; what GraphQL operations
        ask for is counted where the schema deprecates it.
      </p>
      <Filters filter={filter} />
      {error ? (
        <Problem error={error} retry={() => void refetch()} />
      ) : data ? (
        <Found {...data} filter={filter} />
      ) : (
        <Loading />
      )}
    </>
  );
}

function Found({ all, isWhole, filter }: Awaited<ReturnType<typeof readUsage>> & { filter: UsageFilter }) {
  if (all.length === 0) {
    const isFiltered = filter.onlyDeprecated || filter.days !== undefined;
    return (
      <Empty title={isFiltered ? 'No call is of this kind.' : 'No call has been counted yet.'}>
        <p className="soft">A call of an endpoint of REST appears here within a minute.</p>
      </Empty>
    );
  }
  return (
    <>
      {all.map((called) => (
        <CalledCard key={called.name} called={called} />
      ))}
      {!isWhole && <p className="soft">Only the first {most} are shown; the query `apiUses` has pages.</p>}
    </>
  );
}

function Filters({ filter }: { filter: UsageFilter }) {
  const show = (next: UsageFilter) => {
    const search = new URLSearchParams();
    if (next.onlyDeprecated) search.set('deprecated', '');
    if (next.days) search.set('days', String(next.days));
    goTo(`${pathOf('docs/usage')}${search.size > 0 ? `?${search}` : ''}`, { replace: true });
  };
  return (
    <div className="filters">
      <label className="check">
        <input
          type="checkbox"
          checked={filter.onlyDeprecated}
          onChange={(event) => show({ ...filter, onlyDeprecated: event.target.checked })}
        />{' '}
        Only what is deprecated
      </label>
      <label>
        Called{' '}
        <select
          value={filter.days ?? ''}
          onChange={(event) => show({ ...filter, days: Number(event.target.value) || undefined })}
        >
          <option value="">at any time</option>
          {periods.map((days) => (
            <option key={days} value={days}>
              in the last {days} days
            </option>
          ))}
        </select>
      </label>
    </div>
  );
}

function Problem({ error, retry }: { error: unknown; retry(): void }) {
  if (error instanceof Refusal && error.code === 'FORBIDDEN') {
    return (
      <Empty title="This key may not see who calls what.">
        <p>
          It takes the scope <code>admin</code>; sign out, and sign in with another key.
        </p>
      </Empty>
    );
  }
  return <Trouble error={error} retry={retry} />;
}
