/** Colours of the page for what is drawn on a canvas, which knows no variables. */

/** The colour that a variable such as `--plot-1` has now. */
export function usedColor(variable: string): string {
  // A variable may hold light-dark(); only a colour in use says which it is.
  const probe = document.createElement('span');
  probe.style.color = `var(${variable})`;
  document.body.append(probe);
  const found = getComputedStyle(probe).color;
  probe.remove();
  return found;
}
