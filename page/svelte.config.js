/** Runes everywhere: state is what says `$state`, nothing is reactive by accident. */
export default { compilerOptions: { runes: true } };
