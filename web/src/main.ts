import './lib/theme.css';
import { mount } from 'svelte';
import { loadMessages } from '$lib/locale';
import { getLocale, getTextDirection } from '$lib/paraglide/runtime';
import { keepShell } from '$lib/shell';

const locale = getLocale();
document.documentElement.lang = locale;
document.documentElement.dir = getTextDirection(locale);

// The words and the page come at the same time; nothing is shown before both are there.
const [{ default: App }] = await Promise.all([import('./App.svelte'), loadMessages(locale)]);
const target = document.getElementById('app');
if (target) mount(App, { target });
keepShell();
