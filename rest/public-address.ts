import type { RequestContext } from '../src/change/context.js';

/** Where clients find a path of the gateway: they may reach it below a path of a proxy, which only PUBLIC_URL says. */
export const publicAddress = ({ publicUrl = '' }: Pick<RequestContext, 'publicUrl'>, path: string): string =>
  publicUrl + path;
