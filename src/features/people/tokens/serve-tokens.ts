import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { Current } from '../../../common/kept.js';
import { isToken } from '../../../gateway/access/authenticator.js';
import type { CurrentGrants } from '../../../gateway/access/grants.js';
import type { Config } from '../../../gateway/config/config.js';
import { AddressRules } from '../../../gateway/outgoing/address-rules.js';
import { peopleSettings } from '../people-settings.js';
import type { Tokens } from '../serve-people.js';
import { createIdentifyToken } from './identify-token.js';
import { type Issuers, readIssuers } from './issuers.js';
import { createFetchText, type FindKey, fetchedKeys } from './key-set.js';
import { tokenRows } from './token-refusals.js';

export function serveTokens(given: Config, grants: CurrentGrants): Tokens {
  const { issuersAllow, answerKey } = peopleSettings.of(given);
  const rules = new AddressRules(issuersAllow, 'ISSUERS_ALLOW');
  const issuers = Current.of<Issuers>(new Map());
  let log: Pick<Logger, 'warn'> | undefined;
  const fetchText = createFetchText(rules);
  // By their addresses: the same after a reload, which may find the issuer down.
  const known = new Map<string, FindKey>();
  const fetched = (url: string) => {
    const keys = known.get(url) ?? fetchedKeys(url, fetchText, (reason) => log?.warn({ url, reason }, notFetched));
    known.set(url, keys);
    return keys;
  };
  return {
    errors: { after: 'api_key_invalid', rows: tokenRows },
    authenticate: createIdentifyToken(issuers, grants, answerKey ?? randomBytes(32).toString('base64')),
    signIns: issuers.derive((read) =>
      [...read.values()].flatMap(({ issuer, audience, signIn }) =>
        signIn ? { issuer, audience, ...signIn, label: signIn.label ?? new URL(signIn.authorize).host } : [],
      ),
    ),
    readIssuers(config, roles, problems) {
      const { issuers: file } = peopleSettings.of(config);
      const knownRoles = roles.map(({ name }) => name);
      const read: Issuers = file ? readIssuers(file, { knownRoles, rules, fetched }, problems) : new Map();
      if (isToken(config.apiKey ?? '')) problems.push(keyLikeToken);
      return () => {
        issuers.replace(read);
        return { issuers: [...read.keys()] };
      };
    },
    join(gateway) {
      ({ log } = gateway);
      return {};
    },
    start({ sweeps }) {
      if (sweeps && answerKey === undefined) log?.warn(ownKeys);
      return undefined;
    },
  };
}

const keyLikeToken =
  'API_KEY has the form of a token, three parts with dots between, and would be taken for one where ISSUERS is set. Choose another.';
const notFetched = 'The keys of an issuer could not be fetched; those that are known stay good, and it is tried again';
const ownKeys =
  'ANSWER_KEY is not set, so each process encrypts the stored answers of people with a key of its own: a request that is repeated with its Idempotency-Key is answered only by the process that has executed it, until that ends';
