import { defaultRangeExtractor, useVirtualizer } from '@tanstack/react-virtual';
import { Fragment, type KeyboardEvent, type PointerEvent, useCallback, useEffect, useMemo, useRef } from 'react';
import type { FieldAbout, TypeAbout } from '../../../about.js';
import { Button } from '../../ui/button.js';
import { showToast } from '../../ui/toast.js';
import { isSummed, labelOf } from '../list/rows.js';
import { type Draft, defaultsOf, type Line, numberIn, numberText, shownFields } from './draft.js';
import type { FieldProblem } from './form-problems.js';
import { cellsIn, moved, pastedInto } from './line-changes.js';
import { LineRow } from './line-row.js';

interface GridProps {
  list: string;
  type: TypeAbout;
  lines: Line[];
  /** What is wrong, and what of it at one place. They stay the same while nothing else is wrong, as `change` does. */
  problems: readonly FieldProblem[];
  problemAt(place: string): string | undefined;
  change(change: (draft: Draft) => Draft): void;
}

/** A cell of the grid: both count from 0. */
interface Place {
  row: number;
  column: number;
}

/**
 * The lines of a record as a grid. Only the rows in sight are drawn, and the one that the keyboard is in: a document may have
 * thousands.
 */
export function LinesGrid({ list, type, lines, problems, problemAt, change }: GridProps) {
  const title = labelOf(list);
  const fields = useMemo(() => columnsOfGrid(type), [type]);
  const scroller = useRef<HTMLDivElement>(null);
  const adding = useRef<HTMLButtonElement>(null);
  /** Where the keyboard is, and where it goes as soon as that row is drawn. */
  const active = useRef(-1);
  const wanted = useRef<Place>(undefined);
  /** The line that is dragged. */
  const dragged = useRef<string>(undefined);
  const rows = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => 45,
    overscan: 6,
    useFlushSync: false,
    getItemKey: (index) => lines[index]?.place ?? index,
    rangeExtractor: (range) => {
      const seen = defaultRangeExtractor(range);
      const isElsewhere = active.current >= 0 && active.current < range.count && !seen.includes(active.current);
      return isElsewhere ? [...seen, active.current].sort((one, other) => one - other) : seen;
    },
  });

  const focusWanted = () => {
    if (!wanted.current) return;
    const { row, column } = wanted.current;
    const cell = scroller.current?.querySelector(`tr[data-index="${row}"]`)?.children[column + 1];
    if (!cell) return rows.scrollToIndex(row);
    wanted.current = undefined;
    const control = cell.querySelector<HTMLInputElement>(':is(input, select, textarea):not([aria-hidden])');
    control?.focus();
    if (control?.matches('input')) control.select();
  };
  useEffect(focusWanted);
  // What is wrong is shown, also where its line is out of sight.
  useEffect(() => {
    const { place = '' } = problems.find((each) => each.place.startsWith(`input.${list}[`)) ?? {};
    const [, row] = /\[(\d+)\]/.exec(place) ?? [];
    if (row) rows.scrollToIndex(Number(row));
  }, [problems, list, rows]);
  const go = (row: number, column: number) => {
    wanted.current = { row, column };
    focusWanted();
  };
  const set = useCallback(
    (to: (lines: Line[]) => Line[]) =>
      change((draft) => ({ ...draft, lines: { ...draft.lines, [list]: to(draft.lines[list] ?? []) } })),
    [change, list],
  );
  /** What a row does. The same functions at each drawing, so that only rows that have changed are drawn again. */
  const acts = useMemo(
    () => ({
      type: (place: string, name: string, text: string) =>
        set((before) =>
          before.map((line) => (line.place === place ? { ...line, fields: { ...line.fields, [name]: text } } : line)),
        ),
      remove: (place: string) => {
        set((before) => before.filter((line) => line.place !== place));
        active.current = -1;
        adding.current?.focus();
      },
      grip: (place: string) => {
        dragged.current = place;
      },
    }),
    [set],
  );
  const newLine = (): Line => ({ place: `new ${performance.now()} ${Math.random()}`, fields: defaultsOf(type) });
  const add = (column: number) => {
    set((before) => [...before, newLine()]);
    wanted.current = { row: lines.length, column };
  };

  const press = (event: KeyboardEvent<HTMLElement>) => {
    const at = placeOf(event.target);
    const to = at && !event.nativeEvent.isComposing && !isForList(event) ? stepOf(event, at) : undefined;
    if (!at || !to || to.row < 0 || to.column < 0 || to.column >= fields.length) return;
    if (to.row >= lines.length && event.key !== 'Enter') return;
    event.preventDefault();
    event.stopPropagation();
    if (to.row >= lines.length) add(at.column);
    else if (event.altKey) {
      // The keyboard goes with the line, as soon as it is drawn in its new place.
      wanted.current = to;
      set((before) => moved(before, at.row, to.row));
    } else go(to.row, to.column);
  };
  const letGo = () => {
    dragged.current = undefined;
  };
  const drag = (event: PointerEvent<HTMLElement>) => {
    // The button may have been let go outside of the grid.
    if (event.buttons === 0) letGo();
    if (dragged.current === undefined) return;
    const under = document.elementFromPoint(event.clientX, event.clientY)?.closest('tr')?.dataset.index;
    const { current } = dragged;
    // By where it is then: the pointer may move on before the rows are drawn again.
    if (under !== undefined)
      set((before) =>
        moved(
          before,
          before.findIndex(({ place }) => place === current),
          Number(under),
        ),
      );
  };

  const shown = rows.getVirtualItems();
  const above = shown[0]?.start ?? 0;
  const below = rows.getTotalSize() - (shown.at(-1)?.end ?? 0);
  return (
    <section className="card rows-card" aria-label={title}>
      <h2>
        {title} <span className="soft">{lines.length.toLocaleString()}</span>
      </h2>
      {lines.length > 0 && (
        <div className="grid" ref={scroller}>
          <table aria-rowcount={lines.length + 1} aria-label={title}>
            <thead>
              <tr>
                <th scope="col">Line</th>
                {fields.map(({ name, required, description, type: held }) => (
                  <th key={name} scope="col" title={description} className={held === 'String' ? undefined : 'number'}>
                    {labelOf(name)}
                    {required && <span aria-hidden="true"> *</span>}
                  </th>
                ))}
                <td />
              </tr>
            </thead>
            <tbody
              onKeyDownCapture={press}
              onFocus={({ target }) => {
                active.current = placeOf(target)?.row ?? -1;
              }}
              onPaste={(event) => {
                const cells = cellsIn(event.clipboardData.getData('text/plain'));
                const at = placeOf(event.target);
                if (!at || !cells) return;
                event.preventDefault();
                const room = fields.length - at.column;
                if (cells.some((row) => row.length > room))
                  showToast({
                    words: `Only ${room} of the columns ${room === 1 ? 'fits' : 'fit'} here; the others were left out`,
                    isBad: true,
                  });
                set((before) => pastedInto(before, cells, at.row, fields.slice(at.column), newLine));
              }}
              onPointerMove={drag}
              onPointerUp={letGo}
            >
              <Space size={above} />
              {shown.map(({ index, key }, order) => {
                const line = lines[index];
                // The row that the keyboard is in may stand apart from those in sight.
                const gap = order > 0 ? (shown[order]?.start ?? 0) - (shown[order - 1]?.end ?? 0) : 0;
                return (
                  line && (
                    <Fragment key={key}>
                      {gap > 1 && <Space size={gap} />}
                      <LineRow {...{ list, fields, line, index, problemAt, acts }} measure={rows.measureElement} />
                    </Fragment>
                  )
                );
              })}
              <Space size={below} />
            </tbody>
            <tfoot>
              <tr>
                <th scope="row">Sum</th>
                {fields.map((field) => (
                  <td key={field.name} className="number">
                    {isSummed(field) && sumOf(lines, field)}
                  </td>
                ))}
                <td />
              </tr>
            </tfoot>
          </table>
        </div>
      )}
      <div className="action-bar">
        <Button ref={adding} icon="add" onClick={() => add(0)}>
          Add a line
        </Button>
        <span className="soft">
          Enter goes down, Alt and an arrow move a line; cells of a spreadsheet can be pasted.
        </span>
      </div>
    </section>
  );
}

/** The room of rows that are not drawn. */
function Space({ size }: { size: number }) {
  return size > 0 ? (
    <tr>
      <td className="space" style={{ height: size }} />
    </tr>
  ) : null;
}

/** What names a line and what people decide by come first. */
function columnsOfGrid(type: TypeAbout): FieldAbout[] {
  const first = [...type.namedBy.flat(), ...type.listed];
  const rank = ({ name }: FieldAbout) => (first.includes(name) ? first.indexOf(name) : first.length);
  return shownFields(type).sort((one, other) => rank(one) - rank(other));
}

function sumOf(lines: readonly Line[], { name }: FieldAbout): string {
  const numbers = lines
    .map(({ fields }) => numberIn(fields[name] ?? ''))
    .filter((number) => typeof number === 'number');
  return numbers.length > 0 ? numberText(Number(numbers.reduce((sum, number) => sum + number, 0).toPrecision(14))) : '';
}

function placeOf(target: EventTarget): Place | undefined {
  const cell = target instanceof Element ? target.closest('td') : null;
  const row = Number(cell?.closest('tr')?.dataset.index);
  return cell && row >= 0 && target instanceof Element && target.matches('input, select, textarea')
    ? { row, column: cell.cellIndex - 1 }
    : undefined;
}

/** An open list of suggestions takes the arrows, and Enter where one of them is chosen. */
const isForList = ({ target, key }: KeyboardEvent): boolean =>
  target instanceof Element &&
  target.getAttribute('aria-expanded') === 'true' &&
  (key !== 'Enter' || target.hasAttribute('aria-activedescendant'));

/** Where a key leads from a cell; undefined where it is for the cell itself. */
function stepOf({ key, altKey, shiftKey, ctrlKey, metaKey, target }: KeyboardEvent, { row, column }: Place) {
  if (ctrlKey || metaKey || (shiftKey && key !== 'Enter')) return undefined;
  const isVertical = key === 'ArrowUp' || key === 'ArrowDown';
  if (altKey) return isVertical ? { row: row + (key === 'ArrowUp' ? -1 : 1), column } : undefined;
  const isText = target instanceof HTMLInputElement || target instanceof HTMLTextAreaElement;
  // In a text of several lines, keys move in the text.
  const isTall = target instanceof HTMLTextAreaElement && target.value.includes('\n');
  if (key === 'Enter') return shiftKey ? undefined : { row: row + 1, column };
  if (isVertical) return isTall || !isText ? undefined : { row: row + (key === 'ArrowUp' ? -1 : 1), column };
  const [start, end, length] = isText ? [target.selectionStart, target.selectionEnd, target.value.length] : [0, 0, 0];
  const isAll = start === 0 && end === length;
  if (key === 'ArrowLeft') return isAll || (start === 0 && end === 0) ? { row, column: column - 1 } : undefined;
  if (key === 'ArrowRight')
    return isAll || (start === length && end === length) ? { row, column: column + 1 } : undefined;
  return undefined;
}
