import { type GraphQLSchema, getOperationAST, parse } from 'graphql';
import { requireScopes } from '../access/scopes.js';
import type { Config } from '../config/config.js';
import type { JournalReads, WebhookHost } from '../context.js';
import type { Admission } from '../operation/admission.js';
import { DocumentRefused } from '../operation/document-refused.js';
import { scopesBelow } from '../schema/guards/guard-links.js';
import { knownError } from '../shown-errors/show-error.js';

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
