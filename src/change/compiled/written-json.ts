/** The JSON of written records, read by the database in the transaction that wrote them. */
import type { Bytes } from '../../common/bytes.js';
import { type Procedure, rows } from '../../common/work.js';
import { errors } from '../../model/errors/errors.js';
import { NotCompilable, type Selection } from '../../model/selection.js';
import {
  frameBytes,
  type RecordCount,
  recordObject,
  selectsLinks,
  tablesBelow,
} from '../../query/sql/record-object.js';
import { recordReader } from '../../query/sql/record-reader.js';
import { rowCounted, wholeText } from '../../query/sql/sizes.js';
import { type CompileContext, type SqlBuilder, writeSized } from '../../query/sql/statement.js';
import type { AnswerSql } from '../statements/single-statement.js';
import type { WrittenRecord, WrittenRecords } from '../writes/record.js';

/** One record. */
export interface WrittenJson {
  /** Undefined for an answer that follows links: they may lead to what the same statement writes. */
  folded: AnswerSql | undefined;
  text(written: WrittenRecord): Procedure<Bytes>;
}

export function writtenRecordJson(compiling: CompileContext, model: string, record: Selection): WrittenJson {
  const object = statementText(compiling, record, 'one', wholeText);
  const read = recordReader(compiling, record);
  const sql = `SELECT ${object} FROM "${model}" AS t0 WHERE t0."id" = ${compiling.dialect.bound(1)}`;
  return {
    folded: selectsLinks(record)
      ? undefined
      : {
          select: `SELECT ${object} FROM "${model}" AS t0`,
          showsMore: compiling.resources.size > 1,
          tables: tablesBelow(record),
        },
    *text({ id, answer }) {
      const [row] = answer ?? (yield* rows(sql, [id]));
      if (!row) throw new Error(`${model} ${id} is gone before its transaction ends`);
      return read(row[0]);
    },
  };
}

/** Many records. */
export interface WrittenManyJson {
  folded: AnswerSql | undefined;
  /** In the order of the ids. @throws `answer_too_large`, so that the write is rolled back */
  text(written: WrittenRecords): Procedure<Bytes>;
}

export function writtenRecordsJson(compiling: CompileContext, model: string, record: Selection): WrittenManyJson {
  const { text, madeOnce, among, bound } = compiling.dialect;
  const read = recordReader(compiling, record);
  const sql = statementText(compiling, record, 'many', (writing, object, frame) => {
    const from = `FROM "${model}" AS t0 WHERE t0."id" ${among(bound(1))}`;
    const made = madeOnce(`SELECT t0."id", ${object} AS item ${from}`);
    return `SELECT "id", ${text('item')} FROM ${made} AS made WHERE ${rowCounted(writing, ['item'], frame)}`;
  });
  return {
    folded: selectsLinks(record) ? undefined : foldedRecords(compiling, model, record),
    *text({ ids, answer }) {
      if (ids.length === 0) return '[]';
      const texts = new Map<unknown, Bytes>();
      let size = 0;
      for (const [id, item] of answer ?? (yield* rows(sql, [JSON.stringify(ids)]))) {
        const made = read(item);
        size += made.length;
        texts.set(id, made);
      }
      // A statement that both writes and answers has committed, and has counted its answer itself.
      if (!answer && size > compiling.answerLimit) throw errors.answerTooLarge(compiling.answerLimit);
      return `[${ids.flatMap((id) => texts.get(id) ?? []).join()}]`;
    },
  };
}

/** The answer as part of the statement that writes the records: it fails if all together exceed the limit. */
function foldedRecords(compiling: CompileContext, model: string, record: Selection): AnswerSql {
  const { text, size, countedRow } = compiling.dialect;
  let condition = '';
  const made = statementText(compiling, record, 'many', (_writing, object, frame) => {
    condition = countedRow(`sum(${size('item')} + ${frame})`, 0, compiling.answerLimit);
    return `"made" AS (SELECT t0."id", ${object} AS item FROM "${model}" AS t0)`;
  });
  return {
    queries: [made],
    select: `SELECT "id", ${text('item')} FROM "made" WHERE (SELECT ${condition} FROM "made")`,
    showsMore: compiling.resources.size > 1,
    tables: tablesBelow(record),
  };
}

/** The result of `write` for the object of the row `t0`. Selections with arguments are left to the resolvers. */
function statementText(
  compiling: CompileContext,
  record: Selection,
  count: RecordCount,
  write: (writing: SqlBuilder, object: string, frame: number) => string,
): string {
  return writeSized(compiling.answerLimit, (answerSize) => {
    let tables = 0;
    const table = () => `t${++tables}`;
    const writing = {
      ...compiling,
      answerSize,
      bind: noArguments,
      dynamic: noArguments,
      makeUnbounded: noArguments,
      table,
    };
    return write(writing, recordObject(writing, record, 't0', count), frameBytes(writing, record, count));
  });
}

function noArguments(): never {
  throw new NotCompilable();
}
