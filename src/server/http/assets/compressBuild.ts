import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Plugin } from 'vite';
import { encodeForBuild, LEAST_BYTES } from './compress.ts';

const COMPRESSIBLE = /\.(css|js|svg)$/;

/** Writes a `.br` and a `.gzip` beside each built file of the page, for the gateway to serve. */
export function compressPlugin(): Plugin {
  return {
    name: 'countinghouse-compress',
    apply: 'build',
    applyToEnvironment: ({ name }) => name !== 'node',
    async writeBundle({ dir = '' }, bundle) {
      const written = Object.values(bundle).map(async (output) => {
        const text = Buffer.from(output.type === 'chunk' ? output.code : output.source);
        if (!COMPRESSIBLE.test(output.fileName) || text.length < LEAST_BYTES) return;
        const encoded = Object.entries(await encodeForBuild(text));
        await Promise.all(encoded.map(([name, bytes]) => writeFile(join(dir, `${output.fileName}.${name}`), bytes)));
      });
      await Promise.all(written);
    },
  };
}
