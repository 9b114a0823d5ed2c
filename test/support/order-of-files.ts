/** The order of test files: the same in every run, and mixed. */
import { createHash } from 'node:crypto';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

export class OrderOfFiles extends BaseSequencer {
  /**
   * vitest begins with the files that took longest the last time. Those wait for clocks and processes: side by side they
   * leave the processors idle for two minutes, and have nothing beside them but each other. So files come in an order that says
   * nothing of them, which is that of a hash of their names.
   */
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const hash = (file: TestSpecification) =>
      createHash('sha1').update(file.moduleId.slice(process.cwd().length)).digest('hex');
    return files
      .map((file) => ({ file, by: hash(file) }))
      .sort((a, b) => (a.by < b.by ? 1 : -1))
      .map(({ file }) => file);
  }
}
