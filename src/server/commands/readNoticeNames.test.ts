import { expect, test } from 'vitest';
import { ACCOUNT, operationRecord, SENT, SERVICE } from '#src/server/operations/testAnswers.ts';
import { recipientId } from '#src/shared/contract/teamContract.ts';
import { type NameParts, readNoticeNames } from './readNoticeNames.ts';

const record = operationRecord({ key: 'key-1' });
const recipient = { name: 'Acme Hosting', chain: SENT.chain, address: SENT.address, note: '' };

function namesWith(more: Partial<NameParts> = {}) {
  const read: NameParts['team']['read'] = async (owner, _, id) =>
    owner.account === ACCOUNT && id === recipientId(recipient)
      ? {
          id,
          value: JSON.stringify(recipient),
          revision: 1,
          who: null,
          person: null,
          createdAt: 1,
          updatedAt: 1,
          deleted: false,
        }
      : null;
  return readNoticeNames({
    service: SERVICE,
    queries: { query: async () => [], script: async () => undefined },
    rows: {
      byKey: async (key) => (key === 'key-1' ? { record, duplicateKey: '', seq: 1n } : null),
      keyOfResult: async (_, id) => (id === 'wd_1' ? 'key-1' : null),
    },
    team: { read },
    ...more,
  });
}

const of = { account: ACCOUNT, event: 'operation.unconfirmed' as const, subject: 'key-1' };

test('a notice about a withdrawal to a saved recipient includes their name', async () => {
  expect(await namesWith()(of)).toEqual({ recipient: 'Acme Hosting' });
});

test('no name is found for an unsaved recipient, an unknown operation, or one of another account', async () => {
  expect(await namesWith({ team: { read: async () => null } })(of)).toEqual({ recipient: undefined });
  expect(await namesWith()({ ...of, subject: 'key-2' })).toEqual({ recipient: undefined });
  expect(await namesWith()({ ...of, account: 'another' })).toEqual({ recipient: undefined });
});

test('a notice about a recipient includes the name that the team gave them', async () => {
  const changed = { ...of, event: 'recipient.changed' as const };
  expect(await namesWith()({ ...changed, subject: recipientId(recipient) })).toEqual({ recipient: 'Acme Hosting' });
  expect(await namesWith()({ ...changed, subject: 'another' })).toEqual({ recipient: undefined });
});

test('a notice about a payment takes the name from the operation that sent it', async () => {
  const failed = { ...of, event: 'payment.failed' as const };
  expect(await namesWith()({ ...failed, subject: 'withdrawal wd_1' })).toEqual({ recipient: 'Acme Hosting' });
  expect(await namesWith()({ ...failed, subject: 'withdrawal wd_2' })).toEqual({ recipient: undefined });
  expect(await namesWith()({ ...failed, subject: 'deposit dep_1' })).toEqual({});
});
