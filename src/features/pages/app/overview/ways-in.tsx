import { gateway } from '../addresses.js';
import { Code } from '../ui/copy-button.js';

/** The first requests, to paste into a terminal. */
export function WaysIn({ graphiql }: { graphiql: boolean }) {
  const base = gateway.href.replace(/\/$/, '');
  return (
    <section className="card ways-in">
      <h2>From a terminal</h2>
      <p className="soft">
        Every request carries a key, in the header <code>Authorization: Bearer …</code>. With it in{' '}
        <code>$API_KEY</code>, the same list by REST and by GraphQL
        {graphiql ? '' : ' (here only trusted documents are executed)'}:
      </p>
      <div className="two">
        <Code>{`curl -H "Authorization: Bearer $API_KEY" \\
  '${base}/api/assets/asset-repair?limit=5'`}</Code>
        <Code>{`curl -H "Authorization: Bearer $API_KEY" \\
  -H 'Content-Type: application/json' \\
  -d '{"query": "{ assetRepairs(first: 5) { nodes { id asset } } }"}' \\
  ${base}/graphql`}</Code>
      </div>
    </section>
  );
}
