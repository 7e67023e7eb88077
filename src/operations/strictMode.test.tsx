import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { StrictMode, act, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { setBrowserOperations } from './browser.ts';
import { newKey } from './key.ts';
import { withdrawalRequest } from './kinds.ts';
import { container } from './testDocument.ts';
import { SENT, createDevice } from './testWorld.ts';
import { useStartOperation } from './useStartOperation.ts';

// React renders a component that shows nothing, so a document that can do nothing is enough.
beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('HTMLIFrameElement', vi.fn());
});
afterEach(() => {
  setBrowserOperations(null);
  vi.unstubAllGlobals();
});

it('StrictMode mounts twice; one key, one record, one POST come of it', async () => {
  const device = createDevice();
  const tab = device.tab();
  setBrowserOperations(tab);
  const clicks: (() => void)[] = [];
  function Form() {
    const [key] = useState(() => newKey());
    const start = useStartOperation();
    clicks.push(() => start.mutate(withdrawalRequest(key, SENT, [])));
    return null;
  }
  const root = createRoot(container());
  await act(async () => {
    root.render(
      <StrictMode>
        <QueryClientProvider client={new QueryClient()}>
          <Form />
        </QueryClientProvider>
      </StrictMode>,
    );
  });
  expect(clicks.length).toBeGreaterThan(1);
  // Even the click handlers of a render that was thrown away are the same form's.
  await act(async () => {
    for (const click of clicks) click();
    await tab.settled();
  });
  await act(async () => tab.settled());
  expect(device.rows()).toHaveLength(1);
  expect(device.posts()).toHaveLength(1);
  await act(async () => root.unmount());
});
