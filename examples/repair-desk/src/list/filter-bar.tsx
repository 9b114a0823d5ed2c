import type { AssetRepairFilter, DocumentStatus } from '../generated/graphql.js';
import { useOffer } from '../offer/offer.js';

/** The filter of the list; an empty text does not filter. */
export interface Filter {
  text: string;
  status: DocumentStatus | '';
}

export const noFilter: Filter = { text: '', status: '' };

const statuses = ['DRAFT', 'SUBMITTED', 'CANCELLED'] as const;

export function FilterBar({ filter, onChange }: { filter: Filter; onChange: (filter: Filter) => void }) {
  const { canSearch } = useOffer();
  return (
    <search className="filter">
      <div className="field">
        <label htmlFor="filter-text">Search</label>
        <input
          id="filter-text"
          type="search"
          maxLength={200}
          aria-describedby="filter-hint"
          value={filter.text}
          onChange={(event) => onChange({ ...filter, text: event.target.value })}
        />
        <small id="filter-hint" className="hint">
          {canSearch
            ? 'By words, or their beginnings, in all texts of a repair and its items.'
            : 'By any part of the name of an asset. This gateway searches no words: it runs without SEARCH=true.'}
        </small>
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

/** The filter as arguments of the list, of which its stream takes `where`. */
export function listedBy({ text, status }: Filter, canSearch: boolean) {
  const where: AssetRepairFilter = status === '' ? {} : { status: { eq: status } };
  if (text === '' || canSearch) return { where, search: text || null };
  return { where: { ...where, asset: { contains: text, ignoreCase: true } }, search: null };
}
