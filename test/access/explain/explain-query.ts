/** Everything that `explainAccess` says. */
export const explainQuery = `query ($type: RecordType!, $id: ID, $action: RecordOperation!,
    $input: [NamedValueInput!], $as: ExplainedCallerInput) {
  explainAccess(type: $type, id: $id, action: $action, input: $input, as: $as) { allowed reason missingScopes rules {
    role type action rule unusable
    before { holds failed { field operator asked found } } after { holds failed { field operator asked found } } } } }`;
