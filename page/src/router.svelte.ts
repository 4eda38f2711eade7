/** Which screen the address names. Addresses are hashes: the server has one page, and a link can be kept and sent. */
import { ROUTES, type Route, type ScreenProps } from './routes';

export interface Place extends ScreenProps {
  route: Route;
}

/** The parameters if the path fits the pattern. */
export function match(pattern: string, path: string): Record<string, string> | undefined {
  const wanted = pattern.split('/');
  const given = path.split('/').filter((part) => part !== '');
  if (given.length > wanted.length) return undefined;
  const params: Record<string, string> = {};
  for (const [index, part] of wanted.entries()) {
    const value = given[index];
    if (!part.startsWith(':')) {
      if (value !== part) return undefined;
    } else if (value !== undefined) {
      params[part.slice(1).replace(/\?$/, '')] = decode(value);
    } else if (!part.endsWith('?')) {
      return undefined;
    }
  }
  return params;
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}

/** The place that a hash names; an unknown or empty one is the first route. */
export function locate(hash: string): Place {
  const [path = '', search = ''] = hash.replace(/^#?\/?/, '').split('?', 2);
  const query = new URLSearchParams(search);
  for (const route of ROUTES) {
    const params = match(route.path, path);
    if (params !== undefined) return { route, params, query };
  }
  const [first] = ROUTES;
  if (first === undefined) throw new Error('there are no routes');
  return { route: first, params: {}, query };
}

export const place = $state<{ now: Place }>({ now: locate(location.hash) });

window.addEventListener('hashchange', () => {
  place.now = locate(location.hash);
});

/** Goes to an address like `play/abc`; `replace` leaves no step in the history. */
export function go(path: string, replace = false): void {
  const hash = `#/${path}`;
  if (replace) {
    history.replaceState(null, '', hash);
    place.now = locate(hash);
  } else {
    location.hash = hash;
  }
}
