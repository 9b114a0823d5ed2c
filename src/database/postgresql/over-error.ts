import { DriverAdapterError } from '@prisma/driver-adapter-utils';

/** The error of PostgreSQL for a cancelled statement. */
export const overError = (): DriverAdapterError =>
  postgresError('57014', 'The time of the request was over before the statement began');

/**
 * The error of PostgreSQL for missing resources: a read has waited too long for its turn among reads whose results are
 * large, or of a size that is not known yet.
 */
export const largeResultWaited = (milliseconds: number, results: 'large' | 'unknown'): DriverAdapterError =>
  postgresError('53000', `The read has waited ${milliseconds / 1000} s for a connection for ${results} results`);

/** The error of PostgreSQL for too many connections: the request has waited too long for one. Nothing was sent. */
export const connectionWaited = (milliseconds: number): DriverAdapterError =>
  postgresError('53300', `The request has waited ${milliseconds / 1000} s for a connection`);

function postgresError(code: string, message: string): DriverAdapterError {
  return new DriverAdapterError({
    originalCode: code,
    originalMessage: message,
    kind: 'postgres',
    code,
    severity: 'ERROR',
    message,
    detail: undefined,
    column: undefined,
    hint: undefined,
  });
}
