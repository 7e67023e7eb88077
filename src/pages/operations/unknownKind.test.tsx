import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import { isOfKind, placeOf, webhookReplayRequest } from '#src/operations/kinds.ts';
import { aboutOf, titleOf } from '#src/operations/kindWords.ts';
import type { OperationKind, OperationRecord } from '#src/operations/record.ts';
import { ResultByKind } from './ResultByKind.tsx';
import { Sent } from './Sent.tsx';
import { record } from './testRecords.ts';

const KIND = 'refund' as OperationKind;
const replay = webhookReplayRequest('key-1', 'whd_1', []);
const refund: OperationRecord = { ...record, ...replay, kind: KIND };

test.each<[string, () => unknown]>([
  ['read', () => isOfKind(refund)],
  ['placed', () => placeOf(refund)],
  ['told', () => aboutOf(refund)],
  ['titled', () => titleOf(refund, false)],
  ['shown as sent', () => renderToStaticMarkup(<Sent record={refund} />)],
  [
    'shown as accepted',
    () =>
      renderToStaticMarkup(
        <MemoryRouter>
          <ResultByKind record={refund} />
        </MemoryRouter>,
      ),
  ],
])('a kind that nobody wrote down is nowhere %s as a webhook replay', (_, use) => {
  expect(use).toThrow();
});
