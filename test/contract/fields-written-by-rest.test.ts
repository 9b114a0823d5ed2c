import { showFieldsWritten } from './fields-written.js';
import { rest } from './surfaces.js';

showFieldsWritten(rest);
