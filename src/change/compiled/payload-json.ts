/** The JSON of what mutations answer: the written records, what was deleted, what a save has changed, what is wrong. */
import { type Bytes, bytesOf } from '../../common/bytes.js';
import { type Procedure, rows } from '../../common/work.js';
import type { Resource } from '../../model/resource.js';
import { NotCompilable, required, type Selection, type UserError } from '../../model/selection.js';
import {
  frameBytes,
  type RecordCount,
  recordObject,
  selectsLinks,
  tablesBelow,
} from '../../query/sql/record-object.js';
import { jsonObject, recordReader } from '../../query/sql/record-reader.js';
import { AnswerRoom, rowCounted, wholeText } from '../../query/sql/sizes.js';
import { type CompileContext, type SqlBuilder, writeSized } from '../../query/sql/statement.js';
import type { AnswerSql } from '../statements/single-statement.js';
import type { Answering, WrittenRecords } from '../writes/record.js';
import type { LineChanges, SaveChanges } from '../writes/save.js';

type WriteJson<Value> = (value: Value) => Bytes;

/** The parts of an answer that are known; all others are null. */
export interface PayloadParts {
  /** Of one record, or the list of many. */
  record?: Bytes | undefined;
  changes?: SaveChanges | undefined;
  /** Of what was written. */
  ids?: readonly string[];
  userErrors?: readonly UserError[];
}

/**
 * The payload of a mutation, what is selected of the record, if anything is, and whether `userErrors` is selected. The parent of a
 * deleted line is left to the resolvers. @throws NotCompilable
 */
export function payloadJson(resource: Resource, field: Selection) {
  const records: Selection[] = [];
  const text = jsonObject(required(field, 'one or null'), (part): WriteJson<PayloadParts> => {
    const { answer } = part;
    if (answer.kind === 'deleted') {
      if (answer.part === 'id') return ({ ids: [id = null] = [] }) => json(id);
      if (answer.part === 'ids') return ({ ids = null }) => json(ids);
      return ({ ids }) => json(ids !== undefined);
    }
    if (answer.kind !== 'payload') throw new NotCompilable();
    if (answer.part === 'userErrors') return userErrorsWriter(part);
    if (answer.part === 'changes') return changesWriter(part);
    records.push(required(part, answer.part === 'records' ? 'list' : 'one or null', resource));
    return ({ record }) => record ?? 'null';
  });
  // The bytes of an answer are counted for the record alone, so it may be selected once.
  if (records.length > 1) throw new NotCompilable();
  const showsErrors = field.fields.some(({ answer }) => answer.kind === 'payload' && answer.part === 'userErrors');
  return { record: records[0], text, showsErrors };
}

function userErrorsWriter(field: Selection): WriteJson<PayloadParts> {
  const item = jsonObject(required(field, 'list'), (part): WriteJson<UserError> => {
    const { answer } = part;
    if (answer.kind !== 'userError') throw new NotCompilable();
    const serialize = (value: unknown) => part.serialize(value);
    return (error) => {
      const value = error[answer.part];
      return json(Array.isArray(value) ? value.map(serialize) : value === undefined ? null : serialize(value));
    };
  });
  return ({ userErrors = [] }) => `[${userErrors.map((error) => item(error)).join()}]`;
}

function changesWriter(field: Selection): WriteJson<PayloadParts> {
  const text = jsonObject(required(field, 'one or null'), (part): WriteJson<SaveChanges> => {
    const { answer } = part;
    if (answer.kind !== 'changes') throw new NotCompilable();
    if (answer.part === 'fields') return ({ fields }) => json(fields);
    const line = jsonObject(required(part, 'list'), ({ answer: of }): WriteJson<LineChanges> => {
      if (of.kind !== 'lineChanges') throw new NotCompilable();
      return (changes) => json(changes[of.part]);
    });
    return ({ lines }) => `[${lines.map((changes) => line(changes)).join()}]`;
  });
  return ({ changes }) => (changes ? text(changes) : 'null');
}

const json = (value: unknown): Bytes => bytesOf(JSON.stringify(value));

/** The records that a mutation writes, as selected. */
export interface AnswerJson extends Answering {
  /** Once they are written. Of many in the order of the ids. @throws `answer_too_large`, so that the write is rolled back */
  text(written: WrittenRecords): Procedure<Bytes>;
}

// Records that the database reads in the transaction that wrote them.

export function writtenRecordJson(compiling: CompileContext, model: string, record: Selection): AnswerJson {
  const object = statementText(compiling, record, 'one', wholeText);
  const read = recordReader(compiling, record);
  const select = `SELECT ${object} FROM "${model}" AS t0`;
  const sql = `${select} WHERE t0."id" = ${compiling.dialect.bound(1)}`;
  return {
    folded: foldedSql(compiling, record, () => ({ select })),
    *text({ ids: [id = ''], answer }) {
      const [row] = answer ?? (yield* rows(sql, [id]));
      if (!row) throw new Error(`${model} ${id} is gone before its transaction ends`);
      return read(row[0]);
    },
  };
}

export function writtenRecordsJson(compiling: CompileContext, model: string, record: Selection): AnswerJson {
  const { text, size, countedRow, madeOnce, among, bound } = compiling.dialect;
  const read = recordReader(compiling, record);
  const sql = statementText(compiling, record, 'many', (writing, object, frame) => {
    const from = `FROM "${model}" AS t0 WHERE t0."id" ${among(bound(1))}`;
    const made = madeOnce(`SELECT t0."id", ${object} AS item ${from}`);
    return `SELECT "id", ${text('item')} FROM ${made} AS made WHERE ${rowCounted(writing, ['item'], frame)}`;
  });
  return {
    // It fails if all together exceed the limit.
    folded: foldedSql(compiling, record, () =>
      statementText(compiling, record, 'many', (_writing, object, frame) => {
        const condition = countedRow(`sum(${size('item')} + ${frame})`, 0, compiling.answerLimit);
        return {
          queries: [`"made" AS (SELECT t0."id", ${object} AS item FROM "${model}" AS t0)`],
          select: `SELECT "id", ${text('item')} FROM "made" WHERE (SELECT ${condition} FROM "made")`,
        };
      }),
    ),
    *text({ ids, answer }) {
      if (ids.length === 0) return '[]';
      const texts = new Map<unknown, Bytes>();
      const room = new AnswerRoom(compiling.answerLimit);
      for (const [id, item] of answer ?? (yield* rows(sql, [JSON.stringify(ids)]))) {
        const made = read(item);
        // A statement that both writes and answers has committed, and has counted its answer itself.
        if (!answer) room.take(made.length);
        texts.set(id, made);
      }
      return `[${ids.flatMap((id) => texts.get(id) ?? []).join()}]`;
    },
  };
}

/** As part of the statement that writes; undefined if it follows links, which may lead to what the same statement writes. */
function foldedSql(
  compiling: CompileContext,
  record: Selection,
  write: () => Pick<AnswerSql, 'select' | 'queries'>,
): AnswerSql | undefined {
  if (selectsLinks(record)) return undefined;
  return { ...write(), showsMore: compiling.resources.size > 1, tables: tablesBelow(record) };
}

/** The result of `write` for the object of the row `t0`. Selections with arguments are left to the resolvers. */
function statementText<Result>(
  compiling: CompileContext,
  record: Selection,
  count: RecordCount,
  write: (writing: SqlBuilder, object: string, frame: number) => Result,
): Result {
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
