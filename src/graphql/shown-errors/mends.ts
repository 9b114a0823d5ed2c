/** Says what to write in place of what 0.1 took: in the answer to a document, and in the start's log about stored ones. */
import type { GraphQLError } from 'graphql';
import { catalogue } from '../../model/catalogue.js';

/** By the beginning of GraphQL's own message; a group in it holds a type of records. docs/changelog.md has the same, for who upgrades. */
const mends: readonly [RegExp, string][] = [
  [/^Unknown type "Record"/, 'It is called `BusinessRecord` now.'],
  [/^Unknown type "Document"/, 'It is called `BusinessDocument` now.'],
  [/^Unknown type "(\w+)Order(?:Field)?"/, 'Types of orders end in `Sort` now, such as `AssetRepairSort`.'],
  [/ on type "\w+ListPayload"/, 'It is in `records { … }` now.'],
  [/ on type "DeleteManyPayload"/, 'The ids are in `deletedIds` now.'],
  [/ on type "ApiKeyPayload"/, 'It is in `apiKey { … }` now.'],
  [/ on type "WebhookPayload"/, 'It is in `webhook { … }` now.'],
  [/ on type "WebhookMessagePayload"/, 'It is in `message { … }` now.'],
  [/ on type "(?:ApiKey|Webhook|WebhookAttempt)Connection"/, 'It is in `nodes { … }` now.'],
  [/^Unknown argument "limit" on field "Query\.(?:apiKeys|webhooks|webhookAttempts)"/, 'It is called `first` now.'],
  [/^Value "\w*[a-z]\w*" does not exist/, 'Values are in capitals now, such as `ASSET_REPAIR`.'],
  [/^Variable "\$(?:after|before)" of type "Float!?"/, 'Positions are texts now: `String`.'],
  [/^Field "id" is not defined by type "\w+Having"/, 'The number of records is `count` now.'],
  [
    /^Field "\w+" is not defined by type "(?:Int|Float|Date|DateTime)Having"/,
    'Name a measure around it: `max: { … }`.',
  ],
];

export function withMend(error: GraphQLError): GraphQLError {
  const mend = mends.find(([message]) => {
    const [found, model] = message.exec(error.message) ?? [];
    return found !== undefined && (model === undefined || Object.hasOwn(catalogue, model));
  })?.[1];
  if (mend) error.message += ` ${mend}`;
  return error;
}
