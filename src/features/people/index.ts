/** People and keys with roles: what a role allows, about rows and fields of each type. */
import type { Feature } from '../../gateway/feature.js';
import { peopleSettings } from './people-settings.js';

export const people: Feature = {
  name: 'people',
  settings: peopleSettings,
  served: async () => (await import('./serve-people.js')).servePeople(),
};
