/** Metrics, where METRICS_PORT asks for them. What they need is loaded only then. */
import type { IncomingMessage, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Logger } from 'pino';
import type { RequestMeter } from '../../change/observation.js';
import type { Current } from '../../common/current.js';
import { gatewayVersion } from '../../common/project.js';
import type { Database } from '../../database/open-database.js';
import type { Config } from '../../gateway/config/config.js';
import type { Gateway } from '../../gateway/gateway.js';
import { listen } from '../../gateway/start/listen.js';
import { namesOfTrusted, type TrustedDocuments } from '../../graphql/operation/trusted-documents.js';
import { ids } from '../../query/ids.js';
import type { Metrics } from './metrics.js';

/** `names` are the names of REST's operations, which have labels of their own, as those of trusted documents have. */
export async function createMetrics(
  { config: { metricsPort }, worker }: { config: Pick<Config, 'metricsPort'>; worker?: number | undefined },
  names: readonly string[],
  trustedDocuments: Current<TrustedDocuments | undefined>,
): Promise<Metrics | undefined> {
  if (metricsPort === undefined) return undefined;
  const { Metrics } = await import('./loaded.js');
  return new Metrics(
    trustedDocuments.derive((trusted) => new Set([...names, ...(trusted ? namesOfTrusted(trusted) : [])])),
    worker === undefined ? {} : { worker: String(worker) },
  );
}

/** Milliseconds; shorter than the primary process waits for the metrics of a worker. */
const longestAnswer = 1_500;

export interface ServedMetrics {
  address: AddressInfo;
  close(): void;
}

/** Sets how the metrics read the values that they do not count. */
export function watchReadings(
  metrics: Metrics,
  { database, gateway }: { database: Database; gateway: Pick<Gateway, 'readings'> },
): void {
  const version = gatewayVersion();
  const answered = () =>
    database.ping().then(
      () => true,
      () => false,
    );
  metrics.watch(
    () => ({
      ...{ version, database: database.provider },
      ...database.readings(),
      ...gateway.readings(),
      idsAhead: ids.ahead(),
    }),
    () => Promise.race([answered(), sleep(longestAnswer, false, { ref: false })]),
  );
}

/** Serves metrics on their port. @throws ListenError */
export async function serveMetrics(
  metrics: Pick<Metrics, 'text' | 'contentType'>,
  { host, metricsPort = 0 }: Pick<Config, 'host' | 'metricsPort'>,
  log: Pick<Logger, 'error'>,
): Promise<ServedMetrics> {
  const { metricsServer } = await import('./loaded.js');
  const server: Server = metricsServer(metrics, (err) => log.error({ err }, 'The metrics could not be read'));
  const address = await listen(server, { host, port: metricsPort }, 'METRICS_PORT');
  return {
    address,
    close: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

type MakeMeter = (request: IncomingMessage) => RequestMeter;

/** All of them as one; undefined if there is none. */
export function metersOf(given: readonly (MakeMeter | undefined)[]): MakeMeter | undefined {
  const [first, ...others] = given.filter((each) => each !== undefined);
  if (!first || others.length === 0) return first;
  return others.reduce<MakeMeter>((before, next) => (request) => both(before(request), next(request)), first);
}

const both = (one: RequestMeter, other: RequestMeter): RequestMeter => ({
  run: (work) => one.run(() => other.run(work)),
  end: (request) => {
    one.end(request);
    other.end(request);
  },
});
