/** The only list of the features. Without a line here, what a feature adds is gone. */
import { aggregates } from './features/aggregates/index.js';
import { backup } from './features/backup/index.js';
import { check } from './features/check/index.js';
import { federation } from './features/federation/index.js';
import { history } from './features/history/index.js';
import { idempotency } from './features/idempotency/index.js';
import { keys } from './features/keys/index.js';
import { live } from './features/live/index.js';
import { metrics } from './features/metrics/index.js';
import { pages } from './features/pages/index.js';
import { people } from './features/people/index.js';
import { search } from './features/search/index.js';
import { tracing } from './features/tracing/index.js';
import { transfer } from './features/transfer/index.js';
import { translation } from './features/translation/index.js';
import { usage } from './features/usage/index.js';
import { webhooks } from './features/webhooks/index.js';
import type { Feature } from './gateway/feature.js';

/** Their fields, commands and settings come in this order. */
export const features: readonly Feature[] = [
  search,
  keys,
  people,
  webhooks,
  aggregates,
  check,
  backup,
  transfer,
  usage,
  translation,
  history,
  live,
  federation,
  pages,
  idempotency,
  tracing,
  metrics,
];
