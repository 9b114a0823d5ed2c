/**
 * What comes by itself, such as what others have changed, is shown after the press that is under way: a button or a row that moves
 * away between the down and the up of the mouse is not pressed.
 */
const waiting: (() => void)[] = [];
/** Runs from the beginning of a press until just behind its click. */
let timer: ReturnType<typeof setTimeout> | undefined;

export function afterPress(show: () => void): void {
  if (timer === undefined) setTimeout(show);
  else waiting.push(show);
}

function endIn(milliseconds: number) {
  clearTimeout(timer);
  timer = setTimeout(() => {
    timer = undefined;
    // Each by itself, as where nothing is pressed: one that fails stops no other.
    for (const show of waiting.splice(0)) setTimeout(show);
  }, milliseconds);
}
// What takes longer is no press, or its end was not told. The list of a select takes the end.
const begin = (down: PointerEvent) => down.button === 0 && !(down.target instanceof HTMLSelectElement) && endIn(2000);
addEventListener('pointerdown', begin, true);
for (const end of ['pointerup', 'pointercancel']) addEventListener(end, () => endIn(0), true);
