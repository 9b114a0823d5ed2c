import type { SqlDriverAdapterFactory } from '@prisma/driver-adapter-utils';
import { closedError } from './sqlite-errors.js';

/** A Prisma client that was disconnected connects again at the next query; closed is meant to stay closed. */
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
