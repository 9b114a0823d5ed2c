import type { Bytes } from '../../common/bytes.js';
import type { Procedure } from '../../common/work.js';
import type { Resource } from '../../model/resource.js';
import type { Described } from '../../query/compiled/described-fields.js';
import type { CompileContext } from '../../query/sql/statement.js';
import type { AnswerSql } from '../statements/answer-sql.js';
import type { WrittenRecords } from '../writes/many.js';
import type { WrittenRecord } from '../writes/record.js';
import type { SaveChanges } from '../writes/save.js';
import { type PayloadJson, payloadJson } from './payload-json.js';
import { writtenRecordJson, writtenRecordsJson } from './written-json.js';

/** A payload whose record is read by the database in the transaction that wrote it. */
export interface WrittenPayload {
  /** The record as a part of the statement that writes it; undefined if it is not selected. */
  folded: AnswerSql | undefined;
  text(written: WrittenRecord, changes?: SaveChanges): Procedure<Bytes>;
  refused: PayloadJson['refused'];
}

/** @throws NotCompilable */
export function writtenPayload(compiling: CompileContext, resource: Resource, field: Described): WrittenPayload {
  const { record, text, refused } = payloadJson(compiling, resource, field);
  const json = record && writtenRecordJson(compiling, { ...record, model: resource.model });
  return {
    folded: json?.folded,
    *text(written, changes) {
      return text({ record: json && (yield* json.text(written)), changes });
    },
    refused,
  };
}

/** The same of many records. */
export interface WrittenListPayload extends Pick<WrittenPayload, 'folded' | 'refused'> {
  text(written: WrittenRecords): Procedure<Bytes>;
}

/** @throws NotCompilable */
export function writtenListPayload(
  compiling: CompileContext,
  resource: Resource,
  field: Described,
): WrittenListPayload {
  const { record, text, refused } = payloadJson(compiling, resource, field);
  const json = record && writtenRecordsJson(compiling, { ...record, model: resource.model });
  return {
    folded: json?.folded,
    *text(written) {
      return text({ record: json && (yield* json.text(written)) });
    },
    refused,
  };
}
