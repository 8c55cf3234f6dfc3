/// <reference types="svelte" />
/// <reference types="vite/client" />

/** The words of the messages that the worker shows, by language and key; plugins/shell.ts makes it. */
declare module 'virtual:notice-words' {
  const words: Record<string, Record<string, string>>;
  export default words;
}

/** The format of stored answers that this page can read; plugins/shell.ts makes it. */
declare module 'virtual:offline-format' {
  const format: string;
  export default format;
}
