/** The one HTML page that all pages begin with; the app makes the rest of it. */
import { pagePolicy } from '../../gateway/http/answer/security-headers.js';
import type { FirstFiles, Tool } from './bundle-app.js';

/** GraphiQL and Scalar make style attributes and elements; scripts are still loaded from files only. */
export const toolPolicy = pagePolicy.replace("style-src 'self'", "style-src 'self' 'unsafe-inline'");

/**
 * `depth` is the number of folders in the page's path. Addresses are relative, so that the pages also work behind a
 * proxy with a path prefix.
 *
 * The page preloads the files of `tool`, before the script that asks for them has run: the browser loads and compiles
 * them meanwhile. GraphiQL's script takes half a second to compile.
 */
export function html({ script, style, tools }: FirstFiles, depth: number, tool?: Tool): string {
  const files = `${'../'.repeat(depth)}pages/`;
  const ahead = (tool ? tools[tool] : []).map(
    (name) => `
    <link rel="preload" as="${name.endsWith('.css') ? 'style' : 'script'}" href="${files}${name}">`,
  );
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta name="color-scheme" content="light dark">
    <title>Business Records</title>
    <link rel="icon" href="${icon}">
    <link rel="stylesheet" href="${files}${style}">
    <script type="module" src="${files}${script}"></script>${ahead.join('')}
  </head>
  <body>
    <noscript>These pages need JavaScript. The gateway does not: it answers REST at /api and GraphQL at /graphql.</noscript>
    <div id="root"></div>
  </body>
</html>
`;
}

const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#2456c7"/>' +
  '<path d="M4 5h8M4 8h8M4 11h5" stroke="#fff" stroke-width="1.6" stroke-linecap="round"/></svg>';

const icon = `data:image/svg+xml,${encodeURIComponent(drawing)}`;
