import { useQuery } from '@tanstack/react-query';
import { useEffect, useId, useState } from 'react';
import type { TypeAbout } from '../../../about.js';
import { askAll } from '../../api/graphql.js';
import { codeOf, wordsFor } from '../../api/problems.js';

interface SearchFieldProps {
  type: TypeAbout;
  value: string;
  onChange(text: string | undefined): void;
}

/** Milliseconds without another key before a search begins. */
const rest = 300;

/** Finds records by the words in their texts and lines. Where the gateway has no index of them, it says so. */
export function SearchField({ type, value, onChange }: SearchFieldProps) {
  const [typed, setTyped] = useState<string>();
  const [isUsed, setUsed] = useState(false);
  const note = useId();
  // The documented way to learn whether searches work, without one.
  const { error } = useQuery({
    queryKey: ['searches', type.model],
    enabled: isUsed,
    staleTime: 60_000,
    queryFn: ({ signal }) => askAll({ query: `{ ${type.many}(search: "a", first: 0) { __typename } }` }, signal),
  });
  useEffect(() => {
    if (typed === undefined || error) return;
    const timer = setTimeout(() => {
      onChange(typed.trim() || undefined);
      setTyped(undefined);
    }, rest);
    return () => clearTimeout(timer);
  }, [typed, error, onChange]);
  const isOff = codeOf(error) === 'BAD_USER_INPUT';
  return (
    <div className="search-field">
      <input
        type="search"
        aria-label="Search"
        placeholder={`Search ${type.title}`}
        aria-describedby={note}
        value={typed ?? value}
        onFocus={() => setUsed(true)}
        onChange={(event) => setTyped(event.target.value)}
      />
      <p id={note} className="warning" role="status">
        {error &&
          (isOff ? 'This gateway keeps no index of words (SEARCH=false): use the filters instead.' : wordsFor(error))}
      </p>
    </div>
  );
}
