import { renderToStaticMarkup } from 'react-dom/server';
import { MemoryRouter } from 'react-router';
import { expect, test } from 'vitest';
import type { OperationKind } from '#src/shared/operations/kind.ts';
import { faultIn } from '#src/shared/operations/faultIn.ts';
import { titleOf } from '#src/shared/operations/kinds.ts';
import type { Operation } from '#src/shared/operations/record.ts';
import { testOperation } from '#src/shared/operations/testRecords.ts';
import { webhookReplayRequest } from '#src/shared/operations/webhookReplay.ts';
import { OperationResult, SentRequest } from './Result.tsx';

const KIND = 'refund' as OperationKind;
const replay = webhookReplayRequest('whd_1');
const refund: Operation = { ...testOperation, ...replay, kind: KIND };

test.each<[string, () => unknown]>([
  ['sent', () => faultIn(refund)],
  ['titled', () => titleOf(refund, false)],
  ['shown as sent', () => renderToStaticMarkup(<SentRequest record={refund} />)],
  [
    'shown as accepted',
    () =>
      renderToStaticMarkup(
        <MemoryRouter>
          <OperationResult record={refund} />
        </MemoryRouter>,
      ),
  ],
])('a kind that nobody wrote down is nowhere %s as a webhook replay', (_, use) => {
  expect(use).toThrow();
});
