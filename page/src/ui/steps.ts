/** Steps of an x axis: plies, generations and games are whole numbers. */
export const WHOLE: number[] = Array.from({ length: 9 }, (_, power) => 10 ** power).flatMap((unit) => [unit, 2 * unit, 5 * unit]);
