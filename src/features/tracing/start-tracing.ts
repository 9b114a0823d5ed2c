/** Traces, where OTEL_* asks for them and the SDK of OpenTelemetry is installed. */

import { setTimeout as sleep } from 'node:timers/promises';
import { DiagLogLevel, diag } from '@opentelemetry/api';
import type { Logger } from 'pino';
import { gatewayVersion } from '../../common/project.js';
import { systemCode } from '../../common/write-problem.js';
import type { Watch } from '../../gateway/feature.js';

/** Milliseconds that the last spans may take to be sent. */
const stopTime = 2_000;

/** Installed by operators who want traces, and not known when the gateway is built. */
const sdkPackage: string = '@opentelemetry/sdk-node';
type Sdk = new (options: { instrumentations: never[] }) => { start(): void; shutdown(): Promise<void> };

/** The settings are those of OpenTelemetry, which its SDK reads from the environment. Undefined where nothing is traced. */
export async function startTracing(log: Logger, environment = process.env): Promise<Watch | undefined> {
  const sendRest = isAskedFor(environment) ? await startSdk(log) : async () => undefined;
  // A program of the operator's own, loaded with `node --import`, may have registered what takes the spans.
  const { createTracing } = await import('./tracing.js');
  const tracing = createTracing(gatewayVersion());
  return tracing && { ...tracing, start: () => ({ end: sendRest }) };
}

/** Whether the settings of OpenTelemetry name a place for traces. */
function isAskedFor(environment: NodeJS.ProcessEnv): boolean {
  if (environment.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false;
  const exporter = environment.OTEL_TRACES_EXPORTER;
  if (exporter) return exporter !== 'none';
  return Boolean(environment.OTEL_EXPORTER_OTLP_ENDPOINT || environment.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
}

async function startSdk(log: Logger): Promise<() => Promise<void>> {
  const warn = (message: string) => log.warn({ reason: message.slice(0, 500) }, 'OpenTelemetry');
  diag.setLogger({ error: warn, warn, info: () => {}, debug: () => {}, verbose: () => {} }, DiagLogLevel.WARN);
  // Only traces: the gateway has its own metrics and log.
  process.env.OTEL_METRICS_EXPORTER = 'none';
  process.env.OTEL_LOGS_EXPORTER = 'none';
  process.env.OTEL_SERVICE_NAME ??= 'business-records-gateway';
  try {
    const { NodeSDK }: { NodeSDK: Sdk } = await import(sdkPackage);
    const sdk = new NodeSDK({ instrumentations: [] });
    sdk.start();
    return () => Promise.race([sdk.shutdown(), sleep(stopTime, undefined, { ref: false })]).catch(() => undefined);
  } catch (error) {
    if (systemCode(error) !== 'ERR_MODULE_NOT_FOUND') throw error;
    log.warn(
      'OTEL_* asks for traces, and there are none, because the package @opentelemetry/sdk-node is not installed. Run `npm install @opentelemetry/sdk-node` in the folder of the gateway.',
    );
    return async () => undefined;
  }
}
