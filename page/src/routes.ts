/**
 * The screens, one row each. A screen is loaded when it is first shown, so that the first load stays small.
 *
 * A path is the part of the address after `#/`; `:name` is a parameter, `:name?` one that may be missing. A screen is a
 * component with the properties of `ScreenProps`.
 */
import type { Component } from 'svelte';

export interface ScreenProps {
  /** The parameters of the path, decoded. */
  params: Record<string, string>;
  /** What follows a question mark: `#/compare?run=a&run=b`. */
  query: URLSearchParams;
}

export interface Route {
  path: string;
  /** The window's title, and the name of the screen for a screen reader. */
  title: string;
  /** Its name in the menu; a screen without one is reached from another screen. */
  menu?: string;
  load: () => Promise<{ default: Component<ScreenProps> }>;
}

export const ROUTES: readonly Route[] = [
  { path: 'play/:game?', title: 'Play', menu: 'Play', load: () => import('./play/PlayScreen.svelte') },
  { path: 'analyse/:game?', title: 'Analyse', menu: 'Analyse', load: () => import('./analyse/AnalyseScreen.svelte') },
  { path: 'runs', title: 'Runs', menu: 'Runs', load: () => import('./runs/RunsScreen.svelte') },
  { path: 'runs/:id', title: 'Run', load: () => import('./runs/RunScreen.svelte') },
  { path: 'help/:page?/:part?', title: 'Help', menu: 'Help', load: () => import('./help/HelpScreen.svelte') },
  { path: 'compare', title: 'Compare runs', load: () => import('./runs/CompareScreen.svelte') },
];
