/** A gateway that takes tokens, in the process of a test. */
import { startGateway, type TestGateway } from '../support/gateway.js';
import { serve } from '../support/schema.js';
import { rolesFile } from './roles.js';

/** Everything with industry types, which most tests of tokens ask for. */
export const clerk = {
  scopes: ['crm:read', 'crm:write', 'crm:delete', 'webhooks'],
  types: { IndustryType: { read: true, create: true, update: true, delete: true } },
};

export interface GatewayWithPeople extends TestGateway {
  /** Does what SIGHUP does with the files of issuers and roles. */
  reload(): void;
}

/** Starts a gateway with these settings, in which all who sign in as `Clerks` are clerks. */
export async function startWithPeople({
  env = {},
  ...others
}: Parameters<typeof startGateway>[0] = {}): Promise<GatewayWithPeople> {
  const whole = { ROLES: rolesFile({ clerk }), ...env };
  const features = await serve(whole);
  const gateway = await startGateway({ ...others, env: whole, features });
  const reload = () => {
    for (const { reloads } of features) reloads?.read(gateway.config, [])();
  };
  return { ...gateway, reload };
}

export const bearing = (token: string) => ({ authorization: `Bearer ${token}` });
