/** API keys are made, listed and revoked: by administrators over GraphQL, and on the command line. */
import type { Feature } from '../../gateway/feature.js';
import { addKeys } from './keys-command.js';

export const keys: Feature = {
  name: 'keys',
  commands: addKeys,
  served: async () => ({ schema: (await import('./schema/api-key-fields.js')).addApiKeys }),
};
