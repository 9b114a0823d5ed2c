import type { RequestListener } from 'node:http';

/** Wraps a listener so that requests wait until `opened` resolves. */
export function holdRequestsUntil(opened: Promise<unknown>, listener: RequestListener): RequestListener {
  let isOpen = false;
  const opening = opened.then(() => {
    isOpen = true;
  });
  // The caller handles a failure of `opened`; requests are then not served.
  opening.catch(() => undefined);
  return (request, response) => {
    if (isOpen) listener(request, response);
    else opening.then(() => listener(request, response)).catch(() => response.destroy());
  };
}
