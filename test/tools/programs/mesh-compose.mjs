/** Composes the supergraph of an OpenAPI description, whose calls go to `endpoint`, with GraphQL Mesh. Prints it. */
import { getComposedSchemaFromConfig } from '@graphql-mesh/compose-cli';
import { DefaultLogger } from '@graphql-mesh/utils';
import { loadOpenAPISubgraph } from '@omnigraph/openapi';

const [, , source, endpoint] = process.argv;
const operationHeaders = { authorization: '{context.headers.authorization}' };
const config = {
  subgraphs: [{ sourceHandler: loadOpenAPISubgraph('records', { source, endpoint, operationHeaders }) }],
};
process.stdout.write(await getComposedSchemaFromConfig(config, new DefaultLogger()));
