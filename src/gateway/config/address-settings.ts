/** At which address the gateway listens, and at which its clients reach it. */
import * as z from 'zod';
import { port, setting } from './setting.js';

export const addressSettings = {
  port: setting({
    name: 'PORT',
    form: port,
    default: '4000',
    meaning: 'The port to listen on. 0 takes any free port.',
    requirement: 'must be a whole number from 0 to 65535',
  }),
  host: setting({
    name: 'HOST',
    form: z.string().regex(/^[\w.:-]+$/),
    default: '127.0.0.1',
    meaning: 'The address to listen on. 0.0.0.0 or :: opens the gateway to the network.',
    requirement: 'must be an IP address or a host name',
  }),
  publicUrl: setting({
    name: 'PUBLIC_URL',
    form: z
      .string()
      .regex(/^https?:\/\/[^\s?#@\\]+$/i)
      .refine(URL.canParse)
      .optional()
      .transform((text) => (text === undefined ? '' : new URL(text).href.replace(/\/$/, ''))),
    meaning:
      'The address at which clients reach the gateway through a proxy, such as https://example.com/records-api. Answers then name it in place of paths (docs/deploy.md).',
    // A value is not shown: it may hold a password.
    requirement: () =>
      'must be an address like https://example.com/records-api, with http or https, and without user, password, query and fragment.',
  }),
};
