/** All of a list, and files of it. */
import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { FieldAbout, TypeAbout } from '../../../about.js';
import { askAll } from '../../api/graphql.js';
import { Trouble } from '../../ui/controls.js';
import { Dialog } from '../../ui/dialog.js';
import type { Row } from '../list/grid.js';
import { blockSize, type ListState, variablesOf } from '../list/list-state.js';
import { labelOf } from '../list/rows.js';
import { listedFields, listOperation } from '../operations.js';

type Page = { nodes: Row[]; pageInfo: { hasNextPage: boolean; endCursor: string } };

/** All of a list. Each page begins at a cursor, so the last costs what the first does. */
export async function* allPages(type: TypeAbout, state: ListState, columns: FieldAbout[], signal?: AbortSignal) {
  const variables = variablesOf(type, { ...state, page: 1, size: blockSize });
  for (let after: string | undefined, isLast = false; !isLast; ) {
    const operation = listOperation(type, { ...variables, after }, columns);
    const { [type.many]: page } = await askAll<Record<string, Page>>(operation, signal);
    yield page?.nodes ?? [];
    isLast = !page?.pageInfo.hasNextPage;
    after = page?.pageInfo.endCursor;
  }
}

/** A line of CSV (RFC 4180) as exports have them: a formula stays what it is (docs/data.md). An empty text is told from null. */
export function csvLine(values: readonly unknown[]): string {
  const cells = values.map((value) => {
    const text = String(value ?? '');
    return value === '' || /[",\s]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  });
  return `${cells.join(',')}\r\n`;
}

/** Puts a file to where this browser keeps its downloads. */
export function saveFile(name: string, parts: BlobPart[]): void {
  const href = URL.createObjectURL(new Blob(parts));
  Object.assign(document.createElement('a'), { href, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(href), 60_000);
}

export const numbered = (count: number): string => count.toLocaleString();

/** How far work on many records has come. */
export const Progress = ({ done, total, word }: { done: number; total: number; word: string }) => (
  <p role="status">
    <progress aria-label="Progress" max={Math.max(total, done, 1)} value={done} />
    {numbered(done)} of {numbered(Math.max(total, done))} {word}
  </p>
);

interface Props {
  type: TypeAbout;
  state: ListState;
  columns: FieldAbout[];
  total: number;
  format: string;
  onClose(): void;
}

/** Writes all that a list shows to a file, for as long as it is open: CSV with its headings, or JSON with the names of GraphQL. */
export function ExportDialog({ type, state, columns, total, format, onClose }: Props) {
  const [read, setRead] = useState(0);
  const name = `${type.slug}.${format}`;
  const { isSuccess, error, refetch } = useQuery({
    ...{ queryKey: ['export', useId()], staleTime: Number.POSITIVE_INFINITY, gcTime: 0 },
    queryFn: async ({ signal }) => {
      const names = listedFields(type, columns);
      const isCsv = format === 'csv';
      // What is in a blob, the browser keeps outside of the page, and on the disk where it is large.
      const parts = [new Blob([isCsv ? csvLine(names.map(labelOf)) : '['])];
      let count = 0;
      setRead(0);
      for await (const rows of allPages(type, state, columns, signal)) {
        const texts = rows.map((row) => {
          const shown = type.hasStates && row.status ? { ...row, status: String(row.status).toLowerCase() } : row;
          return isCsv ? csvLine(names.map((name) => shown[name])) : `${count++ ? ',' : ''}\n${JSON.stringify(row)}`;
        });
        parts.push(new Blob(texts));
        setRead((before) => before + rows.length);
      }
      saveFile(name, [...parts, isCsv ? '' : '\n]\n']);
      return true;
    },
  });
  return (
    <Dialog title={`Export ${type.title}`} onClose={onClose} leave={{ words: isSuccess || error ? 'Close' : 'Stop' }}>
      {error && <Trouble error={error} retry={refetch} />}
      <Progress done={read} total={isSuccess ? read : Math.max(read, total)} word="read" />
      {isSuccess && <p>They are in {name}, where this browser keeps its downloads.</p>}
    </Dialog>
  );
}
