import { accessAndErrors } from './access-and-errors.clauses.js';
import { bases } from './bases.clauses.js';
import { childOperations } from './child-operations.clauses.js';
import { showClauses } from './clause.js';
import { limitsAndVersions } from './limits-and-versions.clauses.js';
import { operations } from './operations.clauses.js';
import { states } from './states.clauses.js';

showClauses(states, operations, childOperations, bases, accessAndErrors, limitsAndVersions);
