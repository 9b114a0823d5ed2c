import { graphqlCurl } from '../../../translation/pure/snippets.js';
import { type Operation, useAbout } from '../api/graphql.js';
import { graphiqlLink, origin } from '../router.js';
import { CopyButton } from '../ui/controls.js';

/**
 * What is shown, as the operation that asks for it: to learn from, and to take along. `isSecret`: it holds a credential,
 * which belongs into no address, because browsers keep those.
 */
export function CopyBar({ operation, isSecret = false }: { operation: Operation; isSecret?: boolean }) {
  const { graphiql } = useAbout();
  return (
    <div className="copy-bar">
      <CopyButton text={() => asGraphql(operation)}>Copy as GraphQL</CopyButton>
      <CopyButton text={() => graphqlCurl(operation, origin)}>Copy as curl</CopyButton>
      {graphiql && !isSecret && (
        <a className="button small" href={graphiqlLink(operation)}>
          Open in GraphiQL
        </a>
      )}
    </div>
  );
}

const asGraphql = ({ query, variables }: Operation): string =>
  variables ? `${query}\n# Variables:\n${JSON.stringify(variables, null, 2).replace(/^/gm, '# ')}\n` : query;
