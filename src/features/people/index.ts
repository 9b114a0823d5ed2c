/** People and keys with roles: who signs in, and what a role allows, about rows and fields of each type. */
import type { Feature } from '../../gateway/feature.js';
import { addAccess } from './explain/access-command.js';
import { addPeople } from './people-command.js';
import { peopleSettings } from './people-settings.js';

export const people: Feature = {
  name: 'people',
  settings: peopleSettings,
  commands(program, surroundings) {
    addAccess(program, surroundings);
    addPeople(program, surroundings);
  },
  async served(config) {
    const { servePeople } = await import('./serve-people.js');
    if (peopleSettings.of(config).issuers === undefined) return servePeople();
    const { serveTokens } = await import('./tokens/serve-tokens.js');
    return servePeople((grants) => serveTokens(config, grants));
  },
};
