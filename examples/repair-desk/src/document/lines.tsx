import { memo, useRef } from 'react';
import { useFieldArray, useFormContext, useFormState, useWatch } from 'react-hook-form';
import { type Draft, emptyLine, lineFields, nameOfLine } from './draft.js';
import { LabelledInput } from './labelled-input.js';

interface Shown {
  readOnly: boolean;
  /** The places that somebody else has changed. */
  marks: ReadonlySet<string>;
}

/** The consumed items, to be edited, added, moved and removed. */
export function Lines(shown: Shown) {
  const { control } = useFormContext<Draft>();
  const { fields, append, swap, remove } = useFieldArray({ control, name: 'consumedItems', keyName: 'rowKey' });
  const add = useRef<HTMLButtonElement>(null);
  return (
    <section aria-labelledby="lines-title">
      <h2 id="lines-title">Consumed items</h2>
      <ol className="lines">
        {fields.map(({ key }, place) => (
          <Line key={key} {...shown} {...{ lineKey: key, place, swap, remove, add }} />
        ))}
      </ol>
      {fields.length === 0 && <small>None.</small>}
      {!shown.readOnly && (
        <button type="button" className="outline" ref={add} onClick={() => append(emptyLine())}>
          Add a line
        </button>
      )}
    </section>
  );
}

interface Props extends Shown {
  lineKey: string;
  place: number;
  swap: (one: number, other: number) => void;
  remove: (place: number) => void;
  /** Where the focus goes when the line disappears with its button. */
  add: { current: HTMLElement | null };
}

/** A line. It is drawn again only if something of it has changed: there may be hundreds. */
const Line = memo(function Line({ lineKey, place, readOnly, marks, swap, remove, add }: Props) {
  const path = `consumedItems.${place}` as const;
  const { control } = useFormContext<Draft>();
  const itemCode = useWatch({ control, name: `${path}.itemCode` });
  const { errors } = useFormState({ control, name: `${path}.id` });
  const problem = errors.consumedItems?.[place]?.id?.message;
  const name = nameOfLine({ itemCode });
  return (
    <li className={marks.has(lineKey) ? 'changed' : undefined} aria-label={`Line ${place + 1}`}>
      {lineFields.map((field) => (
        <LabelledInput
          key={field.name}
          field={field}
          path={`${path}.${field.name}`}
          readOnly={readOnly}
          isMarked={marks.has(`${lineKey}.${field.name}`)}
        />
      ))}
      {!readOnly && (
        <div className="tools">
          <button
            type="button"
            className="outline secondary"
            aria-label={`Move ${name} up`}
            // The button is not disabled, so that the focus stays on the line that has moved to the top.
            aria-disabled={place === 0}
            onClick={() => place > 0 && swap(place - 1, place)}
          >
            ↑
          </button>
          <button
            type="button"
            className="outline secondary"
            aria-label={`Remove ${name}`}
            onClick={() => {
              add.current?.focus();
              remove(place);
            }}
          >
            ×
          </button>
        </div>
      )}
      {problem && <small className="problem">{problem}</small>}
    </li>
  );
});
