import { DriverAdapterError } from '@prisma/driver-adapter-utils';

/** The error of PostgreSQL for a cancelled statement. */
export function overError(): DriverAdapterError {
  const message = 'The time of the request was over before the statement began';
  return new DriverAdapterError({
    originalCode: '57014',
    originalMessage: message,
    kind: 'postgres',
    code: '57014',
    severity: 'ERROR',
    message,
    detail: undefined,
    column: undefined,
    hint: undefined,
  });
}
