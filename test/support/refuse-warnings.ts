/** A timer for longer than Node can count fires after a millisecond, again and again: whatever sets one fails the run. */
const listening = Symbol.for('business-records-gateway.refuse-warnings');
if (!Object.hasOwn(globalThis, listening)) {
  Object.defineProperty(globalThis, listening, { value: true });
  process.on('warning', (warning) => {
    if (warning.name === 'TimeoutOverflowWarning') throw warning;
  });
}
