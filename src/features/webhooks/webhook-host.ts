import { type GraphQLSchema, getOperationAST, parse } from 'graphql';
import type { Identity, RequestContext } from '../../change/context.js';
import type { JournalEntry } from '../../change/journal/entry.js';
import type { Config } from '../../gateway/config/config.js';
import { scopesBelow } from '../../graphql/guards/guard-links.js';
import type { Admission } from '../../graphql/operation/admission.js';
import { DocumentRefused } from '../../graphql/operation/trusted-documents.js';
import { knownError } from '../../graphql/shown-errors/show-error.js';
import { requireScopes } from '../../model/scopes.js';

/** What the process provides for the management of webhooks. */
export interface WebhookHost {
  /** The setting WEBHOOK_KEY; without it there are no webhooks. */
  masterKey: string | undefined;
  /** The setting WEBHOOK_ALLOW. */
  allowed: readonly string[];
  /** The journal, from which webhooks get the changes; undefined if there is none. */
  journal: JournalReads | undefined;
  /** Admits the document that reads a payload, as if it were sent; returns what is wrong with it, if anything is. */
  problemWith(query: string): string | undefined;
  /** For a document without a problem. @throws FORBIDDEN if it follows links to records that the maker may not read */
  requireLinksReadable(query: string, maker: Pick<Identity, 'keyId' | 'scopes'>): void;
}

export interface JournalReads {
  /** The entries after a position, ascending, at most `limit`. */
  read(
    after: number,
    limit: number,
  ): Promise<readonly Pick<JournalEntry, 'position' | 'action' | 'resource' | 'document'>[]>;
  /** Reading after `oldest` misses nothing; `last` is the highest position given out. */
  bounds(): Promise<{ oldest: number; last: number }>;
  /** The highest position of an entry that is not above `position`. */
  lastUpTo(position: number): Promise<number>;
}

/** Those of the gateways of this process. */
export const webhookHosts = new WeakMap<object, WebhookHost>();

/** That of the gateway that has got the request. */
export const webhookHostOf = ({ gateway }: Pick<RequestContext, 'gateway'>): WebhookHost | undefined =>
  gateway && webhookHosts.get(gateway);

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
