import { useQuery } from 'urql';
import { readRecord } from '../api/record-operations.js';
import { troubleOf } from '../api/trouble.js';
import type { RecordHeadingFragment } from '../generated/graphql.js';
import { Loading } from '../loading.js';
import { RetryAlert } from '../retry-alert.js';
import { addresses } from '../route.js';
import { RecordHeading } from './record-heading.js';
import { UsedIn } from './used-in.js';

/** A record of any type, which links lead to: what it is called, what may be done with it, and where it is used. */
export function RecordPage({ id }: { id: string }) {
  const [{ data, error }, readAgain] = useQuery({
    query: readRecord,
    variables: { id },
    requestPolicy: 'cache-and-network',
  });
  const record = data?.node;
  return (
    <main>
      <a href={addresses.list} className="back">
        ← All repairs
      </a>
      {error && (
        <RetryAlert message={troubleOf(error).message} onRetry={() => readAgain({ requestPolicy: 'network-only' })} />
      )}
      {record && (
        <article className="card">
          <RecordHeading record={record} />
          <Permissions record={record} />
          {'usedIn' in record && record.usedIn && <UsedIn lines={record.usedIn} />}
        </article>
      )}
      {record === null && !error && <p className="card">There is no such record. It may have been deleted.</p>}
      {record === undefined && !error && <Loading what="The record" />}
    </main>
  );
}

/** What this key may do with the record as it is now, and why not the rest. */
function Permissions({ record: { actions } }: { record: RecordHeadingFragment }) {
  return (
    <section aria-labelledby="permissions-title">
      <h2 id="permissions-title">What your key may do with it</h2>
      <ul>
        {actions.map(({ action, allowed, reason }) => (
          <li key={action}>
            {action.toLowerCase()}: {allowed ? 'allowed' : (reason ?? 'not allowed')}
          </li>
        ))}
      </ul>
    </section>
  );
}
