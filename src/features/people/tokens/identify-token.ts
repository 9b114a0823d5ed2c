import { hash } from 'node:crypto';
import type { Identity } from '../../../change/context.js';
import { type Current, oncePer } from '../../../common/kept.js';
import { whenResolved } from '../../../common/maybe-promise.js';
import { Seal } from '../../../common/seal.js';
import type { Identify, IdentifyToken } from '../../../gateway/access/authenticator.js';
import { type CurrentGrants, noRights } from '../../../gateway/access/grants.js';
import type { Issuers } from './issuers.js';
import { KnownTokens } from './known-tokens.js';
import { tokenRefusals } from './token-refusals.js';
import { longestToken, type VerifiedToken, verifyToken } from './verify-token.js';

/**
 * Says who sends a request with a token. What was found is derived again after the issuers were replaced, and what the roles
 * allow after the roles were. `answerKey` seals stored answers: by person, so that a renewed token opens them.
 */
export function createIdentifyToken(
  issuers: Current<Issuers>,
  grants: CurrentGrants,
  answerKey: string,
): IdentifyToken {
  const known = issuers.derive((each) => new KnownTokens((token) => verifyToken(token, each)));
  const identities = grants.derive((current) =>
    oncePer(({ keyId, name, roles, claims, expiresAt }: VerifiedToken): Identity => {
      const granted = current?.granted(roles, { subject: keyId, claims });
      const { scopes, rights } = granted ?? { scopes: [], rights: noRights };
      const allowed = Object.freeze(scopes.filter((scope) => scope !== forKeysOnly));
      const whyNone = roles.length > 0 ? undefined : noRole;
      const seal = new Seal(answerKey, keyId);
      return Object.freeze({ keyId, name, roles, scopes: allowed, whyNone, rights, expiresAt, seal });
    }),
  );
  const identityOf = (found: VerifiedToken) => identities.value(found);
  return (token) => {
    if (token.length > longestToken) return tooLong;
    const key = hash('sha256', token);
    return () => whenResolved(known.value.find(key, token), identityOf);
  };
}

/** A webhook delivers with the scopes of its maker when nobody has the claims of a person. */
const forKeysOnly = 'webhooks';

const noRole = 'Your token holds no role that counts here.';

const tooLong: Identify = () => {
  throw tokenRefusals.invalid(`This token is longer than ${longestToken} characters. Ask the issuer for fewer claims.`);
};
