import { useQuery } from '@tanstack/react-query';
import { askAll } from '../api/graphql.js';
import { goTo, graphiqlLink, pathOf, useAddress } from '../router.js';
import { NeedsKey } from '../session/sign-in.js';
import { Code, type Column, Empty, Loading, Select, Table, Trouble } from '../ui/controls.js';

/** Who calls what, and who still has to move: for keys with the scope `admin`. */
export function UsagePage() {
  return (
    <NeedsKey reason="Who calls what is shown to administrators: to keys with the scope admin.">
      {() => <Usage />}
    </NeedsKey>
  );
}

const periods = [7, 30, 90];

function Usage() {
  const { search } = useAddress();
  const filter: UsageFilter = {
    onlyDeprecated: search.has('deprecated'),
    days: periods.find((days) => String(days) === search.get('days')),
  };
  const { data, error, refetch } = useQuery({
    queryKey: ['usage', filter],
    queryFn: ({ signal }) => readUsage(filter, signal),
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
      {error ? <Trouble error={error} retry={refetch} /> : data ? <Found {...data} filter={filter} /> : <Loading />}
    </>
  );
}

type UsageFound = Awaited<ReturnType<typeof readUsage>>;

function Found({ all, isWhole, filter }: UsageFound & { filter: UsageFilter }) {
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
      {all.map(([name, called]) => (
        <CalledCard key={name} name={name} {...called} />
      ))}
      {!isWhole && <p className="soft">Only the first {most} are shown; the query `apiUses` has pages.</p>}
    </>
  );
}

function Filters({ filter: { onlyDeprecated, days } }: { filter: UsageFilter }) {
  const { search } = useAddress();
  const set = (name: string, value: string | undefined) => {
    const next = new URLSearchParams(search);
    next.delete(name);
    if (value !== undefined) next.set(name, value);
    goTo(`${pathOf('docs/usage')}?${next}`, { replace: true });
  };
  return (
    <div className="filters">
      <label className="check">
        <input
          type="checkbox"
          checked={onlyDeprecated}
          onChange={(event) => set('deprecated', event.target.checked ? '' : undefined)}
        />{' '}
        Only what is deprecated
      </label>
      <Select
        label="Called"
        value={String(days ?? '')}
        options={[
          ['', 'Called at any time'],
          ...periods.map((each) => [String(each), `In the last ${each} days`] as const),
        ]}
        onChange={(value) => set('days', value || undefined)}
      />
    </div>
  );
}

function CalledCard({ name, callable, callers, others }: UsageFound['all'][number][1] & { name: string }) {
  return (
    <section className="card called" aria-label={name}>
      <h2>
        <code>{callable?.call ?? name}</code> {callable?.isDeprecated && <Ends callable={callable} />}
      </h2>
      {callable && <Replacement callable={callable} />}
      {callers.length > 0 && <Table columns={columns} rows={callers} keyOf={({ keyId }) => keyId} />}
      {callers.length + others === 0 && <p className="soft">Nobody calls it.</p>}
      {others > 0 && (
        <p className="soft">
          {others.toLocaleString()} {others === 1 ? 'key that has' : 'keys that have'} called it{' '}
          {others === 1 ? 'is' : 'are'} not shown here.
        </p>
      )}
    </section>
  );
}

function Ends({ callable: { deprecatedAt, sunsetAt } }: { callable: Callable }) {
  const isAhead = deprecatedAt !== null && Date.parse(deprecatedAt) > Date.now();
  const since = deprecatedAt ? ` ${isAhead ? 'from' : 'since'} ${dayOf(deprecatedAt)}` : '';
  const end = sunsetAt ? `, ends ${dayOf(sunsetAt)}` : '';
  return <span className="badge cancelled">{`deprecated${since}${end}`}</span>;
}

function Replacement({ callable: { surface, name, replacement } }: { callable: Callable }) {
  if (!replacement) return null;
  if (surface === 'GRAPHQL') return <p>{replacement}</p>;
  return (
    <details>
      <summary>
        Move to <code>{name}</code>
      </summary>
      <Code>{replacement}</Code>
      <a href={graphiqlLink({ query: replacement })}>Open in GraphiQL</a>
    </details>
  );
}

const dayOf = (instant: string): string => instant.slice(0, 10);
interface Callable {
  surface: 'REST' | 'GRAPHQL';
  name: string;
  call: string;
  isDeprecated: boolean;
  deprecatedAt: string | null;
  sunsetAt: string | null;
  replacement: string | null;
}

interface Caller {
  keyId: string;
  key: { name: string; state: 'ACTIVE' | 'EXPIRED' | 'REVOKED' } | null;
  calls: number;
  firstAt: string;
  lastAt: string;
  userAgents: { userAgent: string; calls: number }[];
}

const columns: Column<Caller>[] = [
  {
    label: 'Key',
    cell: ({ keyId, key }) => (
      <>
        {key?.name ?? 'a key that is gone'}{' '}
        <span className="soft">
          {keyId}
          {key && key.state !== 'ACTIVE' ? `, ${key.state.toLowerCase()}` : ''}
        </span>
      </>
    ),
  },
  { label: 'Calls', className: 'number', cell: ({ calls }) => calls.toLocaleString() },
  { label: 'First', cell: ({ firstAt }) => dayOf(firstAt) },
  { label: 'Last', cell: ({ lastAt }) => lastAt.slice(0, 16).replace('T', ' ') },
  {
    label: 'User agents',
    className: 'user-agents',
    cell: ({ userAgents }) => userAgents.map(({ userAgent }) => userAgent || 'none or others').join(', '),
  },
];

interface UsageFilter {
  onlyDeprecated: boolean;
  /** How many days back; undefined for all time. */
  days: number | undefined;
}

/** The most calls that the page shows. */
const most = 1000;

const query = `query Usage($onlyDeprecated: Boolean!, $since: DateTime, $limit: Int!) {
  apiUses(onlyDeprecated: $onlyDeprecated, since: $since, limit: $limit) {
    name keyId calls firstAt lastAt
    key { name state }
    userAgents { userAgent calls }
    callable { ...All }
  }
  apiDeprecations { callable { ...All } keys }
}
fragment All on ApiCallable { surface name call isDeprecated deprecatedAt sunsetAt replacement }`;

interface Answer {
  apiUses: (Caller & { name: string; callable: Callable | null })[];
  apiDeprecations: { callable: Callable; keys: number }[];
}

/** What is called, what is deprecated first; deprecated things that nobody calls are there too. */
async function readUsage({ onlyDeprecated, days }: UsageFilter, signal: AbortSignal) {
  const since = days === undefined ? null : new Date(Date.now() - days * 24 * 60 * 60 * 1000).toISOString();
  const variables = { onlyDeprecated, since, limit: most };
  const { apiUses, apiDeprecations } = await askAll<Answer>({ query, variables }, signal);
  /** `others` counts the keys that have called it before the time of the filter, or beyond the most that are shown. */
  const called = new Map<string, { callable: Callable | null; callers: Caller[]; others: number }>();
  for (const { callable, keys } of apiDeprecations) called.set(callable.name, { callable, callers: [], others: keys });
  for (const { name, callable, ...caller } of apiUses) {
    const known = called.get(name) ?? { callable, callers: [], others: 0 };
    known.callers.push(caller);
    known.others = Math.max(0, known.others - 1);
    called.set(name, known);
  }
  return { all: [...called], isWhole: apiUses.length < most };
}
