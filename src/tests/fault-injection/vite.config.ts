import { defineConfig } from 'vite';

// Builds the simulation for Node: `npm run simulate`.
export default defineConfig({
  build: {
    ssr: 'src/tests/fault-injection/main.ts',
    outDir: 'dist/simulate',
    emptyOutDir: true,
    copyPublicDir: false,
    target: 'node20',
    minify: false,
  },
});
