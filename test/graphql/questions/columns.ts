/** The columns of a type that can be queried, read from its filter in the schema. */
import { isInputObjectType, isObjectType } from 'graphql';
import type { Resource } from '../../../src/model/resource.js';
import { resources } from '../../support/resources.js';
import { schema } from '../../support/schema.js';
import { orderName } from './question.js';

export type ColumnType = 'String' | 'ID' | 'Float' | 'Int' | 'Boolean' | 'DateTime';

export interface Column {
  name: string;
  type: ColumnType;
  /** Whether it has a minimum and a maximum: numbers, dates, instants. */
  isMeasured?: boolean;
}

const types: readonly string[] = ['String', 'ID', 'Float', 'Int', 'Boolean', 'DateTime'] satisfies ColumnType[];

const known = new Map<Resource, Column[]>();

/** Every value of a record that can be filtered by. */
export function columnsOf(resource: Resource): Column[] {
  const columns = known.get(resource) ?? readColumns(resource);
  known.set(resource, columns);
  return columns;
}

function readColumns({ model }: Resource): Column[] {
  const filter = schema.getType(`${model}Filter`);
  if (!isInputObjectType(filter)) throw new Error(`${model} has no filter`);
  const aggregate = schema.getType(`${model}Aggregate`);
  const measured = isObjectType(aggregate) ? aggregate.getFields() : {};
  return Object.values(filter.getFields()).flatMap(({ name, type }) => {
    const compared = String(type).replace(/Comparison$/, '');
    const isMeasured = /^(Float|Int|Date|DateTime)Aggregate!$/.test(String(measured[name]?.type));
    return isColumnType(compared) ? [{ name, type: compared, isMeasured }] : [];
  });
}

const isColumnType = (name: string): name is ColumnType => types.includes(name);

export function resourceNamed(model: string): Resource {
  const resource = resources.find((candidate) => candidate.model === model);
  if (!resource) throw new Error(`${model} is no model`);
  return resource;
}

/** The column that is `REPAIR_COST` in an order or a group. */
export function columnNamed(resource: Resource, field: string): Column {
  const column = columnsOf(resource).find(({ name }) => orderName(name) === field);
  if (!column) throw new Error(`${resource.model} has no ${field}`);
  return column;
}
