/** The files of the book, `docs/` of the repository, beside the page: below `help/`, as they are. */
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import type { Plugin } from 'vite';

const DOCS = resolve(import.meta.dirname, '../../docs');
const BELOW = 'help';

/** Every file below a folder. */
export function filesBelow(folder: string): string[] {
  const entries = readdirSync(folder, { withFileTypes: true, recursive: true }).filter((entry) => entry.isFile());
  return entries.map((entry) => relative(folder, join(entry.parentPath, entry.name)).replaceAll('\\', '/')).sort();
}

export function book(): Plugin {
  return {
    name: 'book',
    generateBundle() {
      for (const name of filesBelow(DOCS)) this.emitFile({ type: 'asset', fileName: `${BELOW}/${name}`, source: readFileSync(join(DOCS, name)) });
    },
    configureServer(server) {
      server.middlewares.use(`/${BELOW}/`, (request, response, next) => {
        const name = (request.url ?? '').replace(/^\/|[?#].*$/g, '');
        if (filesBelow(DOCS).includes(name)) response.end(readFileSync(join(DOCS, name)));
        else next();
      });
    },
  };
}
