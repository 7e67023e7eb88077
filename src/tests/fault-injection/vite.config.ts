import { defineConfig } from 'vite';

// The simulator for Node, apart from the app's own build: `npm run simulate`.
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
