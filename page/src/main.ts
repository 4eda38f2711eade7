/** The page's only entry: the theme first, so that nothing flashes, then the shell. */
import { mount } from 'svelte';

import App from './App.svelte';
import './styles/base.css';
import { applyTheme } from './theme.svelte';

// The address that the server printed has a token in it: the cookie is set, and nobody should copy it from here.
if (new URLSearchParams(location.search).has('token')) history.replaceState(null, '', location.pathname + location.hash);

applyTheme();
const target = document.getElementById('app');
if (target === null) throw new Error('index.html has no element with the id app');
mount(App, { target });
