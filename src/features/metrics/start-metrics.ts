/** Metrics, where METRICS_PORT asks for them. */
import type { Logger } from 'pino';
import type { Config } from '../../gateway/config/config.js';
import type { Primary, Running, Started, Starting, Watch } from '../../gateway/feature.js';
import { listen, urlOf } from '../../gateway/start/listen.js';
import { namesOfTrusted } from '../../graphql/operation/trusted-documents.js';
import { Metrics } from './metrics.js';
import { metricsServer } from './metrics-server.js';
import { PrimaryMetrics, reportName } from './primary-metrics.js';

/** REST's operations have labels of their own, as those of trusted documents have. */
export function watchForMetrics({ worker, operations, trustedDocuments, metrics: added }: Starting): Watch {
  const metrics = new Metrics(
    trustedDocuments.derive((trusted) => new Set([...operations, ...(trusted ? namesOfTrusted(trusted) : [])])),
    worker === undefined ? {} : { worker: String(worker) },
    added,
  );
  const { statements, meter, measure } = metrics;
  return { statements, meter, measure, start: (running) => startMetrics(metrics, running) };
}

/** A worker reports its metrics to the primary process, which serves those of all. @throws ListenError */
async function startMetrics(metrics: Metrics, running: Running): Promise<Started> {
  metrics.watch(running);
  if (running.worker === undefined) return serveMetrics(metrics, running);
  return { reports: { [reportName]: () => metrics.text() } };
}

/** @throws ListenError */
export const startPrimaryMetrics = (primary: Primary): Promise<Started> =>
  serveMetrics(new PrimaryMetrics(primary.crew), primary);

/** Serves metrics on their port, also while the database closes. @throws ListenError */
async function serveMetrics(
  metrics: Pick<Metrics, 'text' | 'contentType'>,
  { config: { host, metricsPort = 0 }, log }: { config: Pick<Config, 'host' | 'metricsPort'>; log: Logger },
): Promise<Started> {
  const server = metricsServer(metrics, (err) => log.error({ err }, 'The metrics could not be read'));
  const address = await listen(server, { host, port: metricsPort }, 'METRICS_PORT');
  return {
    announces: { Metrics: `${urlOf(host, address)}/metrics` },
    end: async (closed) => {
      await closed;
      server.close();
      server.closeAllConnections();
    },
  };
}
