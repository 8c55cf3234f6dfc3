/** The address of the page. Addresses are real paths, so that every page can be linked, reloaded and shared. */

import { BASE, withBase, withoutBase } from '$lib/net/base';

class Router {
  path = $state('/');
  query = $state('');

  constructor() {
    if (typeof location !== 'undefined') this.#read();
  }

  /** Go to another page of this site. */
  go(path: string, { replace = false } = {}): void {
    const address = withBase(path);
    if (address === location.pathname + location.search + location.hash) return;
    if (replace) history.replaceState(null, '', address);
    else history.pushState(null, '', address);
    this.#read();
    if (!replace && !path.includes('#')) scrollTo(0, 0);
  }

  /** Handle the browser's back and forward and links within the site. Return a function that stops this. */
  listen(): () => void {
    const back = () => this.#read();
    const click = (event: MouseEvent) => this.#follow(event);
    addEventListener('popstate', back);
    document.addEventListener('click', click);
    return () => {
      removeEventListener('popstate', back);
      document.removeEventListener('click', click);
    };
  }

  #read(): void {
    this.path = withoutBase(location.pathname);
    this.query = location.search;
  }

  #follow(event: MouseEvent): void {
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (event.defaultPrevented || !plain || !(event.target instanceof Element)) return;
    const anchor = event.target.closest('a');
    if (!anchor || anchor.target || anchor.hasAttribute('download') || anchor.origin !== location.origin)
      return;
    const here = anchor.hash !== '' && anchor.pathname === location.pathname;
    if (here || !anchor.pathname.startsWith(`${BASE}/`)) return;
    if (/^\/(api|assets)\//.test(withoutBase(anchor.pathname))) return;
    event.preventDefault();
    this.go(anchor.pathname + anchor.search + anchor.hash);
  }
}

/** The router of this page. */
export const router = new Router();

/** Go to another page of this site. */
export const go = (path: string, options: { replace?: boolean } = {}): void => router.go(path, options);
