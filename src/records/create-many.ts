import type { RequestContext } from '../context.js';
import type { Resource } from '../model/resource.js';
import { delegate, type Row, type Selection, type Values } from './delegate.js';
import { newLines, ownershipOf } from './lines.js';
import { readMany } from './read.js';
import { birthValues, completeValuesOf } from './values.js';

/** Creates records, each with the lines in its input; returns them in the order of the inputs. */
export function createRecords(
  { database }: Pick<RequestContext, 'database'>,
  resource: Resource,
  inputs: readonly Values[],
  selection: Selection,
): Promise<Row[]> {
  return database.transaction(async (tx) => {
    const records = inputs.map((input) => ({ ...completeValuesOf(resource, input), ...birthValues(resource) }));
    if (records.length > 0) await delegate(tx, resource).createMany({ data: records });
    for (const { resource: child, field } of resource.lines) {
      const lines = records.flatMap(({ id }, index) => {
        const owned = ownershipOf(resource, child, id);
        return newLines(child, inputs[index]?.[field]).map((line) => ({ ...line, ...owned }));
      });
      if (lines.length > 0) await delegate(tx, child).createMany({ data: lines });
    }
    return readMany(tx, resource, records, selection);
  });
}
