import { setImmediate as turnOfLoop } from 'node:timers/promises';
import { GraphQLError, type GraphQLSchema, parse, specifiedRules, validate } from 'graphql';
import type { Logger } from 'pino';
import { GatewayError } from '../../model/errors/gateway-error.js';
import { sentenceOf, withMend, withoutValues } from '../shown-errors/show-error.js';
import type { TrustedDocuments } from './trusted-documents.js';

/** A document of GraphQL that somebody has stored. */
export interface DocumentOfFeature {
  /** @throws whatever is wrong with it */
  text(): string;
  /** Which one it is, for the log. */
  facts: Readonly<Record<string, string>>;
  /** What to do if it is not valid any more. */
  mend: string;
}

interface Stored {
  schema: GraphQLSchema;
  started: { stored(): Promise<readonly DocumentOfFeature[]> };
  trusted: TrustedDocuments | undefined;
}

/**
 * Names what operators and clients have stored and this version of the schema no longer takes: what features keep, and trusted
 * documents, which would be refused. It is called once, after a start.
 */
export async function warnOfOutdated({ schema, started, trusted }: Stored, log: Logger): Promise<void> {
  try {
    for (const { text, facts, mend } of await started.stored()) {
      const problem = problemIn(schema, text);
      if (problem) log.warn({ ...facts, problem }, mend);
    }
    for (const [text, document] of byText(trusted ?? new Map())) {
      const problem = problemIn(schema, () => text);
      if (problem) log.warn({ document, problem }, refused);
      // There may be thousands, and requests are answered already.
      await turnOfLoop();
    }
  } catch (err) {
    log.warn({ err }, 'What was stored for an earlier version could not be looked at');
  }
}

const refused =
  'This trusted document is not valid in this version and is refused: correct it in the list and send SIGHUP (docs/changelog.md says what has changed)';

/** A log holds no values: those in a stored text may be a secret. */
function problemIn(schema: GraphQLSchema, textOf: () => string): string | undefined {
  try {
    const [fault] = validate(schema, parse(textOf()), specifiedRules, { maxErrors: 1 });
    return fault && withMend(withoutValues(fault)).message;
  } catch (error) {
    const problems = error instanceof GatewayError ? error.details.problems : undefined;
    const message = problems?.map(sentenceOf).join(' ') ?? (error instanceof Error ? error.message : String(error));
    return withoutValues(new GraphQLError(message)).message;
  }
}

/** Each text once, with the first of its names, which is that in the list. */
function byText(documents: TrustedDocuments): Map<string, string> {
  const names = new Map<string, string>();
  for (const [name, text] of documents) if (!names.has(text)) names.set(text, name);
  return names;
}
