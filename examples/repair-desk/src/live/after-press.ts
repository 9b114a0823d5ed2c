/** Milliseconds: what takes longer is no press, or its end was not told. */
const longestPress = 2_000;

const waiting: (() => void)[] = [];
/** Runs from the beginning of a press until just behind its click. */
let timer: ReturnType<typeof setTimeout> | undefined;

/**
 * Does something that comes by itself, such as to show what somebody else has saved: at once, or after the press that is under
 * way. A button that moves away between the down and the up of the mouse is not pressed.
 */
export function afterPress(run: () => void): void {
  if (timer === undefined) run();
  else waiting.push(run);
}

function releaseIn(milliseconds: number) {
  clearTimeout(timer);
  timer = setTimeout(() => {
    timer = undefined;
    for (const run of waiting.splice(0)) run();
  }, milliseconds);
}

addEventListener(
  'pointerdown',
  ({ button, target }) => {
    // The list of a select takes the end of the press.
    if (button === 0 && !(target instanceof HTMLSelectElement)) releaseIn(longestPress);
  },
  true,
);
for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => releaseIn(0), true);
