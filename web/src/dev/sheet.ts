import '$lib/app/theme.css';
import { mount } from 'svelte';
import Sheet from './Sheet.svelte';

const asked = new URLSearchParams(location.search);
document.documentElement.dataset.theme = asked.get('theme') ?? 'dark';
document.documentElement.dataset.deck = asked.get('deck') ?? 'four';
mount(Sheet, { target: document.body });
