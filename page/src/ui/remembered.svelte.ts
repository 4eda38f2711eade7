/** A choice that the browser keeps: a value of JSON in its local storage. What is stored and does not fit is forgotten. */
export function remembered<T>(key: string, initial: T, fits: (value: unknown) => value is T): { value: T } {
  const name = `vidmar.${key}`;
  let value = $state<T>(read(name, initial, fits));
  return {
    get value() {
      return value;
    },
    set value(next: T) {
      value = next;
      localStorage.setItem(name, JSON.stringify(next));
    },
  };
}

function read<T>(name: string, initial: T, fits: (value: unknown) => value is T): T {
  try {
    const value: unknown = JSON.parse(localStorage.getItem(name) ?? 'null');
    return fits(value) ? value : initial;
  } catch {
    return initial;
  }
}

export function isBoolean(value: unknown): value is boolean {
  return typeof value === 'boolean';
}
