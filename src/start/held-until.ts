import type { RequestListener } from 'node:http';

/** The same listener, whose requests wait until `opened` resolves. */
export function heldUntil(opened: Promise<unknown>, listener: RequestListener): RequestListener {
  let isOpen = false;
  const opening = opened.then(() => {
    isOpen = true;
  });
  // Whoever opens hears of a failure; nobody is let in.
  opening.catch(() => undefined);
  return (request, response) => {
    if (isOpen) listener(request, response);
    else opening.then(() => listener(request, response)).catch(() => response.destroy());
  };
}
