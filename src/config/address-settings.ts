/** At which address the gateway listens. */
import * as z from 'zod';
import { port } from './forms.js';
import { setting } from './setting.js';

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
};
