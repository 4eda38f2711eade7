/** What a plot is made of; colours are numbers of the page's list (`--plot-1` …). */
export type PlotColor = 1 | 2 | 3 | 4 | 5 | 6;

export interface PlotLine {
  label: string;
  values: readonly (number | null)[];
  color: PlotColor;
  dash?: boolean;
  width?: number;
  /** Not drawn until somebody asks for it; bands may end at it all the same. */
  hidden?: boolean;
}

/** The area between two lines, by place. */
export interface PlotBand {
  upper: number;
  lower: number;
  color: PlotColor;
  opacity?: number;
}

/** Colours in turn. */
export function colorOf(index: number): PlotColor {
  return ((index % 6) + 1) as PlotColor;
}
