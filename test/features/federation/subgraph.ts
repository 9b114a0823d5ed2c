import { printSubgraph } from '../../../src/features/federation/federation-fields.js';
import { createSchema } from '../../../src/graphql/create-schema.js';
import { resources } from '../../support/resources.js';
import { serve } from '../../support/schema.js';

/** The schema of a gateway with `FEDERATION=true`, made once for all tests of a process. */
export const federated = createSchema({ resources, features: await serve({ FEDERATION: 'true' }) });

export const subgraphSdl = printSubgraph(federated);
