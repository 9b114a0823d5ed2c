/**
 * Prisma collects the queries that are asked in one turn of the event loop, and sends them in the AsyncLocalStorage of
 * the one that was asked first, some of them merged into one statement. Requests that have waited for the same promise
 * ask in one turn. So that each query waits, ends and counts for its own request, each request has a collector of its own.
 */
import { isObject } from '../common/is-object.js';
import { callers } from './caller.js';
import { loadBudget } from './load-budget.js';

/** What is used of the part of a Prisma client that collects queries. It is not public; a test holds that it works. */
interface Handler {
  dataloader: Collector;
}

interface Collector {
  request(query: unknown): Promise<unknown>;
  options: unknown;
}

/** Changes the client, which is not yet in use, and returns it. */
export function collectPerRequest<Client extends object>(client: Client): Client {
  const handler: unknown = Reflect.get(client, '_requestHandler');
  if (!isHandler(handler)) throw new Error('This version of Prisma collects queries in another way');
  const { dataloader: shared } = handler;
  const { options } = shared;
  const nothing = {};
  const collectors = new WeakMap<object, WeakMap<object, Collector>>();
  handler.dataloader = { options, request: (query) => own().request(query) };
  return client;

  /** That of the request whose time and whose load counts now. */
  function own(): Collector {
    const caller = callers.getStore() ?? nothing;
    const load = loadBudget() ?? nothing;
    const byLoad = collectors.get(caller) ?? new WeakMap<object, Collector>();
    collectors.set(caller, byLoad);
    const known = byLoad.get(load);
    if (known) return known;
    const made: Collector = Reflect.construct(shared.constructor, [options]);
    byLoad.set(load, made);
    return made;
  }
}

const isHandler = (value: unknown): value is Handler =>
  isObject(value) && 'dataloader' in value && isObject(value.dataloader) && 'options' in value.dataloader;
