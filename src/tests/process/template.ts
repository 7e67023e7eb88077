import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const at = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));
const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(readFileSync(at('package.json'), 'utf8'));

/** SANDBOX_TEMPLATE of the tests: the empty database from which every sandbox of a run begins, of this version of PGlite. */
export const SANDBOX_TEMPLATE = at(
  `node_modules/.cache/countinghouse/empty-${dependencies['@electric-sql/pglite']}.tar`,
);
