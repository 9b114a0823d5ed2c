import type { Provider } from '../../src/database/migrations/migration-history.js';
import type { Place } from './place.js';
import type { Report } from './report.js';

/** Something that happens to gateways, and the figures it leaves. */
export interface Fault {
  title: string;
  /** The longest that it may take, in milliseconds; five minutes if left out. */
  patience?: number;
  run(place: Place, report: Report, progress: (text: string) => void): Promise<void>;
}

/** The same fault on each database. */
export function onBoth(
  title: string,
  run: (provider: Provider, ...rest: Parameters<Fault['run']>) => Promise<void>,
): Fault[] {
  const providers: Provider[] = ['sqlite', 'postgresql'];
  return providers.map((provider) => ({ title: `${title}, ${provider}`, run: (...rest) => run(provider, ...rest) }));
}

/** Runs `work` several times at once, each again and again until it returns false. */
export async function workers(count: number, work: (worker: number) => Promise<boolean>): Promise<void> {
  await Promise.all(
    Array.from({ length: count }, async (_, worker) => {
      while (await work(worker));
    }),
  );
}
