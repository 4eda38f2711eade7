import svelte from 'eslint-plugin-svelte';
import ts from 'typescript-eslint';

export default ts.config(
  { ignores: ['dist', 'node_modules', 'src/generated'] },
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser } },
  },
  {
    rules: {
      // Links are hashes that `router.svelte.ts` reads; there is no SvelteKit here.
      'svelte/no-navigation-without-resolve': 'off',
      // Maps here are caches; what is reactive says `$state`.
      'svelte/prefer-svelte-reactivity': 'off',
      'no-restricted-globals': ['error', 'event'],
      eqeqeq: 'error',
    },
  },
);
