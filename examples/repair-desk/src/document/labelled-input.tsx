import { useId } from 'react';
import { type FieldPath, get, useFormContext, useFormState } from 'react-hook-form';
import { useHidden } from '../api/hidden.js';
import { type Draft, type Field, problemIn } from './draft.js';

interface Props {
  field: Field;
  /** Its place in the draft. */
  path: Exclude<FieldPath<Draft>, 'consumedItems' | `consumedItems.${number}`>;
  readOnly: boolean;
  /** Whether somebody else has just changed it. */
  isMarked: boolean;
}

/** One value of the form, with its label and with what is wrong with it. */
export function LabelledInput({ field, path, readOnly, isMarked }: Props) {
  const id = useId();
  const { register, control, getValues } = useFormContext<Draft>();
  const { errors } = useFormState({ control, name: path, exact: true });
  const hidden = useHidden();
  if ((path.includes('.') ? hidden.lines : hidden.repair).has(field.name)) {
    return (
      <p className={`field ${field.type}`}>
        {field.label} <small>Hidden from you</small>
      </p>
    );
  }
  const problem: string | undefined = get(errors, `${path}.message`);
  const hints = [problem !== undefined && `${id}-problem`, isMarked && `${id}-mark`].filter(Boolean).join(' ');
  const shared = {
    ...register(path, { validate: (text) => problemIn(field, String(text)) ?? true }),
    id,
    readOnly,
    'aria-required': field.required,
    'aria-invalid': problem === undefined ? undefined : true,
    'aria-describedby': hints || undefined,
  };
  return (
    <div className={`field ${field.type}${isMarked ? ' changed' : ''}`}>
      <label htmlFor={id}>{field.label}</label>
      {field.type === 'paragraph' || field.type === 'list' ? (
        <textarea rows={field.type === 'list' ? 1 : 2} {...shared} />
      ) : (
        <input
          type={field.type === 'date' && isDate(getValues(path)) ? 'date' : 'text'}
          inputMode={field.type === 'number' ? 'decimal' : undefined}
          {...shared}
        />
      )}
      {isMarked && (
        <small id={`${id}-mark`} className="hidden">
          Changed by somebody else.
        </small>
      )}
      {problem !== undefined && (
        <small id={`${id}-problem`} className="problem">
          {problem}
        </small>
      )}
    </div>
  );
}

/** A date may also be stored with a time, which an input for dates would not show. */
function isDate(value: unknown): boolean {
  return /^(\d{4}-\d\d-\d\d)?$/.test(String(value));
}
