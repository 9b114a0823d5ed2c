import type { Field } from '../api/repair.js';

interface Props {
  field: Field;
  value: string;
  disabled: boolean;
  problem: string | undefined;
  /** Where the label is said elsewhere, as in a table's head. */
  labelHidden?: boolean;
  onChange: (value: string) => void;
}

/** One value of the form, with its label and with what is wrong with it. */
export function LabelledInput({ field, value, disabled, problem, labelHidden = false, onChange }: Props) {
  const shared = {
    value,
    disabled,
    'aria-label': field.label,
    'aria-invalid': problem !== undefined,
    onChange: (event: { target: { value: string } }) => onChange(event.target.value),
  };
  return (
    <div className={field.type === 'paragraph' ? 'field wide' : 'field'}>
      {!labelHidden && <span aria-hidden="true">{field.label}</span>}
      {field.type === 'paragraph' ? (
        <textarea rows={2} {...shared} />
      ) : (
        <input type={field.type} step={field.type === 'number' ? 'any' : undefined} {...shared} />
      )}
      {problem !== undefined && <small className="problem">{value === '' ? 'A value is needed.' : problem}</small>}
    </div>
  );
}
