import type { GraphQLSchema } from 'graphql';
import type { Current } from '../src/common/current.js';
import { oncePerKey } from '../src/features/idempotency/once-per-key.js';
import type { Hub } from '../src/features/live/hub.js';
import type { Deprecations } from '../src/features/usage/deprecations.js';
import { createNoteCall } from '../src/features/usage/note-call.js';
import type { Usage } from '../src/features/usage/usage.js';
import type { Execute } from '../src/gateway/execution/executor.js';
import type { WayOf } from '../src/gateway/execution/way.js';
import type { AuthenticateRequest } from '../src/gateway/http/authenticate-request.js';
import type { Surface } from '../src/gateway/http/listener.js';
import type { RunRequest } from '../src/gateway/http/run-request.js';
import type { Admission } from '../src/graphql/operation/admission.js';
import { createRestAdmission } from './admit.js';
import { withChanges } from './changes.js';
import { createRestHandler } from './create-rest-handler.js';
import { restEndpoint } from './endpoint.js';
import { withEvents } from './events.js';
import { createRestExplainer, explainOrPerform } from './explain.js';
import type { RestOperation } from './operations.js';
import { anyVersion } from './request/any-version.js';
import { createRoutes } from './route.js';

export interface RestParts {
  schema: GraphQLSchema;
  admission: Admission;
  execute: Execute;
  wayOf: WayOf;
  operations: readonly RestOperation[];
  enter: AuthenticateRequest;
  work: RunRequest;
  hub: Hub;
  usage: Pick<Usage, 'count'>;
  deprecations: Current<Deprecations>;
}

/** Everything under `/api`. */
export function createRest({
  schema,
  admission,
  execute,
  wayOf,
  operations,
  enter,
  work,
  hub,
  usage,
  deprecations,
}: RestParts): Surface {
  const noteCall = createNoteCall(usage, deprecations);
  const admit = createRestAdmission({ schema, admission, operations });
  const perform = oncePerKey(anyVersion(createRestHandler(admit, execute)));
  const explain = createRestExplainer(admit, wayOf);
  const endpoints = restEndpoint(createRoutes(operations), explainOrPerform(explain, perform), enter, work, noteCall);
  const resources = [...new Set(operations.map(({ resource }) => resource))];
  const changes = withChanges(endpoints, { schema, resources, admission, execute, enter, work, noteCall });
  return withEvents(changes, { schema, admission, enter, work, hub, noteCall, deprecations });
}
