import { DocumentStatus } from '../generated/graphql.js';

/** The filter of the list; an empty text does not filter. */
export interface Filter {
  text: string;
  status: DocumentStatus | '';
}

export const noFilter: Filter = { text: '', status: '' };

const statuses = Object.values(DocumentStatus);

export function FilterBar({ filter, onChange }: { filter: Filter; onChange: (filter: Filter) => void }) {
  return (
    <search className="fields">
      <div>
        <label htmlFor="filter-text">Search</label>
        <input
          id="filter-text"
          type="search"
          maxLength={200}
          aria-describedby="filter-hint"
          value={filter.text}
          onChange={(event) => onChange({ ...filter, text: event.target.value })}
        />
        <small id="filter-hint">By words, or their beginnings, in all texts of a repair and its items.</small>
      </div>
      <div>
        <label htmlFor="filter-status">Status</label>
        <select
          id="filter-status"
          value={filter.status}
          onChange={({ target }) =>
            onChange({ ...filter, status: statuses.find((status) => status === target.value) ?? '' })
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
