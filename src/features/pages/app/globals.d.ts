/** What the bundler knows and TypeScript does not. */
declare module '*.css';

/** The names of GraphiQL's files, which lie next to the app's own. */
declare const GRAPHIQL_FILES: Record<'js' | 'css' | 'editorWorkerService' | 'graphqlWorker' | 'jsonWorker', string>;

/** The name of the script of Scalar, which draws the REST reference and brings its styles along. */
declare const SCALAR_FILES: Record<'js', string>;
