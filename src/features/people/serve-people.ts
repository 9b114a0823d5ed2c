import { Current, WeighedCache } from '../../common/kept.js';
import type { Granted, Grants } from '../../gateway/access/grants.js';
import type { ServedFeature } from '../../gateway/feature.js';
import { datamodel } from '../../generated/datamodel.js';
import { catalogue } from '../../model/catalogue.js';
import { createResources } from '../../model/create-resources.js';
import { peopleSettings } from './people-settings.js';
import { createGrants } from './roles/create-grants.js';
import { areasWithoutTypes, type Role, readRoles } from './roles/read-roles.js';

/** The most rights that are kept: one for each set of roles and of the values that their rules ask for. */
const mostRights = 1_000;

export function servePeople(): ServedFeature {
  const grants = Current.of<Grants | undefined>(undefined);
  // The same rights stay the same object also when the file is read again, with all that others keep by it.
  const kept = new WeighedCache<Granted>(mostRights, () => 1);
  let inForce: readonly Role[] = [];
  let warn: ((roles: readonly Role[]) => void) | undefined;
  return {
    grants,
    reloads: {
      keys: Object.keys(peopleSettings.entries),
      read(config) {
        const { roles: file } = peopleSettings.of(config);
        const roles = file === undefined ? undefined : readRoles(file, createResources(datamodel, catalogue));
        return () => {
          inForce = roles ?? [];
          grants.replace(roles && createGrants(roles, kept));
          warn?.(inForce);
          return roles ? { roles: roles.length } : {};
        };
      },
    },
    start({ log, sweeps }) {
      if (!sweeps) return undefined;
      warn = (roles) => {
        for (const role of roles)
          for (const area of areasWithoutTypes(role)) log.warn({ role: role.name, area }, nothingVisible);
      };
      warn(inForce);
      return undefined;
    },
  };
}

const nothingVisible =
  'This role has scopes for an area of which it names no type, so it sees no record there; add rules for its types, or leave the scopes out';
