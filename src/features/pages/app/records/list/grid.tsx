/** The rows of a list, on TanStack Table; of a long page only those in sight are drawn (TanStack Virtual). */
import {
  columnResizingFeature,
  columnSizingFeature,
  createColumnHelper,
  functionalUpdate,
  tableFeatures,
  useTable,
} from '@tanstack/react-table';
import { useWindowVirtualizer } from '@tanstack/react-virtual';
import { type MouseEvent, type ReactNode, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react';
import { recordName } from '../../../../../model/record-name.js';
import type { FieldAbout, TypeAbout } from '../../../about.js';
import { goTo, pathOf } from '../../router.js';
import { Link } from '../../ui/controls.js';
import { Icon } from '../../ui/icon.js';
import type { Selection } from '../many/selection.js';
import { ownCurrency } from '../operations.js';
import { blockSize, chosenColumns, columnsOf, type ListState, namingOf, type ShownColumn } from './list-state.js';
import { Star } from './recent.js';
import { cellClass, decimalsOf, labelOf, shortened, Value } from './rows.js';
import type { Total } from './totals.js';

export type Row = { id: string } & Record<string, unknown>;

const features = tableFeatures({ columnSizingFeature, columnResizingFeature });
const helper = createColumnHelper<typeof features, Row>();

interface GridProps {
  type: TypeAbout;
  state: ListState;
  /** Undefined where a row is not read yet. */
  rows: readonly (Row | undefined)[];
  totals: ReadonlyMap<string, Total[]> | undefined;
  /** What others have just done to records, by their ids. */
  changes: ReadonlyMap<string, string>;
  /** Undefined where nothing can be done to many records. */
  selection: Selection | undefined;
  onChange(change: Partial<ListState>): void;
  /** Which rows are in sight. */
  onSight(first: number, last: number): void;
}

export function Grid({ type, state, rows, totals, changes, selection, onChange, onSight }: GridProps) {
  const { order, columns: chosen } = state;
  const naming = namingOf(type);
  const shown = useMemo(() => columnsOf(type, { columns: chosen }), [type, chosen]);
  const data = useMemo(() => rows.map((row, index) => row ?? { id: `row ${index}`, isMissing: true }), [rows]);
  const decimals = useMemo(() => new Map(shown.map((field) => [field.name, decimalsOf(field, data)])), [shown, data]);
  const { headers, all, widthOf } = useColumns(type, chosen, data, onChange);

  const body = useRef<HTMLTableSectionElement>(null);
  const isLong = data.length > blockSize;
  const [scrollMargin, setScrollMargin] = useState(0);
  useLayoutEffect(() => {
    if (isLong && body.current) setScrollMargin(body.current.getBoundingClientRect().top + scrollY);
  }, [isLong]);
  const virtual = useWindowVirtualizer({
    ...{ count: data.length, enabled: isLong, overscan: 12, scrollMargin },
    estimateSize: () => 40,
  });
  const items = virtual.getVirtualItems();
  const [first, last] = [items[0], items.at(-1)];
  useEffect(() => {
    if (first && last) onSight(first.index, last.index);
  }, [first, last, onSight]);
  const drawn = isLong ? items.flatMap(({ index }) => all[index] ?? []) : all;
  const picked = useRef(0);
  const pick = (index: number, isChosen: boolean, isRange: boolean) => {
    const [from = 0, to = 0] = [index, isRange ? picked.current : index].sort((one, other) => one - other);
    picked.current = index;
    selection?.choose(idsOf(rows.slice(from, to + 1)), isChosen);
  };
  const box = (words: string, isChosen: boolean | undefined, onPick: (isChosen: boolean, isRange: boolean) => void) =>
    selection && (
      <td className="pick" data-label="Select">
        <input
          type="checkbox"
          aria-label={words}
          checked={isChosen}
          onChange={({ target, nativeEvent: by }) => onPick(target.checked, 'shiftKey' in by && by.shiftKey === true)}
        />
      </td>
    );
  const read = idsOf(rows);
  const cells = (cell: (field: FieldAbout) => ReactNode) =>
    shown.map((field) => (
      <td key={field.name} data-label={labelOf(field.name)} className={cellClass(field)} style={widthOf(field.name)}>
        {cell(field)}
      </td>
    ));

  return (
    <table className="rows" aria-rowcount={data.length + 1}>
      <thead>
        <tr>
          {box(
            read.length < rows.length ? 'Select the rows that are read' : 'Select this page',
            selection && read.every(selection.has),
            (isChosen) => selection?.choose(read, isChosen),
          )}
          {headers.map(({ name, widener }) => {
            const field = shown.find((each) => each.name === name);
            const sort = order === name ? 'ascending' : order === `-${name}` ? 'descending' : undefined;
            const next = sort === undefined ? name : sort === 'ascending' ? `-${name}` : undefined;
            return (
              <th key={name} scope="col" className={field && cellClass(field)} style={widthOf(name)} aria-sort={sort}>
                <button type="button" className="quiet" onClick={() => onChange({ order: next })}>
                  {labelOf(name)}
                  {sort && <Icon name={sort === 'ascending' ? 'sortedUp' : 'sortedDown'} />}
                </button>
                {widener}
              </th>
            );
          })}
          <th scope="col" aria-label="Star" />
        </tr>
      </thead>
      <tbody ref={body}>
        <Gap height={first ? first.start - scrollMargin : 0} />
        {drawn.map(({ id, index, original }) => {
          const isMissing = original.isMissing === true;
          const page = `records/${type.slug}/${id}`;
          const word = changes.get(id);
          const name = shortened(recordName(type, original) || id);
          return (
            <tr
              key={id}
              ref={isLong ? virtual.measureElement : undefined}
              data-index={index}
              aria-rowindex={index + 2}
              className={word && 'fresh'}
              onClick={(event) => !isMissing && open(event, pathOf(page))}
            >
              {box(`Select ${name}`, selection?.has(id), (...given) => pick(index, ...given))}
              <th scope="row" style={widthOf(naming)}>
                {isMissing ? '…' : <Link to={page}>{name}</Link>}
                {word && <span className="badge other">{word}</span>}
              </th>
              {cells((field) => (
                <Value
                  field={field}
                  value={shortValue(original[field.name])}
                  currency={original[ownCurrency(type, field) ?? '']}
                  decimals={decimals.get(field.name)}
                />
              ))}
              <td data-label="Star" className="star">
                {!isMissing && <Star slug={type.slug} id={id} />}
              </td>
            </tr>
          );
        })}
        <Gap height={last ? virtual.getTotalSize() - last.end + scrollMargin : 0} />
      </tbody>
      {totals && (
        <tfoot>
          <tr>
            {selection && <td />}
            <th scope="row">Total</th>
            {cells((field) =>
              totals.get(field.name)?.map(({ sum, currency }) => (
                <div key={currency ?? ''}>
                  <Value field={field} value={sum} currency={currency} decimals={decimals.get(field.name)} />
                </div>
              )),
            )}
            <td />
          </tr>
        </tfoot>
      )}
    </table>
  );
}

/** The columns of the table as they are chosen and widened. */
function useColumns(type: TypeAbout, chosen: ShownColumn[] | undefined, data: Row[], onChange: GridProps['onChange']) {
  const own = useMemo(() => chosenColumns(type, chosen), [type, chosen]);
  const columns = useMemo(() => own.map(({ name }) => helper.display({ id: name })), [own]);
  const widths = Object.fromEntries(own.flatMap(({ name, width }) => (width ? [[name, width]] : [])));
  const table = useTable({
    ...{ features, columns, data },
    getRowId: ({ id }) => id,
    state: { columnSizing: widths },
    onColumnSizingChange: (change) => {
      const next = functionalUpdate(change, widths);
      onChange({ columns: own.map(({ name }) => ({ name, width: Math.round(next[name] ?? 0) })) });
    },
  });
  const headers = table.getFlatHeaders().map((header) => {
    const name = header.column.id;
    const begin = (event: MouseEvent<HTMLElement>) => {
      // Where nobody has chosen a width, the mouse begins at that which the browser has.
      header.column.columnDef.size = event.currentTarget.parentElement?.offsetWidth ?? 0;
      header.getResizeHandler()(event);
    };
    const by = header.column.getIsResizing() ? (table.state.columnResizing.deltaOffset ?? 0) : undefined;
    const style = by === undefined ? undefined : { transform: `translateX(${by}px)` };
    const className = style ? 'widener moved' : 'widener';
    // By the keyboard a column is made wider where the columns are chosen.
    return { name, widener: <span className={className} style={style} aria-hidden="true" onMouseDown={begin} /> };
  });
  const widthOf = (name: string) => {
    const width = widths[name];
    return width ? { width, minWidth: width, maxWidth: width } : undefined;
  };
  return { headers, all: table.getRowModel().rows, widthOf };
}

/** The room of rows that are not drawn. */
const Gap = ({ height }: { height: number }) =>
  height > 0 && (
    <tr>
      <td style={{ height }} />
    </tr>
  );

/** Opens the record of a row that was pressed beside its link, unless something was marked there to be copied. */
function open(event: MouseEvent<HTMLElement>, address: string): void {
  const { target, ctrlKey, metaKey, shiftKey } = event;
  const isOther = target instanceof Element && target.closest('a, button, input, label, .pick');
  if (isOther || ctrlKey || metaKey || shiftKey || getSelection()?.toString()) return;
  goTo(address);
}

const idsOf = (rows: readonly (Row | undefined)[]): string[] => rows.flatMap((row) => row?.id ?? []);

const shortValue = (value: unknown): unknown => (typeof value === 'string' ? shortened(value) : value);
