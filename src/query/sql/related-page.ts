/**
 * A connection within a record: its lines, or the records that name it. The statement of the record builds the whole JSON,
 * with page, total and cursors, in the form in which it builds records.
 */
import type { Lines, WayBack } from '../../model/resource.js';
import { argumentValuesOf } from '../compiled/argument-values.js';
import { type Described, describedFields, objectIn, recordTypeIn } from '../compiled/described-fields.js';
import { requestedList } from '../compiled/requested-list.js';
import { NotCompilable } from '../compiled/selection.js';
import { cursorColumns } from '../cursor.js';
import { byPosition, newestFirst } from '../keyset.js';
import { linkedIn } from '../linked.js';
import { longestKey } from './dialect.js';
import type { Expression, JsonMember } from './joined-object.js';
import type { RecordForm } from './record-form.js';
import type { RecordSelection } from './records-below.js';
import { relatedRows } from './related-rows.js';
import { lineCounted } from './size-conditions.js';
import type { SqlBuilder } from './statement.js';

/** How the records of the page are written. */
export interface RecordSql {
  form: RecordForm;
  /** The object of a record for the alias of its table. */
  object(selection: RecordSelection, row: string): string;
  /** The bytes of its JSON that the database does not return. */
  frame(selection: RecordSelection): number;
}

/** `row` is the alias of the record. @throws NotCompilable */
export function relatedPage(
  writing: SqlBuilder,
  list: Lines | WayBack,
  row: string,
  field: Described,
  records: RecordSql,
): Expression {
  const { resource } = list;
  const { dialect } = writing;
  const [node] = field.nodes;
  if (!node) throw new NotCompilable();
  writing.resources.add(resource);
  const standard = 'link' in list ? newestFirst : byPosition;
  const asked = argumentValuesOf(writing, field.definition, node, (given) => requestedList(resource, given, standard));
  writing.filtered.push((variables) => linkedIn(resource, asked(variables)?.where ?? {}));
  const given = new Set(node.arguments?.map(({ name }) => name.value));
  // Any number of rows may be examined, unless the page is the beginning of the list.
  if (given.size > (given.has('first') ? 1 : 0)) writing.makeUnbounded();
  const rows = relatedRows(writing, list, row, asked);

  const array = (object: (line: string) => string, frame: number): Expression => {
    const { line, from, order } = rows.page();
    const item = writing.answerSize.withinList(() => object(line));
    return { sql: dialect.array(item, from, order(), lineCounted(writing, frame)), isJson: true };
  };

  /** The values of another order may be of any length and form: its cursors are left to the resolvers. */
  const cursor = (line: string): string => {
    if (given.has('orderBy')) throw new NotCompilable();
    return dialect.cursor(
      standard,
      cursorColumns(standard).map((column) => `${line}."${column}"`),
    );
  };
  const cursorAt = (isLast: boolean): Expression => {
    const { line, from, order } = rows.page();
    return { sql: `(SELECT ${cursor(line)} ${from} ORDER BY ${order(isLast)} LIMIT 1)`, isJson: false };
  };
  const flag = (condition: string): Expression => ({
    sql: dialect.json(`(CASE WHEN ${condition} THEN 'true' ELSE 'false' END)`),
    isJson: true,
  });

  const nodeOf = ({ definition, nodes }: Described, form: 'one' | 'list'): RecordSelection => ({
    type: recordTypeIn(definition.type, resource, form),
    nodes,
  });

  const fieldsOf = ({ definition, nodes }: Described, form: 'one' | 'list') => {
    const type = objectIn(definition.type, form);
    const sets = nodes.map(({ selectionSet }) => selectionSet);
    return { name: type.name, fields: describedFields(type, sets, writing) };
  };
  const object = (selected: Described, form: 'one' | 'list', write: (part: Described) => Expression): string => {
    const { name, fields } = fieldsOf(selected, form);
    const entries = fields.map((part): JsonMember => {
      const isName = part.answer.kind === 'typename';
      return [keyOf(part), isName ? { sql: `'${name}'`, isJson: false } : write(part)];
    });
    return records.form.record(entries);
  };

  const ofPageInfo = ({ answer }: Described): Expression => {
    if (answer.kind !== 'pageInfo') throw new NotCompilable();
    switch (answer.part) {
      case 'hasNextPage':
        return flag(rows.goesOn('next'));
      case 'hasPreviousPage':
        return flag(rows.goesOn('previous'));
      default:
        return cursorAt(answer.part === 'endCursor');
    }
  };

  const ofEdge =
    (line: string) =>
    (part: Described): Expression => {
      if (part.answer.kind !== 'edge') throw new NotCompilable();
      if (part.answer.part === 'cursor') return { sql: cursor(line), isJson: false };
      return { sql: records.object(nodeOf(part, 'one'), line), isJson: true };
    };

  const ofPage = (selected: Described): Expression => {
    const { answer } = selected;
    if (answer.kind !== 'page') throw new NotCompilable();
    switch (answer.part) {
      case 'nodes': {
        const selection = nodeOf(selected, 'list');
        return array((line) => records.object(selection, line), records.frame(selection));
      }
      case 'edges': {
        const nodes = fieldsOf(selected, 'list').fields.filter(({ name }) => name === 'node');
        const frame = nodes.reduce((bytes, each) => bytes + records.frame(nodeOf(each, 'one')), 0);
        return array((line) => object(selected, 'list', ofEdge(line)), frame);
      }
      case 'pageInfo':
        return { sql: object(selected, 'one', ofPageInfo), isJson: true };
      case 'totalCount':
        writing.makeUnbounded();
        return { sql: rows.count(), isJson: false };
    }
  };

  return { sql: object(field, 'one', ofPage), isJson: true };
}

/** @throws NotCompilable for a name that PostgreSQL would cut */
function keyOf({ key }: Described): string {
  if (key.length > longestKey) throw new NotCompilable();
  return key;
}
