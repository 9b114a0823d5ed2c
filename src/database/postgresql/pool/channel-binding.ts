import type pg from 'pg';

/**
 * Lets `client` go on only with a server that proves by the password that it is the one at the end of the TLS connection. The
 * driver by itself goes on without that where a server does not offer it, and then even sends the password.
 */
export function requireChannelBinding({ connection }: pg.Client): void {
  let isProven = false;
  const refuse = () => {
    // The server may have said already that it is ready.
    connection.removeAllListeners('readyForQuery');
    connection.stream.destroy(new Error('the server offers no channel binding'));
  };
  // These run before the listeners of the driver, which it adds when it connects.
  connection.on('authenticationSASL', ({ mechanisms }: { mechanisms: string[] }) => {
    if (!mechanisms.includes('SCRAM-SHA-256-PLUS')) refuse();
  });
  for (const other of ['authenticationCleartextPassword', 'authenticationMD5Password']) connection.on(other, refuse);
  connection.on('authenticationSASLFinal', () => {
    isProven = true;
  });
  connection.on('authenticationOk', () => {
    if (!isProven) refuse();
  });
}
