/** The pages for people in a browser. */
import type { Feature } from '../../gateway/feature.js';

export const pages: Feature = {
  name: 'pages',
  async served() {
    const { createPages } = await import('./pages.js');
    return { join: (gateway) => ({ routes: createPages(gateway) }) };
  },
};
