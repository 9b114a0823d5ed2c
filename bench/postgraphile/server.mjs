/**
 * PostGraphile as its guide recommends: the Amber preset in library mode over node:http. Plain lists are enabled beside
 * the connections, because they cost it least. Reads DATABASE_URL, PORT and API_KEY.
 */
import { createServer } from 'node:http';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { grafserv } from 'postgraphile/grafserv/node';
import { GraphQLError } from 'postgraphile/graphql';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';

const authorization = `Bearer ${process.env.API_KEY}`;

/** @type {GraphileConfig.Preset} */
const preset = {
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString: process.env.DATABASE_URL, schemas: ['public'] })],
  schema: { defaultBehavior: '+list' },
  grafserv: { graphqlPath: '/graphql', watch: false, graphiql: false },
  grafast: {
    explain: false,
    context: ({ node }) => {
      if (node.req.headers.authorization !== authorization) throw new GraphQLError('No such key');
      return {};
    },
  },
};

const serv = postgraphile(preset).createServ(grafserv);
const server = createServer();
await serv.addTo(server);
if (process.argv.includes('--sdl')) {
  const { printSchema } = await import('postgraphile/graphql');
  const { schema } = await postgraphile(preset).getSchemaResult();
  process.stdout.write(printSchema(schema));
  process.exit(0);
}
server.listen(Number(process.env.PORT), process.env.HOST);
