import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { DatabaseRefused } from '#src/database/sql.ts';
import { printStartup } from './printStartup.ts';
import { readAssets } from './assets/assets.ts';
import { createGateway } from './gateway.ts';
import { close, hold } from './listen.ts';
import { openService, type OpenService } from './openService.ts';
import { keptSecret, sealingKey } from './secret.ts';
import { bootScript, inOrder, partsOf, preloadLinks, type Manifest } from './assets/preload.ts';
import { readSettings, SettingsError, type Settings } from './settings.ts';

const APP = fileURLToPath(new URL('../app/', import.meta.url));

async function buildGateway(settings: Settings, { service, operations, team }: OpenService) {
  const [assets, html, manifest, boot] = await Promise.all([
    readAssets(APP),
    readFile(`${APP}index.html`, 'utf8'),
    readManifest('manifest'),
    readManifest('boot'),
  ]);
  return createGateway({
    port: settings.port,
    origin: settings.origin,
    service,
    operations,
    team,
    readOnly: settings.readOnly,
    sealingKey: await sealingKey(settings.secret ?? (await keptSecret(settings.dataDirectory))),
    template: (path, signedIn) =>
      inOrder(
        html.replace('</head>', () => `${preloadLinks(manifest, partsOf(path, signedIn))}</head>`),
        bootScript(boot, signedIn),
      ),
    assets,
  });
}

async function readManifest(name: string): Promise<Manifest> {
  const manifest: Manifest = JSON.parse(await readFile(`${APP}.vite/${name}.json`, 'utf8'));
  return manifest;
}

const END_SET_BACK = '--end-set-back';

/** `npm start -- --end-set-back "why"`: an operator knows what was sent while the journal was set back. */
async function endSetBack(settings: Settings, words: string): Promise<void> {
  const opened = await openService(settings);
  const refusal = await opened.operations.endSetBack(words);
  await opened.stop();
  console.log(refusal ?? 'Noted: withdrawals no longer ask because of it.');
  process.exit(refusal === null ? 0 : 1);
}

async function start(): Promise<void> {
  // The last resort: a failure that nobody awaits must not end the requests of everybody else.
  process.on('unhandledRejection', (error) => console.error(error));
  const settings = readSettings(process.env);
  const at = process.argv.indexOf(END_SET_BACK);
  if (at > 0) return endSetBack(settings, process.argv[at + 1] ?? '');
  // Ports first: whoever started this twice learns it before a second process touches the sandbox's data.
  const front = await hold('PORT', settings.port);
  const back =
    settings.sandboxPort !== null && !settings.service ? await hold('SANDBOX_PORT', settings.sandboxPort) : null;

  const opened = await openService(settings);
  front.serve(await buildGateway(settings, opened));
  if (opened.raw) back?.serve(opened.raw);
  printStartup(settings, opened);

  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    await Promise.all([close(front.server), opened.operations.attempts.stop()]);
    if (back) await close(back.server);
    await opened.stop();
    process.exit(0);
  };
  process.on('SIGINT', () => void stop());
  process.on('SIGTERM', () => void stop());
}

start().catch((error: unknown) => {
  const isForPeople = error instanceof SettingsError || error instanceof DatabaseRefused;
  console.error(isForPeople ? error.message : error);
  process.exit(1);
});
