import type { CombinedError } from '@urql/core';
import { type ReactNode, useEffect, useState } from 'react';
import { useQuery } from 'urql';
import { readOffer } from '../api/record-operations.js';
import { troubleOf } from '../api/trouble.js';
import { Loading } from '../loading.js';
import { RetryAlert } from '../retry-alert.js';
import { type Offer, OfferContext } from './offer.js';

/** Asks what the gateway allows the key to do, then shows the children, which stay while it asks for another key. */
export function WithOffer({ children }: { children: ReactNode }) {
  const [offer, setOffer] = useState<Offer | null>(null);
  const [{ data, error }, askAgain] = useQuery({ query: readOffer, requestPolicy: 'network-only' });
  const viewer = data?.viewer;
  useEffect(() => {
    if (viewer) setOffer({ ...viewer, canSearch: !isSearchOff(error) });
  }, [viewer, error]);

  if (offer) return <OfferContext value={offer}>{children}</OfferContext>;
  return (
    <main>
      {error && !viewer ? (
        <RetryAlert message={troubleOf(error).message} onRetry={() => askAgain()} />
      ) : (
        <Loading what="The desk" />
      )}
    </main>
  );
}

/** If the words are only not all indexed yet, the gateway answers `busy`, and will be searchable soon. */
function isSearchOff(error: CombinedError | undefined): boolean {
  const errors = error?.graphQLErrors ?? [];
  return errors.some(({ path, extensions }) => path?.[0] === 'searched' && extensions.code === 'BAD_USER_INPUT');
}
