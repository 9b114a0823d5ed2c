/**
 * What linters and Prism hold against the descriptions, and why it stays. Whatever is not listed fails; so does what is
 * listed and no longer found. docs/tools.md shows the same.
 */
export const accepted: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  oas: {
    'oas3-valid-schema-example': 'takes the field `default` of an example of SalesInvoicePayment for the keyword',
    'info-contact': 'whoever runs the gateway is its contact; the description comes from the program',
    'oas3-operation-security-defined': 'is the rule of OpenAPI 3.0: since 3.1 a bearer scheme names roles',
  },
  owasp: {
    'owasp:api4:2023-array-limit': 'lists are bounded by the limit of an answer, not by a number for each',
    'owasp:api4:2023-integer-limit': 'the REST document sets no limits; the format gives the range',
    'owasp:api4:2023-string-limit': 'the REST document sets no lengths; the limit of a body bounds them',
    'owasp:api4:2023-string-restricted': 'the REST document takes any text',
    'owasp:api4:2023-rate-limit': 'the headers of limits stand on the answers that bear them',
    'owasp:api4:2023-rate-limit-responses-429': 'is described by the answer `default`',
    'owasp:api8:2023-define-error-responses-401': 'is described by the answer `default`',
    'owasp:api8:2023-define-error-responses-500': 'is described by the answer `default`',
    'owasp:api8:2023-define-cors-origin': 'CORS is a setting, and off by default',
    'owasp:api9:2023-inventory-access': 'the address is of whoever runs the gateway',
    'owasp:api9:2023-inventory-environment': 'the address is of whoever runs the gateway',
  },
  ibm: {
    'ibm-array-attributes': 'lists are bounded by the limit of an answer, not by a number for each',
    'ibm-avoid-inline-schemas': 'a schema that one answer has stands in that answer',
    'ibm-avoid-multiple-types': 'a change in a history has values of any type',
    'ibm-avoid-repeating-path-parameters': 'the parameters are components already',
    'ibm-collection-array-property': 'the REST document names it `data`',
    'ibm-enum-casing-convention': 'the REST document has these words',
    'ibm-error-response-schemas': 'the REST document has this form of error',
    'ibm-etag-header': 'an action answers the `ETag` of the record, which is read at another path',
    'ibm-integer-attributes': 'the REST document sets no limits; the format gives the range',
    'ibm-major-version-in-path': 'the REST document has no version in its paths',
    'ibm-no-ambiguous-paths': 'the REST document has `reorder` where ids stand; no id is `reorder`',
    'ibm-no-nullable-properties': 'the REST document answers `null` for what is not set',
    'ibm-no-unsupported-keywords': 'does not know `webhooks` of OpenAPI 3.1',
    'ibm-operationid-casing-convention': 'operations are named as in GraphQL',
    'ibm-operationid-naming-convention': 'operations are named as in GraphQL',
    'ibm-pagination-style': 'the REST document has this form of list',
    'ibm-parameter-order': 'the order of the REST document',
    'ibm-patch-request-content-type':
      'the type is taken, and said in words: as a second body it doubles the types of generators',
    'ibm-path-segment-casing-convention': 'the REST document has these paths',
    'ibm-prefer-token-pagination': 'the REST document has `limit` and `offset`; GraphQL has cursors',
    'ibm-property-description': 'members whose name and type say all have no sentence',
    'ibm-required-array-properties-in-response': 'only some errors have the member `more` or `types`',
    'ibm-resource-response-consistency': 'a write answers the record, a read also the past',
    'ibm-response-status-codes': 'the REST document has 422',
    'ibm-schema-description': 'the operation describes the body of a reorder',
    'ibm-schema-keywords': 'does not know `const` of OpenAPI 3.1',
    'ibm-schema-naming-convention': 'the types are named as in GraphQL',
    'ibm-schema-type-format': 'does not know the type `null` of OpenAPI 3.1',
    'ibm-securityschemes': 'is the rule of OpenAPI 3.0: since 3.1 a bearer scheme names roles',
    'ibm-string-attributes': 'the REST document takes any text',
    'ibm-success-response-example': 'an answer without a record of its own has none',
    'ibm-unique-parameter-request-property-names': 'the REST document has `id` in the path and takes it in bodies',
    'ibm-use-date-based-format': 'the REST document takes any text in these fields',
  },
  graphql: {
    '@graphql-eslint/no-typename-prefix': 'the REST document has these names of fields',
    '@graphql-eslint/naming-convention': 'Industry Type is a record type of the REST document',
    '@graphql-eslint/strict-id-in-types': 'edges, payloads, events and sums are no objects with an id',
  },
};

/** What Prism says of requests that succeed and of answers, in the contract suite. */
export const acceptedOfPrism: Readonly<Record<string, string>> = {
  'Selected route not found': 'OPTIONS of all paths is described in words',
  'No supported content types, but request included a non-empty body':
    'submit and cancel have no body in the REST document, and ignore one',
  "application/problem+json: Response body must have required property 'error'":
    'this form of errors is described in words: Prism takes it for the JSON of the other',
};
