/** The GraphQL schema of the gateway, complete. */
import './queries.js';
import './nodes.js';
import './mutations.js';
import { builder } from './builder.js';
import { guardArguments } from './guard-arguments.js';

export const schema = guardArguments(builder.toSchema({ sortSchema: false }));

export { plugins } from './plugins.js';
