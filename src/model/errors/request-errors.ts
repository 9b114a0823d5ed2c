import { refusal } from './error-rows.js';

/** The request cannot be taken: because of its form, its address, or the document it asks for. */
export const requestErrors = {
  /** A request that is refused before its operation is known. */
  badRequest: (...[reason, message]: Parameters<typeof refusal>) => refusal(reason, message),

  persistedQueryNotFound: () => refusal('persisted_query_not_found'),

  /** The document does not contain the requested operation; the code is the one Apollo Server uses. */
  operationUnknown: (message: string) => refusal('operation_unknown', message),

  untrustedDocument: () => refusal('untrusted_document'),
};
