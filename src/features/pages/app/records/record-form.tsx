import { type FormEvent, useEffect, useRef, useState } from 'react';
import type { TypeAbout } from '../../about.js';
import { useUnsaved } from '../router.js';
import { formFields } from './draft.js';
import { FieldInput, focusable } from './field-input.js';
import { type ChangeDraft, LineForm, type Lines, withLines } from './line-form.js';
import type { FormProps } from './props.js';
import { labelOf } from './rows.js';
import { SaveDialog } from './save-dialog.js';
import { useRecordForm } from './use-record-form.js';

/** A record with its lines, to be edited and saved whole. */
export function RecordForm(props: FormProps) {
  const { type, about, onCancel } = props;
  const form = useRecordForm(props);
  const place = useRef<HTMLFormElement>(null);
  const { draft, problemAt } = form;
  useUnsaved(Object.keys(form.input).length > 0);

  // The button that opened the form is gone, and the keyboard would begin at the top of the page again.
  useEffect(() => place.current?.querySelector<HTMLElement>(focusable)?.focus(), []);

  const submit = (event: FormEvent) => {
    event.preventDefault();
    void form.tryOut();
  };

  return (
    <form ref={place} className="record-form" onSubmit={submit} noValidate>
      <div className="action-bar">
        <button type="submit" className="main">
          Save…
        </button>
        <button type="button" onClick={onCancel}>
          Leave it as it was
        </button>
        <p className="problem" role="alert">
          {form.problem}
        </p>
      </div>
      <section className="card form-fields" aria-label="Fields">
        {formFields(type)
          .filter(({ isState }) => !isState)
          .map((field) => (
            <FieldInput
              key={field.name}
              field={field}
              text={draft.fields[field.name] ?? ''}
              problem={problemAt(`input.${field.name}`)}
              onChange={(text) => form.change({ ...draft, fields: { ...draft.fields, [field.name]: text } })}
            />
          ))}
      </section>
      {form.canSaveLines &&
        type.lines.map(({ model, field }) => {
          const own = about.types.find((other) => other.model === model);
          return (
            own && (
              <LinesForm
                key={field}
                list={field}
                type={own}
                lines={draft.lines[field] ?? []}
                problemAt={problemAt}
                change={form.change}
              />
            )
          );
        })}
      {form.step && <SaveDialog form={form} {...props} onClose={() => form.close()} />}
    </form>
  );
}

interface Props {
  list: string;
  type: TypeAbout;
  lines: Lines;
  problemAt(place: string): string | undefined;
  change: ChangeDraft;
}

/** How many lines are shown before somebody asks for all: thousands of fields take the browser seconds to draw. */
const first = 25;

/** The lines of a record: changed, added and taken away. */
function LinesForm({ list, type, lines, problemAt, change }: Props) {
  const title = labelOf(list);
  const [isWhole, setIsWhole] = useState(false);
  const adding = useRef<HTMLButtonElement>(null);
  const place = (index: number) => `input.${list}[${index}]`;
  const isShown = (line: Lines[number], index: number) =>
    isWhole || index < first || !line.id || formFields(type).some(({ name }) => problemAt(`${place(index)}.${name}`));
  const hidden = lines.filter((line, index) => !isShown(line, index)).length;
  const add = () =>
    change((draft) =>
      withLines(draft, list, (before) => [...before, { place: `new ${performance.now()}`, fields: {} }]),
    );
  return (
    <section className="card" aria-label={title}>
      <h2>{title}</h2>
      {lines.map(
        (line, index) =>
          isShown(line, index) && (
            <LineForm
              key={line.place}
              list={list}
              type={type}
              line={line}
              index={index}
              problemAt={problemAt}
              change={change}
              adding={adding}
            />
          ),
      )}
      {hidden > 0 && (
        <p>
          <button type="button" onClick={() => setIsWhole(true)}>
            Show the other {hidden.toLocaleString('en')} lines
          </button>
        </p>
      )}
      <button ref={adding} type="button" onClick={add}>
        Add a line
      </button>
    </section>
  );
}
