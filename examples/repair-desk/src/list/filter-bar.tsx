/** What the list is narrowed to; an empty text narrows nothing. */
export interface Filter {
  asset: string;
  status: string;
}

const statuses = ['draft', 'submitted', 'cancelled'];

export function FilterBar({ filter, onChange }: { filter: Filter; onChange: (filter: Filter) => void }) {
  return (
    <search className="filter">
      <label className="field">
        <span>Asset contains</span>
        <input
          type="search"
          value={filter.asset}
          onChange={(event) => onChange({ ...filter, asset: event.target.value })}
        />
      </label>
      <label className="field">
        <span>Status</span>
        <select value={filter.status} onChange={(event) => onChange({ ...filter, status: event.target.value })}>
          <option value="">all</option>
          {statuses.map((status) => (
            <option key={status}>{status}</option>
          ))}
        </select>
      </label>
    </search>
  );
}

/** The filter as the argument `where` of the list. */
export function whereOf({ asset, status }: Filter): Record<string, object> {
  return { ...(asset && { asset: { contains: asset } }), ...(status && { status: { eq: status } }) };
}
