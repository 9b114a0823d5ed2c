import { type GraphQLSchema, getOperationAST, parse } from 'graphql';
import type { JournalReads, WebhookHost } from '../../change/context.js';
import type { Config } from '../../gateway/config/config.js';
import { scopesBelow } from '../../graphql/guards/guard-links.js';
import type { Admission } from '../../graphql/operation/admission.js';
import { DocumentRefused } from '../../graphql/operation/trusted-documents.js';
import { knownError } from '../../graphql/shown-errors/show-error.js';
import { requireScopes } from '../../model/scopes.js';

/** The record that a message is about is not known yet. */
const variableValues = { id: '' };

interface HostParts {
  config: Pick<Config, 'webhookKey' | 'webhookAllow'>;
  admission: Pick<Admission, 'fromRequest'>;
  journal: JournalReads | undefined;
  schema(): GraphQLSchema;
}

/** What the management of webhooks needs of the process. */
export function webhookHost({ config, admission, journal, schema: schemaOf }: HostParts): WebhookHost {
  return {
    masterKey: config.webhookKey,
    allowed: config.webhookAllow,
    journal,
    problemWith(query) {
      try {
        admission.fromRequest({ query, variables: variableValues }, false);
        return undefined;
      } catch (error) {
        return error instanceof DocumentRefused ? error.errors[0]?.message : knownError(error).message;
      }
    },
    requireLinksReadable(query, maker) {
      const schema = schemaOf();
      const definition = getOperationAST(parse(query));
      const returnType = schema.getQueryType();
      if (!definition || !returnType) return;
      const selected = { schema, fragments: {}, variableValues, fieldNodes: [definition], returnType };
      requireScopes(maker, scopesBelow(selected));
    },
  };
}
