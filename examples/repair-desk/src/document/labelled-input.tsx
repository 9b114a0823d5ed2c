import { type ReactNode, useId } from 'react';
import type { Field } from './fields.js';

interface Props {
  field: Field;
  value: string;
  readOnly: boolean;
  problem: string | undefined;
  /** Whether somebody else has just changed it. */
  isMarked: boolean;
  onChange: (value: string) => void;
  /** What is shown beside the stored value. */
  children?: ReactNode;
}

/** One value of the form, with its label and with what is wrong with it. */
export function LabelledInput({ field, value, readOnly, problem, isMarked, onChange, children }: Props) {
  const id = useId();
  const hints = [problem !== undefined && `${id}-problem`, isMarked && `${id}-mark`].filter(Boolean).join(' ');
  const shared = {
    id,
    value,
    readOnly,
    'aria-required': field.required,
    'aria-invalid': problem !== undefined,
    'aria-describedby': hints || undefined,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  return (
    <div className={`field ${field.type}${isMarked ? ' changed' : ''}`}>
      <label htmlFor={id}>{field.label}</label>
      {field.type === 'paragraph' || field.type === 'list' ? (
        <textarea rows={field.type === 'list' ? Math.min(value.split('\n').length, 5) : 2} {...shared} />
      ) : (
        <input
          type={field.type === 'date' && isDate(value) ? 'date' : 'text'}
          inputMode={field.type === 'number' ? 'decimal' : undefined}
          {...shared}
        />
      )}
      {children}
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
function isDate(value: string): boolean {
  return /^(\d{4}-\d\d-\d\d)?$/.test(value);
}
