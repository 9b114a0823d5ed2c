/** Compiles the fields of Query that one statement can answer. */
import { singletonId } from '../../model/resource.js';
import type { CompileContext, CompiledRootField } from '../sql/statement.js';
import { entitiesIn, nodesIn } from './asked-records.js';
import { compileConnection } from './connection-field.js';
import type { Described } from './described-fields.js';
import { nodeField } from './node-field.js';
import { nodesField } from './nodes-field.js';
import { askedId, oneRecord, typeOfOne } from './one-record.js';
import { NotCompilable } from './selection.js';

/** @throws NotCompilable */
export function compileRootField(compiling: CompileContext, typeName: string, field: Described): CompiledRootField {
  const { answer } = field;
  switch (answer.kind) {
    case 'typename':
      return () => () => JSON.stringify(typeName);
    case 'record':
      return oneRecord(compiling, typeOfOne(field, answer.resource), answer.resource, field, askedId(field));
    case 'singleton':
      return oneRecord(compiling, typeOfOne(field, answer.resource), answer.resource, field, () =>
        singletonId(answer.resource),
      );
    case 'list':
      return compileConnection(compiling, answer.resource, field);
    case 'node':
      return nodeField(compiling, field, answer.resources);
    case 'nodes':
      return nodesField(compiling, field, answer.resources, nodesIn(answer.resources));
    case 'entities':
      return nodesField(compiling, field, answer.resources, entitiesIn);
    default:
      throw new NotCompilable();
  }
}
