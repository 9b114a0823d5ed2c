import { useEffect, useRef } from 'react';
import type { Trouble } from '../api/trouble.js';

/** Says what went wrong, and moves the focus to the first wrong value. A new failure needs a new `key`. */
export function TroubleAlert({ trouble }: { trouble: Trouble }) {
  const alert = useRef<HTMLDivElement>(null);
  const count = trouble.problems.size;
  useEffect(() => {
    const first = alert.current?.closest('form')?.querySelector<HTMLElement>('[aria-invalid=true]');
    first?.focus();
  }, []);
  return (
    <div className="alert" role="alert" ref={alert}>
      {trouble.message}
      {count > 0 && ` Nothing is saved: ${count === 1 ? 'a value needs' : `${count} values need`} correction.`}
    </div>
  );
}
