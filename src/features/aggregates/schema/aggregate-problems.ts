import { columnsOf } from '../../../graphql/types/columns.js';
import { isDocumentStatus } from '../../../model/document-status.js';
import type { Problem } from '../../../model/errors/problem.js';
import { snakeOf } from '../../../model/names.js';
import type { Resource } from '../../../model/resource.js';
import type { GroupOrder } from '../aggregate.js';
import { type GroupKey, type Measure, typeOfField } from '../measure.js';

/** Problems of grouping and order that the types of the arguments cannot express. */
export function groupingProblems(
  resource: Resource,
  keys: readonly GroupKey[],
  orders: readonly GroupOrder[],
): Problem[] {
  return [
    ...keys.flatMap((key, index) => keyProblems(resource, key, keys.slice(0, index), ['groupBy', index])),
    ...orders.flatMap((order, index) => orderProblems(resource, order, keys, ['orderBy', index])),
  ];
}

type Path = Problem['path'];

function keyProblems(
  resource: Resource,
  { field, by, measure }: GroupKey,
  before: readonly GroupKey[],
  path: Path,
): Problem[] {
  const problems: Problem[] = [];
  if (before.some((other) => other.field === field)) {
    problems.push(invalid([...path, 'field'], `is ${enumNameOf(field)} again; group by a field once`));
  }
  const refused = measure ? measureProblem(resource, measure, field) : undefined;
  if (refused) problems.push(invalid([...path, 'field'], `is ${refused}`));
  const type = typeOfField(resource, field);
  if (by && ((type !== 'String' && type !== 'DateTime') || isDocumentStatus(resource, field))) {
    problems.push(
      invalid([...path, 'by'], `takes a part of a date, but ${enumNameOf(field)} holds none; leave it out`),
    );
  }
  return problems;
}

function orderProblems(
  resource: Resource,
  { measure, field, by }: GroupOrder,
  keys: readonly GroupKey[],
  path: Path,
): Problem[] {
  const at = [...path, 'field'];
  if (measure) {
    const refused = measureProblem(resource, measure, field);
    if (by) return [invalid([...path, 'by'], 'is the part of a key, but a field is measured whole; leave it out')];
    return refused ? [invalid(at, `is ${refused}`)] : [];
  }
  const key = keys.find((each) => each.field === field);
  if (key && by && key.by !== by) return [invalid([...path, 'by'], 'is not the part that `groupBy` has; leave it out')];
  return key ? [] : [invalid(at, `is ${enumNameOf(field)}, which is not in \`groupBy\`; say what to measure of it`)];
}

/** Why a field cannot be measured so, beginning with its name; undefined where it can. */
function measureProblem(resource: Resource, of: Measure['of'], field: string): string | undefined {
  const name = enumNameOf(field);
  if (of === 'count') return field === 'id' ? undefined : `${name}, but records are counted by ID; send ID`;
  const column = columnsOf(resource).find((candidate) => candidate.name === field);
  if (column?.type === 'Float' || column?.type === 'Int') return undefined;
  if (of === 'sum' || of === 'avg') return `${name}, which holds no numbers`;
  if (column?.holdsDate || column?.type === 'DateTime') return undefined;
  return `${name}, which holds neither numbers nor dates, so that it has no least value and no greatest`;
}

const invalid = (path: Path, message: string): Problem => ({ path, code: 'parameter_invalid', message });

const enumNameOf = (field: string): string => snakeOf(field).toUpperCase();
