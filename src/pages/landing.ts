import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { type RequestHandler, Router } from 'express';
import { policy } from '../http/security-headers.js';

/** `GET /`: the URLs and a first request, as a page for browsers and as JSON for other clients. Needs no key. */
export function landing(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get('/', show);
  return router;
}

const show: RequestHandler = (request, response) => {
  const base = baseOf(request);
  response.vary('Accept');
  if (request.accepts(['application/json', 'text/html']) === 'text/html') {
    response.setHeader('Content-Security-Policy', landingPolicy);
    response.type('html').send(page(base));
  } else {
    response.json({
      name: 'Business Records Gateway',
      rest: `${base}/api`,
      graphql: `${base}/graphql`,
      graphiql: `${base}/graphql`,
      authentication: 'Authorization: Bearer <API_KEY>',
    });
  }
};

/**
 * The gateway's URL by the `Host` header; empty if the header has other characters than an address, so that nothing
 * else is echoed into the page.
 */
function baseOf(request: IncomingMessage): string {
  const host = request.headers.host ?? '';
  return /^([\w.-]+|\[[\da-f:.]+\])(:\d+)?$/i.test(host) ? `http://${host}` : '';
}

const style = `
  body { font: 16px/1.5 system-ui, sans-serif; max-width: 44rem; margin: 3rem auto; padding: 0 1rem; color: #1d2430; }
  h1 { font-size: 1.5rem; }
  dt { font-weight: 600; margin-top: .75rem; }
  dd { margin: 0; }
  pre { background: #f2f4f7; padding: .75rem 1rem; border-radius: .4rem; overflow-x: auto; }
  @media (prefers-color-scheme: dark) {
    body { background: #14181f; color: #e3e7ee; }
    pre { background: #1f2530; }
    a { color: #8ab4f8; }
  }
`;

const landingPolicy = policy({
  'default-src': "'none'",
  'img-src': 'data:',
  'style-src': `'sha256-${createHash('sha256').update(style).digest('base64')}'`,
});

const page = (base: string) => `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Business Records Gateway</title>
    <link rel="icon" href="data:,">
    <style>${style}</style>
  </head>
  <body>
    <h1>Business Records Gateway</h1>
    <p>Business records over GraphQL and REST. The same records, the same rules and the same keys on both.</p>
    <dl>
      <dt>GraphQL</dt>
      <dd><code>POST ${base}/graphql</code></dd>
      <dt>GraphiQL</dt>
      <dd><a href="graphql">Open it in this browser</a>: write a query, see the answer, read the schema</dd>
      <dt>REST</dt>
      <dd><code>${base}/api/&lt;area&gt;/&lt;resource&gt;</code></dd>
    </dl>
    <p>Every request carries a key, in the header <code>Authorization: Bearer &lt;API_KEY&gt;</code>. With it in
      <code>$API_KEY</code>, the same list twice:</p>
    <pre>curl -H "Authorization: Bearer $API_KEY" \\
  '${base}/api/assets/asset-repair?limit=5'</pre>
    <pre>curl -H "Authorization: Bearer $API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"query": "{ assetRepairs(first: 5) { nodes { id asset } } }"}' \\
  ${base}/graphql</pre>
  </body>
</html>
`;
