// Prints how much code there is, for information: npm run size
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';

const SRC = join(import.meta.dirname, '..');
const ENTRIES = [
  'web/main.tsx',
  'web/boot/boot.ts',
  'web/boot/firstRows.tsx',
  'server/commands/start.ts',
  'server/commands/development.ts',
  'server/commands/dev.ts',
  'server/http/assets/compressBuild.ts',
  'sandbox/serve.ts',
];

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*'((?:\.|#src\/)[^']+\.(?:tsx?|css))'/g;

function importsOf(file, text) {
  return [...text.matchAll(IMPORT)].map(([, path]) =>
    path.startsWith('#src/') ? join(SRC, path.slice('#src/'.length)) : join(dirname(file), path),
  );
}

/** Every file that a program reaches from where it starts, with its text and who imports it. */
function reach(entries) {
  const found = new Map(entries.map((entry) => [join(SRC, entry), new Set()]));
  const texts = new Map();
  for (const [file, importers] of found) {
    if (!existsSync(file)) throw new Error(`${relative(SRC, file)} is missing; ${[...importers].join(', ')} needs it.`);
    const text = readFileSync(file, 'utf8');
    texts.set(file, text);
    for (const imported of importsOf(file, text)) {
      if (!found.has(imported)) found.set(imported, new Set());
      found.get(imported).add(file);
    }
  }
  return [...found].map(([file, importers]) => ({ file, importers, lines: texts.get(file).split('\n').length - 1 }));
}

const all = reach(ENTRIES);
const code = all.filter(({ file }) => !file.endsWith('.css'));
const sheets = all.filter(({ file }) => file.endsWith('.css'));
const folders = readdirSync(SRC, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isDirectory())
  .map((entry) => join(entry.parentPath, entry.name))
  .map((folder) => ({
    folder,
    files: readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile()).length,
  }));
const [largest] = folders.toSorted((a, b) => b.files - a.files);
const linesOf = (files) => files.reduce((sum, { lines }) => sum + lines, 0);

const figures = {
  'TypeScript lines': linesOf(code),
  'CSS lines': linesOf(sheets),
  files: code.length,
  'files with one importer': code.filter(({ importers }) => importers.size === 1).length,
  'files of at most 20 lines': code.filter(({ lines }) => lines <= 20).length,
  'files in the largest folder': largest.files,
};
for (const [name, figure] of Object.entries(figures)) {
  const where = name === 'files in the largest folder' ? `  ${relative(SRC, largest.folder)}` : '';
  console.log(`${name.padEnd(30)}${String(figure).padStart(6)}${where}`);
}
