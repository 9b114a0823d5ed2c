import { useEffect, useState } from 'react';
import { useClient } from 'urql';
import { readAuthors } from '../api/operations.js';

const time = new Intl.DateTimeFormat(undefined, { timeStyle: 'short' });

/** Who has made this version of the repair, and when: ` by front desk, 14:05`. `last` of a deleted one. */
export function Author({ id, version }: { id: string; version: number | 'last' }) {
  const client = useClient();
  const [words, setWords] = useState('');
  useEffect(() => {
    let isWanted = true;
    void client.query(readAuthors, { id }, { requestPolicy: 'network-only' }).then(({ data }) => {
      const versions = data?.history?.nodes ?? [];
      const made = version === 'last' ? versions[0] : versions.find((node) => node.version === version);
      if (isWanted) setWords(made ? ` by ${made.by.keyName}, ${time.format(new Date(made.at))}` : '');
    });
    return () => {
      isWanted = false;
    };
  }, [client, id, version]);
  return words;
}
