import type { AssetRepairFilter, DocumentStatus } from '../generated/graphql.js';

/** What the list is narrowed to; an empty text narrows nothing. */
export interface Filter {
  asset: string;
  status: DocumentStatus | '';
}

export const noFilter: Filter = { asset: '', status: '' };

const statuses = ['DRAFT', 'SUBMITTED', 'CANCELLED'] as const;

export function FilterBar({ filter, onChange }: { filter: Filter; onChange: (filter: Filter) => void }) {
  return (
    <search className="filter">
      <div className="field">
        <label htmlFor="filter-asset">Asset contains</label>
        <input
          id="filter-asset"
          type="search"
          value={filter.asset}
          onChange={(event) => onChange({ ...filter, asset: event.target.value })}
        />
      </div>
      <div className="field">
        <label htmlFor="filter-status">Status</label>
        <select
          id="filter-status"
          value={filter.status}
          onChange={(event) =>
            onChange({ ...filter, status: statuses.find((status) => status === event.target.value) ?? '' })
          }
        >
          <option value="">all</option>
          {statuses.map((status) => (
            <option key={status} value={status}>
              {status.toLowerCase()}
            </option>
          ))}
        </select>
      </div>
    </search>
  );
}

/** The filter as the argument `where` of the list and of its stream. */
export function whereOf({ asset, status }: Filter): AssetRepairFilter {
  return { ...(asset && { asset: { contains: asset, ignoreCase: true } }), ...(status && { status: { eq: status } }) };
}
