/** Compiled creates whose answer is known before anything is written, so that no statement has to read it. */
import type { Bytes } from '../../common/bytes.js';
import type { Resource } from '../../model/resource.js';
import { hasLists, inputArgument, inputsIn } from '../../query/compiled/argument-values.js';
import type { Described } from '../../query/compiled/described-fields.js';
import type { CompileContext } from '../../query/sql/statement.js';
import { applyPlan } from '../apply-plan.js';
import { creationsOf } from '../writes/many.js';
import { creationOf } from '../writes/record.js';
import { insertedJson, insertedOnly } from './inserted-json.js';
import { payloadJson } from './payload-json.js';
import type { CompiledMutation, WorkOf } from './work-of.js';

/** Undefined if the answer has to be read after the write. */
export function creating(
  compiling: CompileContext,
  resource: Resource,
  operation: 'create' | 'createMany',
  field: Described,
): CompiledMutation | undefined {
  // The place of a line among its siblings is known only when it is written.
  if (resource.kind === 'child') return undefined;
  const isMany = operation === 'createMany';
  const { record, text, refused } = payloadJson(compiling, resource, field);
  const json = record && insertedJson(compiling, resource, record);
  if (!json) return undefined;
  const folded = insertedOnly(resource);
  const workOf: WorkOf = (given) => {
    const input = inputArgument(given, 'input');
    const inputs = isMany ? inputsIn(given, 'inputs') : input && [input];
    if (!inputs?.every((each) => hasLists(each, resource))) return undefined;
    return function* (writing) {
      if (inputs.length === 0) return text({ record: '[]' });
      const plan = input ? creationOf(resource, input) : creationsOf(resource, inputs);
      let texts: Bytes[] = [];
      const admit = () => {
        texts = json(plan.steps);
      };
      yield* applyPlan(writing, { ...plan, admit }, folded);
      return text({ record: isMany ? `[${texts.join()}]` : texts.join() });
    };
  };
  return { workOf, refused };
}
