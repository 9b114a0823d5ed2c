import type { GraphQLSchema } from 'graphql';
import type { Current } from '../src/current.js';
import type { Deprecations } from '../src/deprecation/deprecations.js';
import type { Execute } from '../src/execution/executor.js';
import type { WayOf } from '../src/execution/way.js';
import type { AuthenticateRequest } from '../src/http/authenticate-request.js';
import type { Surface } from '../src/http/listener.js';
import type { RunRequest } from '../src/http/run-request.js';
import type { Hub } from '../src/live/hub.js';
import type { Admission } from '../src/operation/admission.js';
import type { Usage } from '../src/usage/usage.js';
import { createRestAdmission } from './admit.js';
import { withChanges } from './changes.js';
import { createRestHandler } from './create-rest-handler.js';
import { restEndpoint } from './endpoint.js';
import { withEvents } from './events.js';
import { createRestExplainer, explainOrPerform } from './explain.js';
import { createNoteCall } from './note-call.js';
import { oncePerKey } from './once-per-key.js';
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
