import { expect, test } from 'vitest';
import { NO_RECIPIENT_RULES } from '#src/shared/policy/policy.ts';
import { describePeople } from './describePeople.ts';

type Described = Parameters<typeof describePeople>[0];

const person = (name: string, more: object) => ({ id: name, name, state: 'active', waiting: [], ...more });
const passkey = (id: string, more: object = {}) => ({ id, created_at: '1790000000000', counts_from: '1', ...more });
const recipient = (name: string, more: object) => ({ id: `${name} id`, name, decided_by: null, reason: null, ...more });

const NOTHING = {
  list: async () => [],
  ownPasskeys: async () => [],
  readPolicy: async () => ({ in_force: null, is_broken: false }),
  readRecipients: async () => [],
};

const described = (people: object) =>
  describePeople({
    people: { ...NOTHING, ...people },
    accounts: [{ account: 'a', name: 'eu' }],
  } as unknown as Described);

test('who may do what is listed with passkeys, the rules in force, and the state of recipients', async () => {
  const assets = [{ asset: 'USDT', steps: [{ approvals: 0, each: '1000', day: '5000', count: 20 }], above: 1 }];
  const policy = { assets, other_assets: 2, recipients: NO_RECIPIENT_RULES, expires_hours: 72 };
  const text = await described({
    list: async () => [
      person('Ada', { permissions: ['view', 'prepare', 'admin'] }),
      person('Bo\u202e', { permissions: ['view'], waiting: [{ permission: 'approve' }] }),
      person('Cy', { permissions: [], state: 'blocked' }),
    ],
    ownPasskeys: async (id: string) =>
      id === 'Ada' ? [passkey('firstpasskey'), passkey('secondpasskey', { counts_from: '9007199254740991' })] : [],
    readPolicy: async () => ({ in_force: { number: 3, policy }, is_broken: false }),
    readRecipients: async () => [
      recipient('Acme', { state: 'confirmed', decided_by: { person: 'Cy', name: 'Cy' } }),
      recipient('Mallory', { state: 'blocked', decided_by: { person: 'Ada', name: 'Ada' }, reason: 'Fraud' }),
    ],
  });
  const lines = text.split('\n');
  expect(lines.slice(0, 3)).toEqual([
    'These count now. Check what the older copy brought back, and block what should not be here:',
    'Account eu',
    'People and their passkeys:',
  ]);
  expect(lines.slice(3)).toEqual([
    '  Ada: operator, admin (active)',
    '    passkey firstpas… since 2026-09-21T14:13:20Z',
    '    passkey secondpa… since 2026-09-21T14:13:20Z, waits for its code',
    expect.stringMatching(/^ {2}Bo.+: viewer, not yet approver \(active\)$/),
    '    no passkey',
    '  Cy: no role (blocked)',
    '    no passkey',
    'Approval rules (version 3):',
    '  Up to 1,000 USDT a payment, 5,000 USDT and 20 payments in 24 hours: no approval. Above: 1 approval.',
    '  Every payment of another asset needs 2 approvals.',
    expect.stringContaining('72 hours'),
    'Recipients:',
    '  Acme (Acme id): confirmed by Cy',
    '  Mallory (Mallory id): blocked by Ada: “Fraud”',
  ]);
  expect(text).not.toContain('\u202e');
});

test('rules that the server didn’t write are said to be broken, and empty lists to be empty', async () => {
  const text = await described({ readPolicy: async () => ({ in_force: null, is_broken: true }) });
  expect(text).toContain('Approval rules: not as this server wrote them, so nothing is sent.');
  expect(text).toContain('Recipients:\n  None.');
});
