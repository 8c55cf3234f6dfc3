import { request } from '$lib/net/transport';
import { place } from '$lib/net/place.svelte';
import { withoutBase } from '$lib/net/base';

/** Save a file on this device. */
export function download(name: string, content: Blob): void {
  const link = Object.assign(document.createElement('a'), {
    href: URL.createObjectURL(content),
    download: name,
  });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href));
}

/** Save the files of the local server to which links lead: it has no addresses. Return a function that stops this. */
export function downloadLocally(): () => void {
  const click = (event: MouseEvent): void => {
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.origin !== location.origin) return;
    const path = withoutBase(link.pathname) + link.search;
    if (!path.startsWith('/api/') || !place.has(path)) return;
    event.preventDefault();
    void save(path).catch(reportError);
  };
  document.addEventListener('click', click);
  return () => document.removeEventListener('click', click);
}

async function save(path: string): Promise<void> {
  const answer = await request('GET', path);
  if (!answer.ok) throw new Error(`${path}: HTTP ${answer.status}`);
  const name = /filename="([^"]+)"/.exec(answer.headers.get('content-disposition') ?? '')?.[1];
  download(name ?? path.split('/').at(-1)!, await answer.blob());
}
