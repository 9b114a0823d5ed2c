/** Pauses a child with a signal, prints its process id, and waits to be killed. */
import { spawn } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { PausableProcess } from '../../src/database/sqlite/reader.js';
import { runningProcesses } from './running-processes.js';

const child = spawn('sleep', ['600'], { stdio: 'ignore' });
const pausable = new PausableProcess(child);
while (!runningProcesses().some(({ pid, isStopped }) => pid === child.pid && isStopped)) {
  pausable.pause();
  await sleep(10);
}
console.log(child.pid);
