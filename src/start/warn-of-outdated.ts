import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { GraphQLError, type GraphQLSchema, parse, specifiedRules, validate } from 'graphql';
import type { Logger } from 'pino';
import type { Database } from '../database/open-database.js';
import type { TrustedDocuments } from '../operation/trusted-documents.js';
import { withoutValues } from '../shown-errors/without-values.js';
import { enabledWebhooks } from '../webhooks/find-webhook.js';
import { payloadQuery } from '../webhooks/selection.js';

interface Stored {
  schema: GraphQLSchema;
  database: Pick<Database, 'client'>;
  /** Whether webhooks are delivered. Otherwise they are not read, which would load Prisma's query compiler. */
  delivers: boolean;
  trusted: TrustedDocuments | undefined;
}

/**
 * Names what operators and clients have stored and this version of the schema no longer takes: selections of webhooks, whose
 * messages would have no record, and trusted documents, which would be refused. It is called once, after a start.
 */
export async function warnOfOutdated({ schema, database, delivers, trusted }: Stored, log: Logger): Promise<void> {
  try {
    for (const { id: webhook, name, selection, types } of delivers ? await enabledWebhooks(database.client) : []) {
      if (selection === null) continue;
      const problem = problemIn(schema, () => payloadQuery(selection, types).query);
      if (problem) log.warn({ webhook, name, problem }, outdated.selection);
    }
    for (const [text, document] of byText(trusted ?? new Map())) {
      const problem = problemIn(schema, () => text);
      if (problem) log.warn({ document, problem }, outdated.document);
      // There may be thousands, and requests are answered already.
      await turnOfLoop();
    }
  } catch (err) {
    log.warn({ err }, 'What was stored for an earlier version could not be looked at');
  }
}

const outdated = {
  selection:
    'The selection of this webhook is not valid in this version, so that its messages have no record: correct it with the mutation updateWebhook (docs/changelog.md says what has changed)',
  document:
    'This trusted document is not valid in this version and is refused: correct it in the list and send SIGHUP (docs/changelog.md says what has changed)',
};

/** A log holds no values: those in a stored text may be a secret. */
function problemIn(schema: GraphQLSchema, textOf: () => string): string | undefined {
  try {
    const [fault] = validate(schema, parse(textOf()), specifiedRules, { maxErrors: 1 });
    return fault && withoutValues(fault).message;
  } catch (error) {
    if (error instanceof GraphQLError) return withoutValues(error).message;
    return error instanceof Error ? error.message : String(error);
  }
}

/** Each text once, with the first of its names, which is that in the list. */
function byText(documents: TrustedDocuments): Map<string, string> {
  const names = new Map<string, string>();
  for (const [name, text] of documents) if (!names.has(text)) names.set(text, name);
  return names;
}
