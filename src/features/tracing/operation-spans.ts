/** The spans inside a request: the admission of its operation, and the execution. */
import type { Attributes, Tracer } from '@opentelemetry/api';
import type { Execute } from '../../gateway/execution/executor.js';
import type { Admission, Operation, Subscription } from '../../graphql/operation/admission.js';
import { attributes } from './attributes.js';
import { inSpan } from './in-span.js';

export function tracedAdmission(tracer: Tracer, admission: Admission): Admission {
  /** Admission never waits. */
  const admit = <Admitted extends Operation | Subscription>(work: () => Admitted): Admitted => {
    let admitted: Admitted | undefined;
    inSpan(tracer, 'admit', {}, (span) => {
      admitted = work();
      span.setAttributes(attributesOf(admitted));
    });
    if (!admitted) throw new Error('Admission returns an operation or throws');
    return admitted;
  };
  return {
    fromRequest: (...given) => admit(() => admission.fromRequest(...given)),
    fromStreamRequest: (...given) => admit(() => admission.fromStreamRequest(...given)),
    askedBy: admission.askedBy,
    fromStored: (...given) => admit(() => admission.fromStored(...given)),
    subscriptionFromStored: (...given) => admit(() => admission.subscriptionFromStored(...given)),
  };
}

export const tracedExecute =
  (tracer: Tracer, execute: Execute): Execute =>
  (operation, context) =>
    inSpan(tracer, 'execute', attributesOf(operation), () => execute(operation, context));

const attributesOf = ({ name, kind, cost }: Operation | Subscription): Attributes => ({
  [attributes.operationName]: name,
  [attributes.operationType]: kind,
  [attributes.cost]: cost.requested,
});
