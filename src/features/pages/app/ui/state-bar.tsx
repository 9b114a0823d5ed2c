import { Fragment } from 'react';

/** How many records there are of a type, and how many of them in each state. */
export interface Count {
  total: number;
  states: Record<string, number>;
}

export const states = ['draft', 'submitted', 'cancelled'];

export function StateBar({ count }: { count: Count }) {
  const parts = Object.entries(count.states).sort(([a], [b]) => states.indexOf(a) - states.indexOf(b));
  if (count.total === 0 || parts.length === 0) return <span className="state-bar empty-bar" aria-hidden="true" />;
  const words = parts.map(([state, count]) => `${count.toLocaleString()} ${state}`).join(', ');
  return (
    <span className="state-bar" role="img" aria-label={words} title={words}>
      {parts.map(([state, count]) => (
        <span key={state} className={`part ${classOf(state)}`} style={{ flexGrow: count }} />
      ))}
    </span>
  );
}

/** The colours of the states, each with its name. */
export const StateLegend = () =>
  states.map((state) => (
    <Fragment key={state}>
      <StateBadge state={state} />{' '}
    </Fragment>
  ));

/** The class of a state's colour: any text may be a state, but only three are known. */
const classOf = (state: string): string => (states.includes(state) ? state : 'other');

export function StateBadge({ state: given }: { state: string }) {
  const state = given.toLowerCase();
  return <span className={`badge ${classOf(state)}`}>{state}</span>;
}
