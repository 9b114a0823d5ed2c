/**
 * The JSON of new records from the rows that are inserted. Where a mutation selects only columns of the records and of their
 * lines, the gateway knows all of their values before it writes, so no statement has to read them back.
 */
import { type Bytes, bytesOf } from '../../common/bytes.js';
import { groupedBy } from '../../common/grouped.js';
import type { Values } from '../../model/change.js';
import { statuses } from '../../model/lifecycle.js';
import { firstVersion, type Lines, type Resource } from '../../model/resource.js';
import { required, type Selection } from '../../model/selection.js';
import { AnswerRoom } from '../../query/sql/sizes.js';
import type { CompileContext } from '../../query/sql/statement.js';
import type { Insert } from '../plan.js';
import type { AnswerJson } from './payload-json.js';

/**
 * The answer of each create. Undefined if the selection has more than columns and whole lists of lines, or a column in another form
 * than the stored one.
 */
export function insertedJson(
  compiling: CompileContext,
  resource: Resource,
  record: Selection,
  isMany: boolean,
): (() => AnswerJson) | undefined {
  const write = recordWriter(compiling, resource, record);
  if (!write) return undefined;
  // The end of a statement on PostgreSQL that writes new records and answers only that it has done so.
  const folded = { select: `SELECT 1 FROM "${resource.model}" LIMIT 1`, showsMore: false, tables: new Set<string>() };
  return () => {
    // A list of none is not written at all.
    let text: Bytes = '[]';
    return {
      folded,
      // The first insert is that of the records, the others insert their lines.
      admit([records, ...lists]) {
        const room = new AnswerRoom(compiling.answerLimit);
        // Each character of the answer has a byte or more. Those of lines are counted twice, with their line and with their record.
        const size = new AnswerRoom(compiling.answerLimit, 2 * compiling.answerLimit);
        const linesOf = byParent(lists);
        const texts = (records?.rows ?? []).map((row) => {
          const made = bytesOf(write({ row, linesOf, size }));
          room.take(made.length);
          return made;
        });
        text = isMany ? `[${texts.join()}]` : texts.join();
      },
      *text() {
        // It is known without a statement.
        yield* [];
        return text;
      },
    };
  };
}

/** A record that is written as JSON. */
interface Written {
  row: Values;
  linesOf: LinesOf;
  /** Counts the characters of the whole answer while it grows. */
  size: AnswerRoom;
}

type WriteJson = (written: Written) => string;

function recordWriter(compiling: CompileContext, resource: Resource, { fields }: Selection): WriteJson | undefined {
  compiling.resources.add(resource);
  const members = fields.map((field, place) => {
    const write = memberWriter(compiling, field);
    return write && { start: `${place === 0 ? '{' : ','}"${field.key}":`, write };
  });
  if (!members.every((member) => member !== undefined)) return undefined;
  return (written) => {
    let text = '';
    for (const { start, write } of members) {
      const value = write(written);
      // A long text may be selected very often, so it is counted while the answer grows.
      written.size.take(start.length + value.length);
      text += start + value;
    }
    return `${text}}`;
  };
}

function memberWriter(compiling: CompileContext, field: Selection): WriteJson | undefined {
  const { answer } = field;
  switch (answer.kind) {
    case 'typename':
      return () => JSON.stringify(answer.type);
    case 'column': {
      const { column } = answer;
      return column === 'version' ? () => String(firstVersion) : ({ row }) => json(row[column] ?? null);
    }
    case 'status': {
      const names = new Map<unknown, unknown>(statuses.map((status) => [status, field.serialize(status)]));
      return ({ row }) => JSON.stringify(names.get(row.status));
    }
    case 'lines': {
      const { lines } = answer;
      if (field.given.size > 0) return undefined;
      const write = recordWriter(compiling, lines.resource, required(field, 'list', lines.resource));
      return (
        write &&
        (({ row, linesOf, size }) =>
          `[${linesOf(lines, row)
            .map((line) => write({ row: line, linesOf, size }))
            .join()}]`)
      );
    }
    default:
      return undefined;
  }
}

/** As JSON.stringify writes it, which takes six times as long for anything but a text. */
function json(value: unknown): string {
  if (value === null) return 'null';
  return typeof value === 'number' || typeof value === 'boolean' ? String(value) : JSON.stringify(value);
}

/** The rows of one list of a record, in their order. */
type LinesOf = (lines: Lines, record: Values) => readonly Values[];

/** `lists` are the inserts of all lines, each in the order of its records. */
function byParent(lists: readonly Insert[]): LinesOf {
  const found = new Map<Lines, Map<unknown, Values[]>>();
  return (lines, { id }) => {
    const rows = () => lists.find(({ resource }) => resource === lines.resource)?.rows ?? [];
    const known = found.get(lines) ?? groupedBy<Values, unknown>(rows(), (row) => row[lines.reference]);
    found.set(lines, known);
    return known.get(id) ?? [];
  };
}
