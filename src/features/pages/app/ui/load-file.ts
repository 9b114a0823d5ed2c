/** Loads a script or a style sheet of the pages. */
const loadScript = (src: string) => added(Object.assign(document.createElement('script'), { src }));

const loadStyle = (href: string) => added(Object.assign(document.createElement('link'), { rel: 'stylesheet', href }));

/** @throws where the file cannot be loaded */
export function loadFile(name: string): Promise<void> {
  const { href } = new URL(name, import.meta.url);
  return name.endsWith('.css') ? loadStyle(href) : loadScript(href);
}

function added(element: HTMLElement): Promise<void> {
  return new Promise((resolve, reject) => {
    element.onload = () => resolve();
    element.onerror = () => reject(new Error('A part of this page could not be loaded.'));
    document.head.append(element);
  });
}
