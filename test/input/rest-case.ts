import type { RawRequest } from './raw-request.js';

/**
 * An invalid request that is possible only in REST. `$repair`, `$item` and `$otherItem` stand for ids of existing
 * records.
 */
export interface RestCase extends RawRequest {
  what: string;
  status: number;
  code: string;
  /** The name that must be reported; null where no single value is wrong. */
  param: string | null;
  /** The methods that `Allow` must name. */
  allow?: string;
}

export const repairs = '/api/assets/asset-repair';
export const items = '/api/assets/asset-repair-consumed-item';

/** The expected refusal of a case. */
export function refused(status: number, code: string, param: string | null = null) {
  return { status, code, param };
}
