import type { RepairRow } from '../api/operations.js';
import { addressOf } from '../route.js';
import { StatusBadge } from './status-badge.js';

const money = new Intl.NumberFormat('en', { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export function RepairRows({ rows }: { rows: RepairRow[] }) {
  if (rows.length === 0) return <p className="hint">No repairs.</p>;
  return (
    <table className="rows">
      <thead>
        <tr>
          <th scope="col">Asset</th>
          <th scope="col">Failed on</th>
          <th scope="col">Repair</th>
          <th scope="col">Items</th>
          <th scope="col" className="number">
            Cost
          </th>
          <th scope="col">Status</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id}>
            <td>
              <a href={addressOf(row.id)}>{row.asset}</a>
            </td>
            <td>{row.failureDate}</td>
            <td>{row.repairStatus}</td>
            <td>{row.consumedItems.map(({ itemCode }) => itemCode).join(', ')}</td>
            <td className="number">{money.format(row.repairCost)}</td>
            <td>
              <StatusBadge status={row.status} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
