import { memo } from 'react';
import { RecordLink } from '../record/record-link.js';
import type { Problems } from './check-draft.js';
import { type DraftLine, nameOfLine, placeInLine } from './draft.js';
import { type OnEdit, raiseLine, removeLine, setLineValue } from './edits.js';
import { lineFields } from './fields.js';
import { LabelledInput } from './labelled-input.js';
import type { LinkedText } from './use-serial-nos.js';

interface Props {
  line: DraftLine;
  place: number;
  readOnly: boolean;
  problems: Problems;
  marks: ReadonlySet<string>;
  /** The Serial No that the stored line names. */
  serialNo: LinkedText | undefined;
  onEdit: OnEdit;
}

/** A line. It is drawn again only if something of it has changed: there may be hundreds. */
export const LineRow = memo(function LineRow({ line, place, readOnly, problems, marks, serialNo, onEdit }: Props) {
  const { key } = line;
  const problem = problems.get(key);
  return (
    <li className={marks.has(key) ? 'changed' : undefined} aria-label={`Line ${place + 1}`}>
      {lineFields.map((field) => {
        const at = placeInLine(key, field.name);
        return (
          <LabelledInput
            key={field.name}
            field={field}
            value={line.values[field.name]}
            readOnly={readOnly}
            problem={problems.get(at)}
            isMarked={marks.has(at)}
            onChange={(value) => onEdit(at, setLineValue(key, field.name, value))}
          >
            {field.name === 'serialNo' && serialNo?.text === line.values.serialNo && (
              <RecordLink record={serialNo.record} />
            )}
          </LabelledInput>
        );
      })}
      {!readOnly && (
        <div className="tools">
          <button
            type="button"
            className="quiet"
            aria-label={`Move ${nameOfLine(line)} up`}
            // The button is not disabled, so that the focus stays on the line that has moved to the top.
            aria-disabled={place === 0}
            onClick={() => place > 0 && onEdit('order', raiseLine(key))}
          >
            ↑
          </button>
          <button
            type="button"
            className="quiet"
            aria-label={`Remove ${nameOfLine(line)}`}
            onClick={({ currentTarget }) => {
              // The button disappears with its line; the focus moves to a neighbour.
              currentTarget.closest('section')?.querySelector<HTMLElement>('.add')?.focus();
              onEdit(key, removeLine(key));
            }}
          >
            ×
          </button>
        </div>
      )}
      {problem !== undefined && <small className="problem">{problem}</small>}
    </li>
  );
});
