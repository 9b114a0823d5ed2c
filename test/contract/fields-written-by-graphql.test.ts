import { showFieldsWritten } from './fields-written.js';
import { graphql } from './surfaces.js';

showFieldsWritten(graphql);
