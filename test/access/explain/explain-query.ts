/** Everything that `explainAccess` says. */
const all = 'allowed reason missingScopes rules { role rule before after failed }';

export const explainQuery = `query ($type: RecordType!, $id: ID, $action: RecordOperation!,
    $input: String, $as: ExplainedCallerInput) {
  explainAccess(type: $type, id: $id, action: $action, input: $input, as: $as) {
    ${all} } }`;

/** The same as a fragment, for operations that ask for several explanations. */
export const explained = `fragment all on AccessExplanation { ${all} }`;
