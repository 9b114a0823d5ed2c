/** What a record is called. The pages use it in the browser too, so it imports nothing but types. */
import type { Presentation } from './presentation.js';

/** The first filled text of each place, joined. Empty where none is filled. */
export const recordName = ({ namedBy }: Pick<Presentation, 'namedBy'>, record: Readonly<Record<string, unknown>>) =>
  namedBy
    .flatMap((names) => names.map((name) => trimmedText(record[name])).find((text) => text !== '') ?? [])
    .join(' · ');

const trimmedText = (value: unknown): string => (typeof value === 'string' ? value.trim() : '');
