import { buildSubgraphSchema } from '@apollo/subgraph';
import { type GraphQLSchema, parse } from 'graphql';
import { createSchema } from '../../src/schema/create-schema.js';
import { printSubgraph } from '../../src/schema/print-subgraph.js';
import { resources } from '../support/resources.js';

/** The schema of a gateway with `FEDERATION=true`, made once for all tests of a process. */
export const federated = createSchema({ resources, federation: true });

export const subgraphSdl = printSubgraph(federated);

/** The schema that Apollo's own library makes of a text; it checks the text by the rules of Federation. */
export const readByApollo = (sdl: string): GraphQLSchema => buildSubgraphSchema({ typeDefs: parse(sdl) });
