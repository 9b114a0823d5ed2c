import { Select } from '../../ui/controls.js';
import { type ListState, sizes } from './list-state.js';

interface PagerProps {
  state: ListState;
  total: number;
  onChange(change: Partial<ListState>): void;
}

/** How many records there are, and the way to the other pages: the first, the last, and those around this one. */
export function Pager({ state: { page, size }, total, onChange }: PagerProps) {
  const last = Math.max(1, Math.ceil(total / size));
  const near = [1, page - 1, page, page + 1, last].filter((number) => number >= 1 && number <= last);
  const to = (words: string, number: number, isOff = false) => (
    <button
      key={words}
      type="button"
      disabled={isOff}
      aria-label={words === String(number) ? `Page ${number}` : undefined}
      aria-current={words === String(page) ? 'page' : undefined}
      onClick={() => onChange({ page: number })}
    >
      {words}
    </button>
  );
  return (
    <nav className="pager" aria-label="Pages">
      <span className="soft">{total.toLocaleString()} in all</span>
      <Select
        label="Rows on a page"
        value={String(size)}
        options={sizes.map((each) => [String(each), `${each.toLocaleString()} a page`])}
        onChange={(value) => onChange({ size: Number(value) })}
      />
      {to('Previous', Math.min(page - 1, last), page <= 1)}
      {last > 1 && [...new Set(near)].map((number) => to(String(number), number))}
      {to('Next', page + 1, page >= last)}
    </nav>
  );
}
