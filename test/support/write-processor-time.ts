/** A set-up file for runs that tell what their files take of the processors. Its hook is the first, and so the last to run. */
import { afterAll, expect, inject } from 'vitest';
import { writeProcessorTime } from './processor-time.js';

afterAll(() => writeProcessorTime(inject('testRun').folder, expect.getState().testPath ?? ''));
