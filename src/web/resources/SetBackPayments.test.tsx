import type { ReactNode } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { ClosedNotice, WhatCloses } from './SetBackPayments.tsx';

const textOf = (node: ReactNode): string =>
  renderToStaticMarkup(<MemoryRouter>{node}</MemoryRouter>)
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/\s+/g, ' ');

test('before payments are closed together, their count and totals are shown, and which stay open', () => {
  const totals = [
    { asset: 'ETH', chain: 'ethereum', amount: '4.5' },
    { asset: 'USDT', chain: 'tron', amount: '1250' },
  ];
  const text = textOf(<WhatCloses unsent={{ payments: 12, totals, own: 2 }} />);
  expect(text).toMatch(/^12 payments, in total: ?4\.5 ETH on Ethereum ?1,250 USDT on Tron/);
  expect(text).toContain('A payment that looks like one in the list stays open.');
  expect(text).toContain('2 payments that you prepared needed approval, so somebody else has to close them.');
  expect(textOf(<WhatCloses unsent={{ payments: 1, totals, own: 0 }} />)).not.toContain('you prepared');
});

test('afterwards, those that stay open are named with the reason', () => {
  const sent = { asset: 'ETH', chain: 'ethereum', amount: '1.5', address: '0x1' };
  const left = [
    { key: 'key-1', why: 'look-alike' as const, ...sent },
    { key: 'key-2', why: 'changed' as const, ...sent },
  ];
  const text = textOf(<ClosedNotice closed={{ closed: 10, left, own: 1 }} nameOf={() => 'to Acme Hosting'} />);
  expect(text).toContain('Closed 10 payments. 2 stay open:');
  expect(text).toContain('1.5 ETH to Acme Hosting: the provider lists a withdrawal that looks like it.');
  expect(text).toContain('1.5 ETH to Acme Hosting: it changed after the list was loaded.');
  expect(text).toContain('1 payment that you prepared needed approval, so somebody else has to close it.');
  const all = textOf(<ClosedNotice closed={{ closed: 3, left: [], own: 0 }} nameOf={() => ''} />);
  expect(all.trim()).toBe('Closed 3 payments.');
});
