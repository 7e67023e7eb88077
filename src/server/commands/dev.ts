import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { isRunnableDevEnvironment, type Plugin, type ViteDevServer } from 'vite';
import type { Kept } from './development.ts';
import { isServerPath } from '#src/server/http/guards.ts';

// Vite's server creates the plug-in again when it restarts, in the same process, but the sandbox's directory can be opened
// only once.
const house: typeof globalThis & { countinghouse?: Kept } = globalThis;

/** Puts the gateway in front of Vite's development server, so that `npm run dev` is `npm start` with hot reload. */
export function gatewayPlugin(): Plugin {
  return {
    name: 'countinghouse-gateway',
    config: () => ({
      appType: 'custom',
      // The gateway reads it to preload the page's chunk.
      environments: { client: { build: { manifest: true } } },
      server: { host: '127.0.0.1', port: Number.parseInt(process.env.PORT ?? '4173', 10), strictPort: true },
    }),
    async configureServer(server) {
      // Vitest starts a Vite server, which must not open the developer's sandbox.
      if (process.env.VITEST) return undefined;
      const gateway = await startGateway(server);
      server.middlewares.use((req, res, next) =>
        isServerPath(req.url?.split('?', 1)[0] ?? '') ? gateway(req, res) : next(),
      );
      // After Vite's own middlewares: everything they don't serve is the app.
      return () => {
        server.middlewares.use((req, res) => {
          req.url = req.originalUrl ?? req.url ?? '/';
          gateway(req, res);
        });
      };
    },
  };
}

async function startGateway(server: ViteDevServer) {
  const { ssr } = server.environments;
  if (!ssr || !isRunnableDevEnvironment(ssr)) throw new Error('Vite has no environment that runs the gateway.');
  const module = await ssr.runner.import<typeof import('./development.ts')>('/src/server/commands/development.ts');
  const kept = (house.countinghouse ??= {});
  server.httpServer?.once('close', () => {
    const { opened } = kept;
    delete kept.opened;
    void opened?.then((service) => service.stop());
  });
  const template = async (path: string) =>
    server.transformIndexHtml(path, await readFile(join(server.config.root, 'index.html'), 'utf8'));
  return module.developmentGateway(template, kept);
}
