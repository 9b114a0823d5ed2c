/** Everything that `explainAccess` says. */
export const explainQuery = `query ($type: RecordType!, $id: ID, $action: RecordOperation!,
    $input: String, $as: ExplainedCallerInput) {
  explainAccess(type: $type, id: $id, action: $action, input: $input, as: $as) {
    allowed reason missingScopes rules { role rule before after failed } } }`;
