import { useState } from 'react';
import type { TypeAbout } from '../../../about.js';
import { Button } from '../../ui/button.js';
import { Select } from '../../ui/controls.js';
import { Dialog } from '../../ui/dialog.js';
import { chosenColumns, listFields, type ShownColumn } from './list-state.js';
import { labelOf } from './rows.js';

interface Props {
  type: TypeAbout;
  columns: ShownColumn[] | undefined;
  onChange(columns: ShownColumn[] | undefined): void;
  onClose(): void;
}

/** Which columns a list has, in which order and how wide; all of it by the keyboard, too. */
export function ColumnDialog({ type, columns, onChange, onClose }: Props) {
  const [chosen, setChosen] = useState(() => chosenColumns(type, columns));
  const others = listFields(type).filter(({ name, secret }) => !secret && !chosen.some((each) => each.name === name));
  const put = (at: number, removed: number, ...added: ShownColumn[]) =>
    setChosen(chosen.toSpliced(at, removed, ...added));
  return (
    <Dialog
      title="Columns"
      onClose={onClose}
      leave={{ words: 'Close' }}
      act={{ words: 'Show these columns', onClick: () => onChange(chosen) }}
    >
      <ul className="columns" aria-label="Columns in their order">
        {chosen.map((column, index) => {
          const label = labelOf(column.name);
          const above = chosen[index - 1];
          return (
            <li key={column.name}>
              <span>{label}</span>
              {above && index > 1 && (
                <Button
                  isSmall
                  icon="sortedUp"
                  aria-label={`${label}: before the one above`}
                  onClick={() => put(index - 1, 2, column, above)}
                />
              )}
              <input
                type="number"
                min={60}
                step={20}
                aria-label={`${label}: width`}
                placeholder="Width"
                value={column.width ?? ''}
                onChange={({ target }) => put(index, 1, { ...column, width: target.valueAsNumber || undefined })}
              />
              {above && (
                <Button isSmall icon="cancel" aria-label={`${label}: leave it out`} onClick={() => put(index, 1)} />
              )}
            </li>
          );
        })}
      </ul>
      <div className="field-row">
        <Select
          label="Add a column"
          value=""
          options={[['', 'Add a column…'], ...others.map(({ name }) => [name, labelOf(name)] as const)]}
          onChange={(name) => put(chosen.length, 0, { name })}
        />
        <Button onClick={() => onChange(undefined)}>As at the beginning</Button>
      </div>
    </Dialog>
  );
}
