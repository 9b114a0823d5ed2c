/** Serves a description with Prism: as a mock, or as a validating proxy of `upstream`. Prints its address; ends with its input. */
import { readFileSync } from 'node:fs';
import { getHttpOperationsFromSpec } from '@stoplight/prism-http';
import { createServer } from '@stoplight/prism-http-server';

const [, , description, upstream] = process.argv;
const operations = await getHttpOperationsFromSpec(JSON.parse(readFileSync(description, 'utf8')));
const logger = Object.fromEntries(
  ['trace', 'debug', 'info', 'success', 'warn', 'error', 'fatal'].map((level) => [level, () => {}]),
);
const config = {
  ...(upstream ? { isProxy: true, upstream: new URL(upstream) } : { isProxy: false, mock: { dynamic: false } }),
  checkSecurity: true,
  validateRequest: true,
  validateResponse: true,
  errors: false,
};
const server = createServer(operations, {
  cors: false,
  config,
  components: { logger: { ...logger, child: () => logger } },
});
process.stdout.write(`${await server.listen(0, '127.0.0.1')}\n`);
process.stdin.resume().on('end', () => process.exit());
