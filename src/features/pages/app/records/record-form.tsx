import { type FormEvent, useEffect, useRef } from 'react';
import { useUnsaved } from '../unsaved.js';
import { formFields } from './draft.js';
import { FieldInput, focusable } from './field-input.js';
import { LinesForm } from './lines-form.js';
import type { FormProps } from './props.js';
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
