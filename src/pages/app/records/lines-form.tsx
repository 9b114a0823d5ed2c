import { useState } from 'react';
import type { TypeAbout } from '../../about.js';
import { type Draft, formFields } from './draft.js';
import { FieldInput } from './field-input.js';
import { labelOf } from './value.js';

type Lines = Draft['lines'][string];

interface Props {
  list: string;
  type: TypeAbout;
  lines: Lines;
  problemAt(place: string): string | undefined;
  onChange(lines: Lines): void;
}

/** How many lines are shown before somebody asks for all: thousands of fields are slow to type in. */
const first = 25;

/** The lines of a record: changed, added and taken away. */
export function LinesForm({ list, type, lines, problemAt, onChange }: Props) {
  const title = labelOf(list);
  const [isWhole, setIsWhole] = useState(false);
  const place = (index: number) => `input.${list}[${index}]`;
  const isShown = (line: Lines[number], index: number) =>
    isWhole || index < first || !line.id || formFields(type).some(({ name }) => problemAt(`${place(index)}.${name}`));
  const hidden = lines.filter((line, index) => !isShown(line, index)).length;
  return (
    <section className="card" aria-label={title}>
      <h2>{title}</h2>
      {lines.map(
        (line, index) =>
          isShown(line, index) && (
            <fieldset key={line.place} className="line-form">
              <legend>Line {index + 1}</legend>
              <div className="form-fields">
                {formFields(type).map((field) => (
                  <FieldInput
                    key={field.name}
                    field={field}
                    text={line.fields[field.name] ?? ''}
                    problem={problemAt(`${place(index)}.${field.name}`)}
                    onChange={(text) =>
                      onChange(lines.with(index, { ...line, fields: { ...line.fields, [field.name]: text } }))
                    }
                  />
                ))}
              </div>
              <button type="button" className="small" onClick={() => onChange(lines.toSpliced(index, 1))}>
                Remove this line
              </button>
            </fieldset>
          ),
      )}
      {hidden > 0 && (
        <p>
          <button type="button" onClick={() => setIsWhole(true)}>
            Show the other {hidden.toLocaleString('en')} lines
          </button>
        </p>
      )}
      <button type="button" onClick={() => onChange([...lines, { place: `new ${performance.now()}`, fields: {} }])}>
        Add a line
      </button>
    </section>
  );
}
