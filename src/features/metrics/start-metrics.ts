/** Metrics, where METRICS_PORT asks for them. */
import type { Primary, Running, Started, Starting, Watch } from '../../gateway/feature.js';
import { listen, urlOf } from '../../gateway/start/listen.js';
import { namesOfTrusted } from '../../graphql/operation/trusted-documents.js';
import { Metrics } from './metrics.js';
import { metricsServer } from './metrics-server.js';
import { PrimaryMetrics, reportName } from './primary-metrics.js';

/** Metrics that are served at this port of HOST. */
export const metricsAt = (port: number) => ({
  watch: (starting: Starting) => watchForMetrics(port, starting),
  /** @throws ListenError */
  primary: (primary: Primary) => serveMetrics(port, new PrimaryMetrics(primary.crew), primary),
});

/** REST's operations have labels of their own, as those of trusted documents have. */
function watchForMetrics(port: number, { worker, operations, trustedDocuments, metrics: added }: Starting): Watch {
  const metrics = new Metrics(
    trustedDocuments.derive((trusted) => new Set([...operations, ...(trusted ? namesOfTrusted(trusted) : [])])),
    worker === undefined ? {} : { worker: String(worker) },
    added,
  );
  const { statements, meter, measure } = metrics;
  return { statements, meter, measure, start: (running) => startMetrics(port, metrics, running) };
}

/** A worker reports its metrics to the primary process, which serves those of all. @throws ListenError */
async function startMetrics(port: number, metrics: Metrics, running: Running): Promise<Started> {
  metrics.watch(running);
  if (running.worker === undefined) return serveMetrics(port, metrics, running);
  return { reports: { [reportName]: () => metrics.text() } };
}

/** Serves metrics on their port, also while the database closes. @throws ListenError */
async function serveMetrics(
  port: number,
  metrics: Pick<Metrics, 'text' | 'contentType'>,
  { config: { host }, log }: Pick<Starting, 'config' | 'log'>,
): Promise<Started> {
  const server = metricsServer(metrics, (err) => log.error({ err }, 'The metrics could not be read'));
  const address = await listen(server, { host, port }, 'METRICS_PORT');
  return {
    announces: { Metrics: `${urlOf(host, address)}/metrics` },
    end: async (closed) => {
      await closed;
      server.close();
      server.closeAllConnections();
    },
  };
}
