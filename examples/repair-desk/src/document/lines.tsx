import { useEffect, useRef } from 'react';
import type { Problems } from './check-draft.js';
import { type DraftLine, emptyLine } from './draft.js';
import { addLine, type OnEdit } from './edits.js';
import { LineRow } from './line-row.js';
import type { LinkedText } from './use-serial-nos.js';

interface Props {
  lines: DraftLine[];
  readOnly: boolean;
  problems: Problems;
  marks: ReadonlySet<string>;
  serialNos: ReadonlyMap<string, LinkedText>;
  onEdit: OnEdit;
}

/** The consumed items, to be edited, added, moved and removed. */
export function Lines({ lines, readOnly, problems, marks, serialNos, onEdit }: Props) {
  const list = useRef<HTMLOListElement>(null);
  const isAdding = useRef(false);
  useEffect(() => {
    if (isAdding.current) list.current?.lastElementChild?.querySelector('input')?.focus();
    isAdding.current = false;
  });

  return (
    <section aria-labelledby="lines-title">
      <h2 id="lines-title">Consumed items</h2>
      <ol className="lines" ref={list}>
        {lines.map((line, place) => (
          <LineRow
            key={line.key}
            line={line}
            place={place}
            readOnly={readOnly}
            problems={problems}
            marks={marks}
            serialNo={serialNos.get(line.key)}
            onEdit={onEdit}
          />
        ))}
      </ol>
      {lines.length === 0 && <p className="hint">None.</p>}
      {!readOnly && (
        <button
          type="button"
          className="add"
          onClick={() => {
            onEdit('lines', addLine(emptyLine()));
            isAdding.current = true;
          }}
        >
          Add a line
        </button>
      )}
    </section>
  );
}
