/** Lets the keyboard go on at the content of the page, where what it was on is gone. */
export function focusMain(): void {
  document.querySelector<HTMLElement>('main')?.focus({ preventScroll: true });
}
