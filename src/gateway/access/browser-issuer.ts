/**
 * Where a browser signs people in, by the authorization code flow with PKCE. It is no secret: the client has none, and
 * whoever opens a page of the gateway gets to know it.
 */
export interface BrowserIssuer {
  issuer: string;
  /** A token for this gateway has one of these in `aud`. */
  audience: readonly string[];
  clientId: string;
  /** The address to which a browser sends people, and the one that gives their tokens to it. */
  authorize: string;
  token: string;
  scopes: readonly string[];
  /** What a button says, after “Sign in with”. */
  label: string;
}
