import type { Command } from 'commander';
import { settings } from '../gateway/config/config.js';
import { AlreadyReported } from './failure.js';
import { configOf, hiddenSettings, takeSettings } from './settings.js';
import type { Surroundings } from './surroundings.js';

/** `records serve` */
export function addServe(program: Command, surroundings: Surroundings): void {
  const all = settings().map(({ key }) => key);
  const command = program
    .command('serve')
    .description('start the gateway, which runs until it gets a signal to stop')
    .addHelpText('after', `\n${hiddenSettings(all)}`)
    .action(async () => {
      const readSettings = () => configOf(command, surroundings);
      const config = readSettings();
      const { FirstWorkerEnded, serve } = await import('../gateway/start/serve.js');
      try {
        await serve({ config, readSettings, program: surroundings.program });
      } catch (error) {
        if (error instanceof FirstWorkerEnded) throw new AlreadyReported(error.code);
        throw error;
      }
    });
  takeSettings(command, all);
}
