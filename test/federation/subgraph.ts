import { createSchema } from '../../src/schema/create-schema.js';
import { printSubgraph } from '../../src/schema/print-subgraph.js';
import { resources } from '../support/resources.js';

/** The schema of a gateway with `FEDERATION=true`, made once for all tests of a process. */
export const federated = createSchema({ resources, federation: true });

export const subgraphSdl = printSubgraph(federated);
