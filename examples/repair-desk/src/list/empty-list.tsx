/** Says why there is nothing to see. */
export function EmptyList({ isFiltered, onShowAll }: { isFiltered: boolean; onShowAll: () => void }) {
  if (!isFiltered) return <p className="empty">There are no repairs yet. “New repair” makes the first.</p>;
  return (
    <p className="empty">
      No repair is like that.{' '}
      <button type="button" onClick={onShowAll}>
        Show all
      </button>
    </p>
  );
}
