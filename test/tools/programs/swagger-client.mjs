/** Resolves a description with swagger-client, which Swagger UI uses, then creates a record. Prints the answer and the processor time. */
import SwaggerClient from 'swagger-client';

const [, , url, key] = process.argv;
const before = process.cpuUsage();
const client = await SwaggerClient({ url: `${url}/openapi.json` });
const { user, system } = process.cpuUsage(before);
const answer = await client.execute({
  operationId: 'AssetRepairCreate',
  requestBody: { asset: 'LATHE-7', failure_date: '2026-11-20' },
  securities: { authorized: { apiKey: key } },
});
process.stdout.write(
  JSON.stringify({
    seconds: (user + system) / 1e6,
    errors: client.errors,
    groups: Object.keys(client.apis).length,
    status: answer.status,
    asset: answer.body.asset,
  }),
);
