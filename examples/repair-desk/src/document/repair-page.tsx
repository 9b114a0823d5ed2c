import { useQuery } from 'urql';
import { readRepair } from '../api/operations.js';
import { troubleOf } from '../api/trouble.js';
import { RepairForm } from './repair-form.js';

/** Reads the repair afresh, then hands it to the form, which keeps it from there. */
export function RepairPage({ id }: { id: string }) {
  const [{ data, error, fetching, stale }] = useQuery({
    query: readRepair,
    variables: { id },
    requestPolicy: 'network-only',
  });
  return (
    <main>
      <a href="#/" className="back">
        ← All repairs
      </a>
      {error && (
        <p className="alert" role="alert">
          {troubleOf(error).message}
        </p>
      )}
      {data?.assetRepair && <RepairForm opened={data.assetRepair} />}
      {data?.assetRepair === null && !stale && <p>There is no such repair.</p>}
      {fetching && !data && <p className="hint">Loading…</p>}
    </main>
  );
}
