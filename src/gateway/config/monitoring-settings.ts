/** What those who operate the gateway see of it: metrics and logs. */
import * as z from 'zod';
import { port, setting } from './setting.js';

export const monitoringSettings = {
  metricsPort: setting({
    name: 'METRICS_PORT',
    form: port.optional(),
    meaning:
      'The port of HOST that serves GET /metrics in the format of Prometheus, without a key. If not set, nothing is measured.',
    requirement: 'must be a whole number from 0 to 65535',
  }),
  logLevel: setting({
    name: 'LOG_LEVEL',
    form: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    default: 'info',
    meaning: 'The lowest level that is logged: trace, debug, info, warn, error, fatal or silent.',
    requirement: 'must be trace, debug, info, warn, error, fatal or silent',
  }),
};
