import type { Difference } from './differences.js';

interface Props {
  differences: Difference[];
  busy: boolean;
  onTakeTheirs: () => void;
  onSaveMine: () => void;
}

const who = { you: 'changed by you', others: 'changed by others', both: 'changed by both' };

/** What somebody has saved meanwhile beside what stands in the form, and the choice between them. */
export function Conflict({ differences, busy, onTakeTheirs, onSaveMine }: Props) {
  return (
    <section className="card conflict" role="alertdialog" aria-labelledby="conflict-title">
      <h2 id="conflict-title">Somebody has saved this repair since you opened it</h2>
      <p>Nothing of yours is saved yet. This is where the two differ:</p>
      <table>
        <thead>
          <tr>
            <th scope="col">Field</th>
            <th scope="col">There now</th>
            <th scope="col">Yours</th>
          </tr>
        </thead>
        <tbody>
          {differences.map(({ label, mine, theirs, changedBy }) => (
            <tr key={label + mine + theirs}>
              <th scope="row">
                {label}
                <small>{who[changedBy]}</small>
              </th>
              <td className={changedBy === 'you' ? '' : 'changed'}>{theirs || '—'}</td>
              <td className={changedBy === 'others' ? '' : 'changed'}>{mine || '—'}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {differences.length === 0 && <p>Nothing: what you have is what is there.</p>}
      <div className="actions">
        <button type="button" onClick={onTakeTheirs} disabled={busy}>
          Take the newer one
        </button>
        <button type="button" className="danger" onClick={onSaveMine} disabled={busy || differences.length === 0}>
          Save mine over it
        </button>
      </div>
    </section>
  );
}
