import { useEffect, useState } from 'react';
import { Link, useParams } from 'react-router';
import { useQuery } from 'urql';
import { readRepair } from '../api/operations.js';
import type { Repair } from '../api/repair.js';
import { troubleOf } from '../api/trouble.js';
import { Waiting } from '../waiting.js';
import { RepairForm } from './repair-form.js';

/** The repair that the address names; without an id, a new one. */
export function RepairPage() {
  const { id } = useParams();
  return (
    <main>
      <Link to="/">← All repairs</Link>
      {id === undefined ? <RepairForm opened={null} /> : <KnownRepair key={id} id={id} />}
    </main>
  );
}

/** Reads the repair from the network and passes it to the form, which keeps it up to date. */
function KnownRepair({ id }: { id: string }) {
  const [opened, setOpened] = useState<Repair | null>(null);
  const [{ data, error, stale }, readAgain] = useQuery({
    query: readRepair,
    variables: { id },
    requestPolicy: 'network-only',
    pause: opened !== null,
  });
  const found = stale ? undefined : data?.assetRepair;
  useEffect(() => {
    if (found) setOpened(found);
  }, [found]);

  if (opened) return <RepairForm opened={opened} />;
  if (found === null && !error) return <article>There is no such repair. It may have been deleted.</article>;
  return <Waiting what="The repair" trouble={error && troubleOf(error).message} onRetry={() => readAgain()} />;
}
