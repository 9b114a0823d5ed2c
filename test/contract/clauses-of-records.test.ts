import { assetsToCrm } from './assets-to-crm.clauses.js';
import { children } from './children.clauses.js';
import { showClauses } from './clause.js';
import { conventions } from './conventions.clauses.js';
import { service } from './service.clauses.js';
import { signingAccountsSetup } from './signing-accounts-setup.clauses.js';

// The singletons' first values can only be seen before anybody sets them.
showClauses(signingAccountsSetup, assetsToCrm, service, conventions, children);
