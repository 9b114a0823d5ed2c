/** The API keys that each gateway of the matrix has, with their scopes. `unknown` and `none` are not stored. */
export const keys = {
  everything: ['*', 'admin'],
  'another area': ['crm:read', 'crm:write'],
  'reads only': ['assets:read'],
  'writes only': ['assets:write', 'assets:submit', 'assets:cancel', 'assets:delete', 'crm:write'],
  revoked: ['*', 'admin'],
  expired: ['*', 'admin'],
  unknown: [],
  none: [],
} as const;

export type KeyName = keyof typeof keys;
