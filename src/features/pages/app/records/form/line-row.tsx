import { memo, useId } from 'react';
import type { FieldAbout } from '../../../about.js';
import { Button } from '../../ui/button.js';
import { labelOf } from '../list/rows.js';
import type { Line } from './draft.js';
import { FieldControl } from './field-input.js';

interface RowProps {
  list: string;
  fields: readonly FieldAbout[];
  line: Line;
  index: number;
  problemAt(place: string): string | undefined;
  acts: {
    type(place: string, name: string, text: string): void;
    remove(place: string): void;
    /** The pointer has taken the line at its handle. */
    grip(place: string): void;
  };
  measure(row: HTMLElement | null): void;
}

/** One line in the form of its record. Drawn again only where it has changed. */
export const LineRow = memo(function LineRow({ list, fields, line, index, problemAt, acts, measure }: RowProps) {
  const id = useId();
  const { place } = line;
  return (
    <tr ref={measure} data-index={index} aria-rowindex={index + 2}>
      <th scope="row">
        {/* For the pointer only: the keyboard moves a line from each of its cells. */}
        <Button
          kind="quiet"
          className="grip"
          icon="move"
          tabIndex={-1}
          aria-label={`Drag line ${index + 1} elsewhere`}
          onPointerDown={() => acts.grip(place)}
        />
        {index + 1}
      </th>
      {fields.map((field) => {
        const value = line.fields[field.name] ?? '';
        const problem = problemAt(`input.${list}[${index}].${field.name}`);
        return (
          <td key={field.name}>
            <FieldControl
              isCell
              field={field}
              value={value}
              aria-label={`${labelOf(field.name)}, line ${index + 1}`}
              aria-invalid={problem !== undefined}
              aria-describedby={problem === undefined ? undefined : `${id}-${field.name}`}
              onChange={(text) => acts.type(place, field.name, text)}
            />
            {problem !== undefined && (
              <p className="problem" id={`${id}-${field.name}`}>
                {problem}
              </p>
            )}
          </td>
        );
      })}
      <td>
        <Button kind="quiet" icon="delete" aria-label={`Remove line ${index + 1}`} onClick={() => acts.remove(place)} />
      </td>
    </tr>
  );
});
