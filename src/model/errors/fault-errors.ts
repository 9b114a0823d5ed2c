import { GatewayError } from './gateway-error.js';

/** The caller can do nothing about it: the gateway has a fault, or the database has stored what it must not. */
export const faultErrors = {
  /**
   * The stored state of a document is none of the three, because SQL written by hand has stored it. Without `id` it is
   * unknown which document it is.
   */
  unknownStatus: ({ title, id, stored }: { title: string; id: string | undefined; stored: string }) => {
    const text = JSON.stringify(stored.slice(0, 100));
    const message = `The status of ${id ? `the ${title} ${id}` : `some ${title}`} is stored as ${text}, which is not a state of a document. Correct it in the database; it must be draft, submitted or cancelled.`;
    const details = { reason: 'internal', ...(id ? { recordId: id } : {}) };
    return new GatewayError('INTERNAL_SERVER_ERROR', message, details, { cause: new Error(message) });
  },

  /** A fault of the gateway. The cause is logged with the request id and never shown. */
  internal: (cause?: unknown) =>
    new GatewayError(
      'INTERNAL_SERVER_ERROR',
      'Something went wrong in the gateway. Its log has the cause, under the request id.',
      { reason: 'internal' },
      { cause },
    ),
};
