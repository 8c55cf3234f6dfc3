import { mount } from 'svelte';
import App from './App.svelte';
import { shareGuest } from '$lib/net/guest';
import { loadMessages } from '$lib/app/locale';
import { getLocale, getTextDirection } from '$lib/paraglide/runtime';
import { enableOffline } from '$lib/app/offline';

const locale = getLocale();
document.documentElement.lang = locale;
document.documentElement.dir = getTextDirection(locale);

// Nothing is shown before the messages are loaded.
await loadMessages(locale);
const target = document.getElementById('app');
if (target) mount(App, { target });
shareGuest();
enableOffline();
