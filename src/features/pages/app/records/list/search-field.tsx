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
  const { problem } = useSearchable(`${type.many}(search: "a", first: 0)`, isUsed, 'use the filters instead');
  useEffect(() => {
    if (typed === undefined || problem) return;
    const timer = setTimeout(() => {
      onChange(typed.trim() || undefined);
      setTyped(undefined);
    }, rest);
    return () => clearTimeout(timer);
  }, [typed, problem, onChange]);
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
        {problem}
      </p>
    </div>
  );
}

/** Whether searches work, by the documented way to learn it without one: the field finds none. Else why not, and what to do. */
export function useSearchable(field: string, isUsed: boolean, instead: string) {
  const { error, isSuccess } = useQuery({
    queryKey: ['searches', field],
    enabled: isUsed,
    staleTime: 60_000,
    queryFn: ({ signal }) => askAll({ query: `{ ${field} { __typename } }` }, signal),
  });
  const isOff = codeOf(error) === 'BAD_USER_INPUT';
  const words = isOff ? `This gateway keeps no index of words (SEARCH=false): ${instead}.` : wordsFor(error);
  return { isSuccess, problem: error ? words : undefined };
}
