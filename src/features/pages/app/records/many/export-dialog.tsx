import { useQuery } from '@tanstack/react-query';
import { useId, useState } from 'react';
import type { FieldAbout, TypeAbout } from '../../../about.js';
import { Trouble } from '../../ui/controls.js';
import { Dialog } from '../../ui/dialog.js';
import type { ListState } from '../list/list-state.js';
import { labelOf } from '../list/rows.js';
import { listedFields } from '../operations.js';
import { allPages } from './all-pages.js';
import { csvLine, Progress, saveFile } from './files.js';

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
    <Dialog title={`Export ${type.title}`} onClose={onClose} leave={{ words: isSuccess ? 'Close' : 'Stop' }}>
      {error && <Trouble error={error} retry={refetch} />}
      <Progress done={read} total={isSuccess ? read : Math.max(read, total)} word="read" />
      {isSuccess && <p>They are in {name}, where this browser keeps its downloads.</p>}
    </Dialog>
  );
}
