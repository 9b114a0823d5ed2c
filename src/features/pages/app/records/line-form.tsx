import { memo, type RefObject, useEffect, useRef } from 'react';
import type { TypeAbout } from '../../about.js';
import { type Draft, formFields } from './draft.js';
import { FieldInput, focusable } from './field-input.js';

export type Lines = Draft['lines'][string];

/** Changes what has been typed from what it is by then. It stays the same function while the form is open. */
export type ChangeDraft = (change: (draft: Draft) => Draft) => void;

export const withLines = (draft: Draft, list: string, change: (lines: Lines) => Lines): Draft => ({
  ...draft,
  lines: { ...draft.lines, [list]: change(draft.lines[list] ?? []) },
});

interface Props {
  list: string;
  type: TypeAbout;
  line: Lines[number];
  index: number;
  problemAt(place: string): string | undefined;
  change: ChangeDraft;
  /** The button that adds lines, where the keyboard goes on when this line is taken away. */
  adding: RefObject<HTMLButtonElement | null>;
}

/** One line in the form of its record. Drawn again only where it has changed: a document may have thousands. */
export const LineForm = memo(function LineForm({ list, type, line, index, problemAt, change, adding }: Props) {
  const place = useRef<HTMLFieldSetElement>(null);
  useEffect(() => {
    // After a line is added, the keyboard is in it.
    if (!line.id) place.current?.querySelector<HTMLElement>(focusable)?.focus();
  }, [line.id]);
  const set = (name: string, text: string) =>
    change((draft) =>
      withLines(draft, list, (lines) =>
        lines.map((each) => (each.place === line.place ? { ...each, fields: { ...each.fields, [name]: text } } : each)),
      ),
    );
  const remove = () => {
    change((draft) => withLines(draft, list, (lines) => lines.filter((each) => each.place !== line.place)));
    adding.current?.focus();
  };
  return (
    <fieldset ref={place} className="line-form">
      <legend>Line {index + 1}</legend>
      <div className="form-fields">
        {formFields(type).map((field) => (
          <FieldInput
            key={field.name}
            field={field}
            text={line.fields[field.name] ?? ''}
            problem={problemAt(`input.${list}[${index}].${field.name}`)}
            onChange={(text) => set(field.name, text)}
          />
        ))}
      </div>
      <button type="button" className="small" onClick={remove}>
        Remove this line
      </button>
    </fieldset>
  );
});
