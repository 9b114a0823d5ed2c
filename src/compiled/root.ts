/** Compiles the fields of Query that one statement can answer. */
import { singletonId } from '../model/resource.js';
import { connectionField } from './connection.js';
import type { Described } from './described.js';
import { nodeField } from './node.js';
import { nodesField } from './nodes.js';
import { idOf, oneRecord, typeOfOne } from './one-record.js';
import { NotCompilable } from './selection.js';
import type { Compiling, RootField } from './statement.js';

/** @throws NotCompilable */
export function rootField(compiling: Compiling, typeName: string, field: Described): RootField {
  const { answer } = field;
  switch (answer.kind) {
    case 'typename':
      return () => () => JSON.stringify(typeName);
    case 'record':
      return oneRecord(compiling, typeOfOne(field, answer.resource), answer.resource, field, idOf(field));
    case 'singleton':
      return oneRecord(compiling, typeOfOne(field, answer.resource), answer.resource, field, () =>
        singletonId(answer.resource),
      );
    case 'list':
      return connectionField(compiling, answer.resource, field);
    case 'node':
      return nodeField(compiling, field);
    case 'nodes':
      return nodesField(compiling, field);
    default:
      throw new NotCompilable();
  }
}
