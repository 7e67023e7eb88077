import react from '@vitejs/plugin-react';
import tailwindcss from '@tailwindcss/vite';
import { defineConfig } from 'vitest/config';

export default defineConfig({
  plugins: [react(), tailwindcss()],
  builder: {},
  build: { modulePreload: { polyfill: false }, assetsInlineLimit: 0 },
  environments: {
    client: { build: { outDir: 'dist/app', emptyOutDir: true } },
    node: {
      consumer: 'server',
      build: {
        outDir: 'dist/node',
        emptyOutDir: true,
        copyPublicDir: false,
        target: 'node20',
        minify: false,
        rolldownOptions: {
          input: { start: 'src/gateway/start.ts', sandbox: 'src/sandbox/serve.ts' },
          output: { entryFileNames: '[name].js' },
        },
      },
    },
  },
  test: {
    projects: [
      {
        extends: true,
        test: { name: 'unit', include: ['src/**/*.test.{ts,tsx}'], exclude: ['src/tests/**'] },
      },
    ],
  },
});
