import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { closedError } from './sqlite/sqlite-errors.js';

/** Makes a closed Prisma client stay closed: by default it reconnects at the next query. */
export function closeable(factory: SqlDriverAdapterFactory): { adapter: SqlDriverAdapterFactory; close(): void } {
  const { provider, adapterName } = factory;
  let closed = false;
  const connect = async () => {
    if (closed) throw closedError();
    return factory.connect();
  };
  return {
    adapter: { provider, adapterName, connect },
    close: () => {
      closed = true;
    },
  };
}
