import { GatewayError } from './gateway-error.js';

/** A request repeats an `Idempotency-Key`, and cannot be given the answer to the first request with it. */
export const idempotencyErrors = {
  idempotencyKeyReused: () =>
    new GatewayError(
      'IDEMPOTENCY_CONFLICT',
      'This Idempotency-Key belongs to another request. Use a new key for a new request, and the same body for a repeated one.',
      { reason: 'idempotency_key_reused' },
    ),

  idempotencyKeyInUse: () =>
    new GatewayError(
      'IDEMPOTENCY_CONFLICT',
      'The first request with this Idempotency-Key is still under way. Try again in a moment.',
      { reason: 'idempotency_key_in_use' },
    ),

  /** The request was executed with this API key, but with an earlier secret. */
  idempotencyAnswerSealed: () =>
    new GatewayError(
      'IDEMPOTENCY_CONFLICT',
      'This request was executed before, but its answer is encrypted with an earlier secret of this API key and cannot be read. Check whether its effect is there; to execute it again, send a new Idempotency-Key.',
      { reason: 'idempotency_answer_sealed' },
    ),
};
