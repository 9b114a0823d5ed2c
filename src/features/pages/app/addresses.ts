/** Where the gateway is: the pages may lie below a path prefix of a proxy. */

/** The address of the gateway, with `/` at its end. The app's own script is in `pages/`. */
export const gateway = new URL('..', import.meta.url);

/** A path of the gateway as an absolute URL. */
export const addressOf = (path: string): string => new URL(path, gateway).href;

/** The path of a page as links name it, such as `/records/asset-repair`. */
export const pathOf = (path: string): string => new URL(path, gateway).pathname;
