import { type ReactNode, useEffect, useRef } from 'react';
import type { RecordHeadingFragment } from '../generated/graphql.js';
import { StatusBadge } from '../list/status-badge.js';
import { nameOf, typeOf } from './name-of.js';

interface Props {
  /** Null for one that is not saved yet, which `unsaved` names. */
  record: RecordHeadingFragment | null;
  unsaved?: string;
  children?: ReactNode;
}

/** The heading of the page of a record of any type. Screen readers begin to read at it. */
export function RecordHeading({ record, unsaved = '', children }: Props) {
  const heading = useRef<HTMLHeadingElement>(null);
  const name = record ? nameOf(record) : unsaved;
  useEffect(() => heading.current?.focus(), []);
  useEffect(() => {
    document.title = `${name} · Repair desk`;
  }, [name]);
  return (
    <div className="title">
      <h1 ref={heading} tabIndex={-1}>
        {name}
      </h1>
      {record && 'status' in record && <StatusBadge status={record.status} />}
      {record && (
        <span className="hint">
          {typeOf(record)}, version {record.version}
        </span>
      )}
      {children}
    </div>
  );
}
