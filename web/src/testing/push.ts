/** A browser's messages for the components' tests: permission, worker and subscription. */
import { vi } from 'vitest';

import { answering, type Request } from './http';

/** The server's key, in base64url. */
export const KEY = 'BPk_-w';

class Subscription {
  readonly endpoint = 'https://push.example/1';
  readonly options: { applicationServerKey: ArrayBuffer };

  constructor(
    private readonly browser: PushBrowser,
    key: string,
  ) {
    const bytes = atob(key.replaceAll('-', '+').replaceAll('_', '/'));
    this.options = { applicationServerKey: Uint8Array.from(bytes, (byte) => byte.charCodeAt(0)).buffer };
  }

  toJSON = (): object => ({ keys: { p256dh: 'public', auth: 'secret' } });

  unsubscribe = (): Promise<boolean> => {
    this.browser.subscription = null;
    return Promise.resolve(true);
  };
}

/** A browser that can show messages, of a visitor who answers its question with `answer`. */
export class PushBrowser {
  permission: NotificationPermission = 'default';
  answer: NotificationPermission = 'granted';
  subscription: Subscription | null = null;
  /** The requests that the page has made. */
  readonly asked: Request[];

  constructor(replies: Parameters<typeof answering>[0] = {}) {
    this.asked = answering({
      'GET /api/notices': { key: KEY },
      'POST /api/notices/browsers': { endpoint: '' },
      'POST /api/notices/browsers/remove': { endpoint: '' },
      ...replies,
    });
    const manager = {
      getSubscription: () => Promise.resolve(this.subscription),
      subscribe: ({ applicationServerKey }: { applicationServerKey: string }) =>
        Promise.resolve((this.subscription = new Subscription(this, applicationServerKey))),
    };
    const worker = { pushManager: manager, getNotifications: () => Promise.resolve([]) };
    const browser = this;
    vi.stubGlobal('PushManager', class {});
    vi.stubGlobal('Notification', {
      get permission() {
        return browser.permission;
      },
      requestPermission: () => Promise.resolve((browser.permission = browser.answer)),
    });
    Object.defineProperty(navigator, 'serviceWorker', {
      value: { getRegistration: () => Promise.resolve(worker) },
      configurable: true,
    });
  }

  /** Make this a browser that has subscribed before, with this key of the server. */
  subscribed(key = KEY): this {
    this.permission = 'granted';
    this.subscription = new Subscription(this, key);
    return this;
  }

  /** What the server was sent at this path. */
  sent(path: string): unknown[] {
    return this.asked.filter((request) => request.path === path).map(({ body }) => body);
  }

  /** A browser without messages again. */
  end(): void {
    Reflect.deleteProperty(navigator, 'serviceWorker');
  }
}
