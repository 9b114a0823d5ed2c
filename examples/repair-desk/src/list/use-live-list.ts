import { useEffect, useRef, useState } from 'react';
import { followRepairs } from '../api/operations.js';
import type { AssetRepairFilter, RepairRowFragment } from '../generated/graphql.js';
import { useLive } from '../live/use-live.js';

interface Shown {
  where: AssetRepairFilter;
  search: string | null;
  rows: readonly RepairRowFragment[];
  isOn: boolean;
  readAgain: () => void;
}

/**
 * Follows the changes of the records in the list. The cache updates their rows by itself; only when a record appears or
 * disappears is the page read again, at most twice a second. A stream takes no `search`: during a search the page is
 * read again after each change, because it may affect the result.
 */
export function useLiveList({ where, search, rows, isOn, readAgain }: Shown) {
  const [marked, setMarked] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function readSoon() {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      readAgain();
    }, 500);
  }

  const live = useLive({
    stream: followRepairs,
    subject: JSON.stringify(where),
    isOn,
    variables: (after) => ({ where, after }),
    onEvent({ record }) {
      const row = rows.find(({ id }) => id === record?.id);
      if (row) setMarked(row.id);
      if (!row || search !== null) readSoon();
    },
    onReadAnew: readSoon,
  });
  return { live, /** The row that was changed last. */ marked };
}
