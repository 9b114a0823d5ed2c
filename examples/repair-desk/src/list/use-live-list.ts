import { useEffect, useRef, useState } from 'react';
import { followRepairs } from '../api/operations.js';
import type { AssetRepairFilter, RepairRowFragment } from '../generated/graphql.js';
import { useLive } from '../live/use-live.js';

const pause = 500;

/**
 * Follows the changes of what the list shows. The cache puts changed records into their rows by itself; only what comes
 * or goes needs the page to be read again, and that at most twice a second.
 */
export function useLiveList(
  where: AssetRepairFilter,
  rows: readonly RepairRowFragment[],
  isOn: boolean,
  readAgain: () => void,
) {
  const [marked, setMarked] = useState<string | null>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(timer.current), []);

  function readSoon() {
    timer.current ??= setTimeout(() => {
      timer.current = undefined;
      readAgain();
    }, pause);
  }

  const live = useLive({
    stream: followRepairs,
    subject: JSON.stringify(where),
    isOn,
    variables: (after) => ({ where, after }),
    onEvent({ record }) {
      if (record?.__typename === 'AssetRepair' && rows.some(({ id }) => id === record.id)) setMarked(record.id);
      else readSoon();
    },
    onReadAnew: readSoon,
  });
  return { live, /** The row that was changed last. */ marked };
}
