import { setImmediate as turnOfLoop } from 'node:timers/promises';
import {
  type ArgumentNode,
  type DocumentNode,
  GraphQLError,
  type GraphQLSchema,
  type GraphQLType,
  getNamedType,
  parse,
  specifiedRules,
  TypeInfo,
  type VariableDefinitionNode,
  validate,
  visit,
  visitWithTypeInfo,
} from 'graphql';
import type { Logger } from 'pino';
import type { OpenedDatabase } from '../../database/open-database.js';
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
  database: Pick<OpenedDatabase, 'isUpgraded'>;
  started: { stored(): Promise<readonly DocumentOfFeature[]> };
  trusted: TrustedDocuments | undefined;
}

/**
 * Names what operators and clients have stored and this version of the schema no longer takes: what features keep, and trusted
 * documents, which would be refused. Those that are valid with other values are told by
 * the start that upgrades the database; nobody can tell later whether they were written for 0.1. It is called once, after a start.
 */
export async function warnOfOutdated({ schema, database, started, trusted }: Stored, log: Logger): Promise<void> {
  try {
    for (const { text, facts, mend } of await started.stored()) {
      const problem = problemIn(schema, text);
      if (problem) log.warn({ ...facts, problem }, mend);
    }
    for (const [text, document] of byText(trusted ?? new Map())) {
      const problem = problemIn(schema, () => text);
      const changed = problem ? [] : changedSince01(schema, parse(text));
      if (problem) log.warn({ document, problem }, outdated.document);
      else if (changed.length > 0) log[database.isUpgraded ? 'info' : 'debug']({ document, changed }, outdated.answers);
      // There may be thousands, and requests are answered already.
      await turnOfLoop();
    }
  } catch (err) {
    log.warn({ err }, 'What was stored for an earlier version could not be looked at');
  }
}

const outdated = {
  document:
    'This trusted document is not valid in this version and is refused: correct it in the list and send SIGHUP (docs/changelog.md says what has changed)',
  answers:
    'This trusted document is valid, but 0.1 took and answered other values here: record types and reasons are in capitals now, positions are texts, states of the past have ids of their own. Clients of 0.1 that send it need a change (docs/changelog.md)',
};

const withOtherValues: ReadonlySet<unknown> = new Set(['RecordType', 'WebhookDisabledReason', 'WebhookFailure']);

/** Where a valid document takes or asks for values that 0.1 wrote otherwise: variables and fields. */
function changedSince01(schema: GraphQLSchema, document: DocumentNode): string[] {
  const info = new TypeInfo(schema);
  const changed = new Set<string>();
  const note = (name: string, type: GraphQLType | null | undefined) => {
    if (withOtherValues.has(getNamedType(type)?.name) || name.endsWith('.position')) changed.add(name);
  };
  const Field = () => note(`${info.getParentType()}.${info.getFieldDef()?.name}`, info.getType());
  const VariableDefinition = ({ variable }: VariableDefinitionNode) =>
    note(`$${variable.name.value}`, info.getInputType());
  const Argument = ({ name }: ArgumentNode) => {
    if (name.value === 'asOf') changed.add(`asOf of ${info.getFieldDef()?.name}`);
  };
  visit(document, visitWithTypeInfo(info, { Field, VariableDefinition, Argument }));
  return [...changed];
}

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
