/** A back end for a front end: people sign in with a cookie, and their API keys stay here. */
import { randomBytes, scrypt, timingSafeEqual } from 'node:crypto';
import { readFileSync } from 'node:fs';
import http from 'node:http';
import https from 'node:https';
import { promisify } from 'node:util';
import express from 'express';

const {
  GATEWAY = 'http://127.0.0.1:4000/graphql',
  /** The address at which browsers reach this: with HTTPS, but on the machine itself. */
  ORIGIN = 'http://localhost:3000',
  PORT = '3000',
  SITE = 'dist',
  PEOPLE = 'people.json',
} = process.env;
const hours = 8;
const cookie = '__Host-session';
const attributes = 'Path=/; Secure; HttpOnly; SameSite=Strict';

/** By name: `salt`, `hash` and `key`. Put your own sign-in here, such as OpenID Connect; a key for each person remains. */
const people = new Map(Object.entries(JSON.parse(readFileSync(PEOPLE, 'utf8'))));
/** By the value of the cookie: the key, and the answers that are under way. */
const sessions = new Map();

const app = express().disable('x-powered-by');

app.use((_, response, next) => {
  response.set(
    'Content-Security-Policy',
    "default-src 'self'; frame-ancestors 'none'; base-uri 'none'; form-action 'self'",
  );
  response.set({ 'X-Content-Type-Options': 'nosniff', 'Referrer-Policy': 'no-referrer' });
  next();
});
app.use(express.static(SITE));

/** Browsers send the cookie also where another site asks; but they say who asks, and no page can change what they say. */
app.use(({ headers }, response, next) => {
  const site = headers['sec-fetch-site'];
  if (site ? site === 'same-origin' : headers.origin === ORIGIN) next();
  else refuse(response, 403, 'FORBIDDEN', 'Only pages of this site may ask.');
});

app.post('/login', express.json({ limit: '1kb' }), async ({ body, headers }, response) => {
  const { salt = '', hash = '', key } = people.get(body?.name) ?? {};
  const given = await promisify(scrypt)(String(body?.password), salt, 32);
  const wanted = Buffer.alloc(32, hash, 'base64');
  if (!key || !timingSafeEqual(given, wanted)) {
    return refuse(response, 401, 'UNAUTHENTICATED', 'No person has this name and this password.');
  }
  end(idOf(headers));
  const id = randomBytes(32).toString('base64url');
  sessions.set(id, { key, answers: new Set(), timer: setTimeout(end, hours * 3_600_000, id).unref() });
  response.set('Set-Cookie', `${cookie}=${id}; ${attributes}; Max-Age=${hours * 3_600}`).sendStatus(204);
});

app.post('/logout', ({ headers }, response) => {
  end(idOf(headers));
  response.set('Set-Cookie', `${cookie}=; ${attributes}; Max-Age=0`).sendStatus(204);
});

const passedOn = [
  'accept',
  'accept-encoding',
  'content-type',
  'content-length',
  'idempotency-key',
  'if-none-match',
  'last-event-id',
];
const ofConnection = ['connection', 'keep-alive', 'transfer-encoding'];

app.all('/graphql', (request, response) => {
  const id = idOf(request.headers);
  const session = sessions.get(id);
  if (!session) return refuse(response, 401, 'UNAUTHENTICATED', 'Sign in.');
  const given = Object.entries(request.headers).filter(([name]) => passedOn.includes(name));
  const headers = { ...Object.fromEntries(given), authorization: `Bearer ${session.key}` };
  const url = new URL(GATEWAY);
  url.search = new URL(request.url, ORIGIN).search;
  const { method } = request;
  const onwards = (url.protocol === 'https:' ? https : http).request(url, { method, headers }, (answer) => {
    if (answer.statusCode === 401) {
      // The key was revoked, or has expired. This answer says so.
      session.answers.delete(response);
      end(id);
    }
    const kept = Object.entries(answer.headers).filter(([name]) => !ofConnection.includes(name));
    response.writeHead(answer.statusCode, Object.fromEntries(kept));
    // Each piece as it comes: nothing here may compress or collect it, or streams stand still.
    answer.on('error', () => response.destroy()).pipe(response);
  });
  onwards.on('error', () => {
    if (response.headersSent) response.destroy();
    else refuse(response, 503, 'UNAVAILABLE', 'The gateway cannot be reached. Try again.');
  });
  session.answers.add(response);
  response.on('close', () => {
    session.answers.delete(response);
    onwards.destroy();
  });
  request.pipe(onwards);
});

const idOf = (headers) => new RegExp(`(?:^|; )${cookie}=([\\w-]+)`).exec(headers.cookie ?? '')?.[1];

/** Ends a session and its streams. */
function end(id) {
  const session = sessions.get(id);
  sessions.delete(id);
  clearTimeout(session?.timer);
  for (const answer of session?.answers ?? []) answer.destroy();
}

/** In the form of the gateway, which clients of GraphQL understand. */
function refuse(response, status, code, message) {
  response.status(status).type('application/graphql-response+json');
  response.send(JSON.stringify({ errors: [{ message, extensions: { code } }] }));
}

app.use((error, _, response, next) =>
  response.headersSent ? next(error) : refuse(response, error.status ?? 500, 'BAD_REQUEST', 'This cannot be read.'),
);

const server = app.listen(Number(PORT), '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
