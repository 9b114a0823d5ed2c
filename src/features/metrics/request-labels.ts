/** The labels of a request. Each has few values, whatever clients send. */
import type { Observation } from '../../change/observation.js';

/** What a client asked: an interface, a stream of changes, the health checks, or a page and everything else. */
export type SurfaceLabel = 'rest' | 'graphql' | 'stream' | 'health' | 'pages';

export function surfaceOf(path: string, { kind }: Observation): SurfaceLabel {
  if (kind === 'subscription') return 'stream';
  if (path === '/graphql') return 'graphql';
  if (path === '/api' || path.startsWith('/api/')) return 'rest';
  return path === '/healthz' || path === '/readyz' ? 'health' : 'pages';
}

/** The name of an operation among `names`; `other` for one that clients have named, and `none` without an operation. */
export function operationLabel(names: ReadonlySet<string>, { operation, kind }: Observation): string {
  if (operation !== undefined && names.has(operation)) return operation;
  return kind === undefined ? 'none' : 'other';
}
