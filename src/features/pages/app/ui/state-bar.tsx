import { Fragment } from 'react';
import type { Count } from '../overview/counts.js';

const known = ['draft', 'submitted', 'cancelled'];

/** The states of a type's records as one small bar. */
export function StateBar({ count: { total, states } }: { count: Count }) {
  const parts = Object.entries(states).sort(([a], [b]) => known.indexOf(a) - known.indexOf(b));
  if (total === 0 || parts.length === 0) return <span className="state-bar empty-bar" aria-hidden="true" />;
  const words = parts.map(([state, count]) => `${count.toLocaleString('en')} ${state}`).join(', ');
  return (
    <span className="state-bar" role="img" aria-label={words} title={words}>
      {parts.map(([state, count]) => (
        <span key={state} className={`part ${classOf(state)}`} style={{ flexGrow: count }} />
      ))}
    </span>
  );
}

/** The colours of the states, each with its name. */
export function StateLegend() {
  return (
    <>
      {known.map((state) => (
        <Fragment key={state}>
          <StateBadge state={state} />{' '}
        </Fragment>
      ))}
    </>
  );
}

/** The class of a state's colour: any text may be a state, but only three are known. */
export const classOf = (state: string): string => (known.includes(state) ? state : 'other');

export function StateBadge({ state: given }: { state: string }) {
  const state = given.toLowerCase();
  return <span className={`badge ${classOf(state)}`}>{state}</span>;
}
