import { Link } from 'react-router';
import { useHidden } from '../api/hidden.js';
import { addressOf, nameOf } from '../api/repair.js';
import { StatusBadge } from '../badges.js';
import type { RepairRowFragment } from '../generated/graphql.js';

const money = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** `marked` is the row that somebody has changed last. */
export function RepairRows({ rows, marked }: { rows: readonly RepairRowFragment[]; marked: string | null }) {
  const { repair: hidden } = useHidden();
  return (
    <table className="rows">
      <thead>
        <tr>
          <th scope="col">Asset</th>
          <th scope="col">Failed on</th>
          <th scope="col" className="minor">
            Repair
          </th>
          <th scope="col" className="minor">
            Items
          </th>
          <th scope="col" className="number">
            Cost
          </th>
          <th scope="col">Status</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} className={row.id === marked ? 'changed' : undefined}>
            <td>
              <Link to={addressOf(row)}>{nameOf(row)}</Link>
            </td>
            <td>{row.failureDate}</td>
            <td className="minor">{row.repairStatus}</td>
            <td className="minor">{row.consumedItems?.map(({ itemCode }) => itemCode).join(', ')}</td>
            <td className="number">
              {hidden.has('repairCost') ? (
                <small>hidden</small>
              ) : (
                row.repairCost !== null && money.format(row.repairCost)
              )}
            </td>
            <td>
              <StatusBadge status={row.status} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
