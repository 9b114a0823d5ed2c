import { useEffect, useState } from 'react';
import { useQuery } from 'urql';
import { readRepair } from '../api/operations.js';
import type { Repair } from '../api/repair.js';
import { troubleOf } from '../api/trouble.js';
import { Loading } from '../loading.js';
import { RetryAlert } from '../retry-alert.js';
import { addresses } from '../route.js';
import { RepairForm } from './repair-form.js';

/**
 * Reads the repair from the network and passes it to the form, which keeps it up to date; without an id, a new repair.
 */
export function RepairPage({ id }: { id: string | null }) {
  const [opened, setOpened] = useState<Repair | null>(null);
  const [{ data, error, stale }, readAgain] = useQuery({
    query: readRepair,
    variables: { id: id ?? '' },
    requestPolicy: 'network-only',
    pause: id === null || opened !== null,
  });
  const found = stale ? undefined : data?.assetRepair;
  useEffect(() => {
    if (found) setOpened(found);
  }, [found]);

  return (
    <main>
      <a href={addresses.list} className="back">
        ← All repairs
      </a>
      {id === null || opened ? <RepairForm opened={opened} /> : null}
      {!opened && error && <RetryAlert message={troubleOf(error).message} onRetry={() => readAgain()} />}
      {found === null && !opened && <p className="card">There is no such repair. It may have been deleted.</p>}
      {id !== null && !opened && found === undefined && !error && <Loading what="The repair" />}
    </main>
  );
}
