import { randomBytes } from 'node:crypto';
import { ConfigError } from '../../../common/config-error.js';
import { Current } from '../../../common/kept.js';
import { isToken } from '../../../gateway/access/authenticator.js';
import type { Config } from '../../../gateway/config/config.js';
import { AddressRules } from '../../../gateway/outgoing/address-rules.js';
import { peopleSettings } from '../people-settings.js';
import type { Tokens } from '../serve-people.js';
import { createFetchText } from './fetch-keys.js';
import { createIdentifyToken } from './identify-token.js';
import { type Issuers, readIssuers } from './issuers.js';
import { FetchedKeys } from './key-set.js';
import { tokenErrors } from './token-refusals.js';

export function serveTokens(given: Config): Tokens {
  const { issuersAllow, answerKey } = peopleSettings.of(given);
  const rules = new AddressRules(issuersAllow, 'ISSUERS_ALLOW');
  const fetchText = createFetchText(rules);
  const issuers = Current.of<Issuers>(new Map());
  let warn: (problem: object, message: string) => void = () => undefined;
  /** By their addresses: the same after a reload, which may find the issuer down. */
  const fetched = new Map<string, FetchedKeys>();
  const fetchedKeys = (issuer: string, url: string) => {
    const failed = (error: unknown) =>
      warn({ issuer, reason: String(error instanceof Error ? error.message : error) }, notFetched);
    const keys = fetched.get(url) ?? new FetchedKeys(url, fetchText, failed);
    fetched.set(url, keys);
    return keys.find;
  };
  return {
    errors: tokenErrors,
    signIns: issuers.derive((read) =>
      [...read.values()].flatMap(({ issuer, audience, signIn }) =>
        signIn ? { issuer, audience, ...signIn, label: signIn.label ?? new URL(signIn.authorize).host } : [],
      ),
    ),
    read(config, knownRoles) {
      const { issuers: file } = peopleSettings.of(config);
      const problems: string[] = [];
      const read: Issuers = file ? readIssuers(file, { knownRoles, rules, fetchedKeys }, problems) : new Map();
      const told = problems.map((problem) =>
        `ISSUERS names ${file}, which cannot be used: ${problem}.`.replace(/\?\.$/, '?'),
      );
      if (isToken(config.apiKey ?? '')) told.push(keyLikeToken);
      if (told.length > 0) throw new ConfigError(told);
      return () => {
        issuers.replace(read);
        return { issuers: [...read.keys()] };
      };
    },
    authenticate: (grants) => createIdentifyToken(issuers, grants, answerKey ?? randomBytes(32).toString('base64')),
    join({ log }) {
      warn = (problem, message) => log.warn(problem, message);
      return {};
    },
    start({ config, log }) {
      if (answerKey === undefined && config.workers > 1) log.warn(ownKeys);
      return undefined;
    },
  };
}

const keyLikeToken =
  'API_KEY has the form of a token, three parts with dots between, and would be taken for one where ISSUERS is set. Choose another.';
const notFetched = 'The keys of an issuer could not be fetched; those that are known stay good, and it is tried again';
const ownKeys =
  'ANSWER_KEY is not set, so each worker encrypts the stored answers of people with a key of its own: a request that is repeated with its Idempotency-Key is answered only by the worker that has executed it';
