/**
 * Signs a token as an identity provider would, to try roles out before one is set up: `node examples/sign-token.js '{"sub": "ada"}'`.
 * The first run makes a pair of keys in the folder where it runs: `signing-key.json` signs, and `jwks.json` is what ISSUERS names.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose';

const [alg, kid, secret] = ['ES256', 'one', 'signing-key.json'];
if (!existsSync(secret)) {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  writeFileSync(secret, JSON.stringify(await exportJWK(privateKey)), { mode: 0o600 });
  writeFileSync('jwks.json', JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid }] }));
}
const [claims = '{}'] = process.argv.slice(2);
const usual = { iss: 'https://login.example', aud: 'records', exp: Math.floor(Date.now() / 1000) + 3600 };
const token = new SignJWT({ ...usual, ...JSON.parse(claims) }).setProtectedHeader({ alg, kid });
console.log(await token.sign(await importJWK(JSON.parse(readFileSync(secret, 'utf8')), alg)));
