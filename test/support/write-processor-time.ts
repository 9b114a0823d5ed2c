/**
 * A set-up file for runs that measure the processor time of their files. Its hook is registered first, so it runs last.
 */
import { afterAll, expect, inject } from 'vitest';
import { writeProcessorTime } from './processor-time.js';

afterAll(() => writeProcessorTime(inject('testRun').folder, expect.getState().testPath ?? ''));
