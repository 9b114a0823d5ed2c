import { type FormEvent, useId, useState } from 'react';
import type { TypeAbout } from '../../about.js';

interface Props {
  type: TypeAbout;
  parent: string | undefined;
  onChange(parent: string): void;
}

/** Lines are listed by what they belong to. */
export function ParentForm({ type, parent, onChange }: Props) {
  const [id, setId] = useState(parent ?? '');
  const field = useId();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (id.trim()) onChange(id.trim());
  };
  const owner = type.ofAnyRecord ? 'the record' : `the ${type.parents.map(({ model }) => model).join(' or ')}`;
  return (
    <form className="card parent-form" onSubmit={submit}>
      <label htmlFor={field}>Id of {owner} that they are lines of</label>
      <div className="sign-in-row">
        <input id={field} value={id} onChange={(event) => setId(event.target.value)} />
        <button type="submit" className="main">
          Show its lines
        </button>
      </div>
    </form>
  );
}
