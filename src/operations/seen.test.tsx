import { act } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { readEmbeddedSession } from '#src/api/session.ts';
import { setBrowserOperations } from './browser.ts';
import { type Device, recorded, started } from './testActs.ts';
import { container } from './testDocument.ts';
import { SESSION, T0, createDevice, lost, quiet } from './testWorld.ts';
import { useOperation } from './useOperations.ts';

let device: Device;
const page = { visibilityState: 'visible', getElementById: () => ({ textContent: JSON.stringify(SESSION) }) };

beforeEach(() => {
  device = createDevice();
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('HTMLIFrameElement', vi.fn<() => void>());
  vi.stubGlobal('document', page);
  page.visibilityState = 'visible';
  readEmbeddedSession();
});
afterEach(() => {
  setBrowserOperations(null);
  vi.unstubAllGlobals();
});

function Page({ id }: { id: string }) {
  useOperation(id);
  return null;
}

/** Shows the operation's page for a moment. */
async function show(tab: ReturnType<Device['tab']>, id: string): Promise<void> {
  setBrowserOperations(tab);
  await tab.refresh();
  const root = createRoot(container());
  await act(async () => root.render(<Page id={id} />));
  await act(async () => quiet());
  await act(async () => root.unmount());
}

it('a finished operation is seen once it is shown', async () => {
  const { tab, id } = await started(device);
  expect(recorded(device).seenAt).toBeUndefined();
  await show(tab, id);
  expect(recorded(device).seenAt).toBe(T0);
});

it('also after a reload, when the service’s clock has to be asked first', async () => {
  const { id } = await started(device);
  device.sleep(60_000);
  await show(device.tab(), id);
  expect(recorded(device).seenAt).toBe(T0 + 60);
});

it('not behind another tab', async () => {
  const { tab, id } = await started(device);
  page.visibilityState = 'hidden';
  await show(tab, id);
  expect(recorded(device).seenAt).toBeUndefined();
});

it('not while it is unresolved', async () => {
  device.post = () => lost('timeout');
  const { tab, id } = await started(device);
  await show(tab, id);
  expect(recorded(device)).toMatchObject({ state: 'unconfirmed' });
  expect(recorded(device).seenAt).toBeUndefined();
});
