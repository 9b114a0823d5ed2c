import type { AnchorHTMLAttributes, MouseEvent, ReactNode } from 'react';
import { mayPass, wordsFor } from '../api/problems.js';
import { goTo, isDocument, pathOf } from '../router.js';
import { Button } from './button.js';
import { copyText } from './toast.js';

/** What went wrong, and what to do: with a button where trying again may help. */
export function Trouble({ error, retry }: { error: unknown; retry?: () => unknown }) {
  return (
    <div className="notice bad" role="alert">
      <p>{wordsFor(error)}</p>
      {retry && mayPass(error) && (
        <Button icon="refresh" onClick={() => void retry()}>
          Try again
        </Button>
      )}
    </div>
  );
}

/** What is wrong with what somebody does, read aloud when it appears. */
export const Problem = (props: { id?: string; children: ReactNode }) => (
  <p className="problem" role="alert" {...props} />
);

/** A place where there is nothing to see, and what to do about it. */
export function Empty({ title, children }: { title: string; children?: ReactNode }) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      {children}
    </div>
  );
}

/** Grey lines in the place of what is being loaded. */
export function Loading({ lines = 4, what = 'Loading' }: { lines?: number; what?: string }) {
  return (
    <div className="loading" role="status" aria-label={what}>
      {Array.from({ length: lines }, (_, index) => index).map((index) => (
        <span key={index} className="loading-line" />
      ))}
    </div>
  );
}

export const CopyButton = ({ text, children = 'Copy' }: { text: () => string; children?: string }) => (
  <Button isSmall onClick={() => void copyText(text())}>
    {children}
  </Button>
);

/** A text to paste into a terminal or an editor. */
export function Code({ children }: { children: string }) {
  return (
    <div className="code">
      <pre>{children}</pre>
      <CopyButton text={() => children} />
    </div>
  );
}

interface Props extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** A path of the pages, without `/` at its beginning. */
  to: string;
}

/** A link to another page of the app. What opens a new tab or a document, or has a modifier key, is left to the browser. */
export function Link({ to, onClick, ...rest }: Props) {
  const href = pathOf(to);
  const follow = (event: MouseEvent<HTMLAnchorElement>) => {
    onClick?.(event);
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    if (isDocument(to)) return;
    event.preventDefault();
    goTo(href);
  };
  return <a {...rest} href={href} onClick={follow} />;
}

export interface Column<Row> {
  label: string;
  className?: string | undefined;
  cell(row: Row, index: number): ReactNode;
}

interface TableProps<Row> {
  /** The first one heads each row. */
  columns: Column<Row>[];
  rows: readonly Row[];
  keyOf(row: Row): string;
}

/** A table, and on a small screen a card for each row. */
export function Table<Row>({ columns, rows, keyOf }: TableProps<Row>) {
  const [first, ...others] = columns;
  return (
    <table className="rows">
      <thead>
        <tr>
          {columns.map(({ label, className }) => (
            <th key={label} scope="col" className={className}>
              {label}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map((row, index) => (
          <tr key={keyOf(row)}>
            <th scope="row">{first?.cell(row, index)}</th>
            {others.map(({ label, className, cell }) => (
              <td key={label} data-label={label} className={className}>
                {cell(row, index)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

interface SelectProps {
  label: string;
  value: string;
  options: readonly (readonly [value: string, words: string | undefined])[];
  onChange(value: string): void;
}

export function Select({ label, value, options, onChange }: SelectProps) {
  return (
    <select aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      {options.map(([option, words]) => (
        <option key={option} value={option}>
          {words}
        </option>
      ))}
    </select>
  );
}
