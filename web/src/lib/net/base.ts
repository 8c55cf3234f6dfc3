/** The path below which the site lies, without a slash at its end; empty at the root of a host. */
export const BASE: string = base();

/** The page links its manifest, which lies at the root of the site; workers lie in a folder below it. */
function base(): string {
  if (typeof document === 'undefined')
    return typeof location === 'undefined' ? '' : (/^(.*)\/assets\//.exec(location.pathname)?.[1] ?? '');
  const manifest = document.querySelector?.('link[rel=manifest]');
  return manifest ? new URL('.', (manifest as HTMLLinkElement).href).pathname.slice(0, -1) : '';
}

/** Whether the page has an address that opens only on this computer. */
export const opensOnlyHere = (): boolean => ['127.0.0.1', 'localhost', '[::1]'].includes(location.hostname);

/** The address on this host of a path of the site; others are returned as they are. */
export const withBase = (path: string): string =>
  path.startsWith('/') && !path.startsWith(`${BASE}/`) ? BASE + path : path;

/** The path of the site for an address on this host. */
export const withoutBase = (address: string): string =>
  BASE && `${address}/`.startsWith(`${BASE}/`) ? address.slice(BASE.length) || '/' : address;
