import type { About, TypeAbout } from '../../about.js';
import type { RecordValues } from './draft.js';

/** What every part of a record's page is given. */
export interface RecordProps {
  type: TypeAbout;
  record: RecordValues;
  recordKey: string;
  about: About;
}

export interface FormProps extends RecordProps {
  /** Resolves when the page shows what was saved. */
  onSaved(version: number): Promise<void>;
  onCancel(): void;
  onReload(): void;
}
