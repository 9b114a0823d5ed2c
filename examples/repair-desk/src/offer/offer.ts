import { createContext, useContext } from 'react';

/** What the gateway allows this key to do. */
export interface Offer {
  /** New repairs may be made. */
  mayCreate: boolean;
  /** Links to Serial Nos, which belong to another area than repairs, may be followed. */
  mayReadSerialNos: boolean;
  /** Lists can be searched: the gateway runs with SEARCH=true. */
  canSearch: boolean;
}

export const OfferContext = createContext<Offer>({ mayCreate: false, mayReadSerialNos: false, canSearch: false });

export function useOffer(): Offer {
  return useContext(OfferContext);
}
