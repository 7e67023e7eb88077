import { readdir, readFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { getMimeType } from 'hono/utils/mime';
import type { Encoding } from './compress.ts';

/** A built file in memory. Only paths in the map are served, so no request reaches the file system. */
export interface Asset {
  bytes: Uint8Array<ArrayBuffer>;
  type: string;
  cache: string;
  /** The same file, as compressed by the build. */
  encoded: ReadonlyMap<Encoding, Uint8Array<ArrayBuffer>>;
}

/** Files that aren't served as assets: HTML, source maps and dot files. */
const NO_ASSET = /\.(?:html?|map)$|\/\./i;

/** Reads a build; keys are URL paths. */
export async function readAssets(directory: string): Promise<Map<string, Asset>> {
  const found = new Map<string, Asset>();
  const entries = await readdir(directory, { recursive: true, withFileTypes: true });
  const files = new Set(entries.map((entry) => join(entry.parentPath, entry.name)));
  for (const entry of entries) {
    const file = join(entry.parentPath, entry.name);
    const path = `/${relative(directory, file).split(sep).join('/')}`;
    const type = getMimeType(entry.name);
    if (!entry.isFile() || !type || NO_ASSET.test(path)) continue;
    const cache = path.startsWith('/assets/') ? 'public, max-age=31536000, immutable' : 'no-cache';
    const encoded = new Map<Encoding, Uint8Array<ArrayBuffer>>();
    for (const encoding of ['br', 'gzip'] as const) {
      if (files.has(`${file}.${encoding}`)) encoded.set(encoding, await bytesOf(`${file}.${encoding}`));
    }
    found.set(path, { bytes: await bytesOf(file), type, cache, encoded });
  }
  return found;
}

async function bytesOf(file: string): Promise<Uint8Array<ArrayBuffer>> {
  return Uint8Array.from(await readFile(file));
}
