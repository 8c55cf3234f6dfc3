import '$lib/app/theme.css';
import { mount } from 'svelte';
import CardSheet from './CardSheet.svelte';

const asked = new URLSearchParams(location.search);
document.documentElement.dataset.theme = asked.get('theme') ?? 'dark';
document.documentElement.dataset.deck = asked.get('deck') ?? 'four';
mount(CardSheet, { target: document.body });
