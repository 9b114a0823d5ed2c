/**
 * Serves a GraphQL endpoint with Hive Gateway: as a proxy of one with this schema, or by a supergraph alone, which says
 * where its parts are. Prints its address; ends with its input.
 */
import { createServer } from 'node:http';
import { createGatewayRuntime } from '@graphql-hive/gateway-runtime';

const [, , schema, endpoint] = process.argv;
const runtime = createGatewayRuntime({
  ...(endpoint ? { proxy: { endpoint }, schema } : { supergraph: schema }),
  propagateHeaders: {
    fromClientToSubgraphs: ({ request }) => ({ authorization: request.headers.get('authorization') }),
  },
  logging: false,
});
const server = createServer(runtime).listen(0, '127.0.0.1', () => {
  process.stdout.write(`http://127.0.0.1:${server.address().port}/graphql\n`);
});
process.stdin.resume().on('end', () => process.exit());
