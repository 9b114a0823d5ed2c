/** The GraphQL schema of the gateway, complete. */
import './queries.js';
import './nodes.js';
import './mutations.js';
import './api-keys.js';
import './save.js';
import './bulk.js';
import './aggregates.js';
import './preview.js';
import { builder } from './builder.js';
import { countValues } from './count-values.js';
import { guardArguments } from './guard-arguments.js';
import { guardScopes } from './guard-scopes.js';

// The outermost guard asks first: who may not use a field is told nothing about its arguments.
export const schema = guardScopes(guardArguments(countValues(builder.toSchema({ sortSchema: false }))));

export { coversCompiled, plugins } from './plugins.js';
