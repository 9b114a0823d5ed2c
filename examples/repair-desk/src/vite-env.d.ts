/** Where people sign in, from the environment of the build; see the README. */
interface ImportMetaEnv {
  readonly VITE_AUTHORIZE: string;
  readonly VITE_TOKEN: string;
  readonly VITE_CLIENT_ID: string;
  readonly VITE_SCOPES?: string;
}
