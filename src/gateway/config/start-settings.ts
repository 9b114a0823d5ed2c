/** What a start does: the key and the migrations it needs, the files it reads, the processes it starts. */
import { availableParallelism } from 'node:os';
import * as z from 'zod';
import { flag, setting } from './setting.js';

export const startSettings = {
  apiKey: setting({
    name: 'API_KEY',
    form: z
      .string()
      .regex(/^[\x21-\x7e]{16,256}$/)
      .optional(),
    meaning:
      'An API key of your own with every scope, valid as long as it is set. If there is no key at all, the start creates one and prints it.',
    requirement: 'must be 16 to 256 visible ASCII characters without spaces; `openssl rand -hex 32` makes a good one',
    secret: true,
    isHidden: true,
  }),
  migrate: setting({
    name: 'MIGRATE',
    form: flag,
    default: 'true',
    meaning:
      'Whether the start applies missing migrations. With false, the gateway does not start on a database that lacks one.',
    requirement: 'must be true or false',
  }),
  trustedDocuments: setting({
    name: 'TRUSTED_DOCUMENTS',
    form: z.string().optional(),
    meaning:
      'A JSON file of GraphQL operations, {"<hash>": "<operation>"}. If set, only these are executed; GraphiQL no longer works.',
    requirement: 'must be the path of a file',
  }),
  deprecations: setting({
    name: 'DEPRECATIONS',
    form: z.string().optional(),
    meaning:
      'A JSON file that says which REST endpoints are deprecated, when they end, and for which keys (docs/moving-to-graphql.md).',
    requirement: 'must be the path of a file',
  }),
  workers: setting({
    name: 'WORKERS',
    form: z
      .string()
      .regex(/^(auto|[1-9]\d?)$/)
      .transform((text) => (text === 'auto' ? availableParallelism() : Number(text))),
    default: '1',
    meaning:
      'The number of processes that serve at the same address, up to 99, or auto for one per processor. From 2 on, a process that ends is replaced.',
    requirement: 'must be a whole number from 1 to 99, or auto',
  }),
};
