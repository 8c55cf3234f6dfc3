import { mount } from 'svelte';
import App from './App.svelte';
import { shareGuest } from '$lib/net/guest';
import { renew } from '$lib/net/pack';
import { loadMessages } from '$lib/app/locale';
import { getLocale, getTextDirection } from '$lib/paraglide/runtime';
import { enableOffline } from '$lib/app/offline';

/** The page comes first, then a newer pack. */
const RENEW_AFTER_MS = 10_000;

const locale = getLocale();
document.documentElement.lang = locale;
document.documentElement.dir = getTextDirection(locale);

// Nothing is shown before the messages are loaded.
await loadMessages(locale);
const target = document.getElementById('app');
if (target) mount(App, { target });
shareGuest();
enableOffline();
setTimeout(() => void renew().catch(() => undefined), RENEW_AFTER_MS);
