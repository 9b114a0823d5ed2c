import { graphiqlLink } from '../graphiql/link.js';
import { Code } from '../ui/copy-button.js';
import type { Callable, Called, Caller } from './uses.js';

/** One thing that is called, by whom, and what to move to. */
export function CalledCard({ called: { name, callable, callers, others } }: { called: Called }) {
  return (
    <section className="card called" aria-label={name}>
      <h2>
        <code>{callable?.call ?? name}</code> {callable?.isDeprecated && <Ends callable={callable} />}
      </h2>
      {callable && <Replacement callable={callable} />}
      {callers.length > 0 && <Callers callers={callers} />}
      {callers.length + others === 0 && <p className="soft">Nobody calls it.</p>}
      {others > 0 && (
        <p className="soft">
          {others.toLocaleString('en')} {others === 1 ? 'key that has' : 'keys that have'} called it{' '}
          {others === 1 ? 'is' : 'are'} not shown here.
        </p>
      )}
    </section>
  );
}

function Ends({ callable: { deprecatedAt, sunsetAt } }: { callable: Callable }) {
  const isAhead = deprecatedAt !== null && Date.parse(deprecatedAt) > Date.now();
  const since = deprecatedAt ? ` ${isAhead ? 'from' : 'since'} ${dayOf(deprecatedAt)}` : '';
  const end = sunsetAt ? `, ends ${dayOf(sunsetAt)}` : '';
  return <span className="badge cancelled">{`deprecated${since}${end}`}</span>;
}

function Replacement({ callable: { surface, name, replacement } }: { callable: Callable }) {
  if (!replacement) return null;
  if (surface === 'GRAPHQL') return <p>{replacement}</p>;
  return (
    <details>
      <summary>
        Move to <code>{name}</code>
      </summary>
      <Code>{replacement}</Code>
      <a href={graphiqlLink({ query: replacement })}>Open in GraphiQL</a>
    </details>
  );
}

function Callers({ callers }: { callers: Caller[] }) {
  return (
    <table className="rows">
      <thead>
        <tr>
          {['Key', 'Calls', 'First', 'Last', 'User agents'].map((heading) => (
            <th key={heading} scope="col" className={heading === 'Calls' ? 'number' : undefined}>
              {heading}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {callers.map(({ keyId, key, calls, firstAt, lastAt, userAgents }) => (
          <tr key={keyId}>
            <th scope="row">
              {key?.name ?? 'a key that is gone'}{' '}
              <span className="soft">
                {keyId}
                {key && key.state !== 'ACTIVE' ? `, ${key.state.toLowerCase()}` : ''}
              </span>
            </th>
            <td data-label="Calls" className="number">
              {calls.toLocaleString('en')}
            </td>
            <td data-label="First">{dayOf(firstAt)}</td>
            <td data-label="Last">{instantOf(lastAt)}</td>
            <td data-label="User agents" className="user-agents">
              {userAgents.map(({ userAgent }) => userAgent || 'none or others').join(', ')}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const dayOf = (instant: string): string => instant.slice(0, 10);
const instantOf = (instant: string): string => instant.slice(0, 16).replace('T', ' ');
