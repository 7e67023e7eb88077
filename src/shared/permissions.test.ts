import { describe, expect, test } from 'vitest';
import { COLLECTIONS } from './contract/teamContract.ts';
import {
  abilityToEndBatch,
  ABILITIES,
  type Ability,
  COLLECTION_WRITES,
  isAllowed,
  PERMISSIONS,
  refusalOf,
  type Rights,
  rolesOf,
} from './permissions.ts';

const ALL = Object.keys(ABILITIES) as Ability[];
const rights = (more: Partial<Rights>): Rights => ({ permissions: [], readOnly: false, keyRefused: false, ...more });
const allowed = (more: Partial<Rights>) => ALL.filter((ability) => isAllowed(ability, rights(more)));

test('each permission allows exactly this', () => {
  const table = PERMISSIONS.map((permission) => [permission, allowed({ permissions: [permission] })]);
  expect(Object.fromEntries(table)).toEqual({
    view: [
      'read',
      'read-operations',
      'annotate',
      'export',
      'read-policy',
      'read-people',
      'confirm-roles',
      'read-activity',
      'own-sessions',
      'read-own-passkeys',
      'own-passkeys',
      'read-own-email',
      'own-email',
    ],
    prepare: ALL.filter(
      (ability) =>
        !/^(?:approve|decide|end-others-batch|confirm-recipients|(?:change|veto)-policy|veto-roles|manage-people|read-all-activity|.*-notices)$/.test(
          ability,
        ),
    ),
    approve: [
      'read',
      'read-operations',
      'annotate',
      'mark-handled',
      'change-settings',
      'check',
      'sign',
      'approve',
      'decide',
      'stop-batch',
      'end-others-batch',
      'close',
      'confirm-not-sent',
      'confirm-recipients',
      'block-recipients',
      'set-pay-by',
      'export',
      'read-policy',
      'veto-policy',
      'read-people',
      'confirm-roles',
      'veto-roles',
      'read-activity',
      'read-all-activity',
      'read-notices',
      'send-notices',
      'own-sessions',
      'read-own-passkeys',
      'own-passkeys',
      'read-own-email',
      'own-email',
    ],
    admin: [
      'read',
      'read-operations',
      'block-recipients',
      'export',
      'read-policy',
      'change-policy',
      'veto-policy',
      'read-people',
      'manage-people',
      'confirm-roles',
      'veto-roles',
      'read-activity',
      'read-all-activity',
      'read-notices',
      'send-notices',
      'own-sessions',
      'read-own-passkeys',
      'own-passkeys',
      'read-own-email',
      'own-email',
    ],
  });
});

test('only a person without another role is called a viewer', () => {
  expect(rolesOf(['view'])).toEqual(['viewer']);
  expect(rolesOf([])).toEqual([]);
  expect(rolesOf(['admin', 'view', 'prepare', 'of a later version'])).toEqual(['operator', 'admin']);
});

test('after a restore a refusal says why people can only look', () => {
  const refusal = refusalOf('send', rights({ permissions: ['view'], setBack: true }));
  expect(refusal).toMatchObject({ code: 'set_back', message: expect.stringContaining('only look') });
  expect(isAllowed('read', rights({ permissions: ['view'], setBack: true }))).toBe(true);
});

test('a person without permissions can do nothing', () => {
  expect(allowed({ permissions: [] })).toEqual([]);
});

test('a read-only server allows reads, checks, exports and one’s own account', () => {
  const activity = ['read-activity', 'read-all-activity', 'read-notices'];
  const onReadOnly = [
    'read',
    'read-operations',
    'check',
    'export',
    'read-policy',
    'read-people',
    ...activity,
    'own-sessions',
    'read-own-passkeys',
    'read-own-email',
  ];
  expect(allowed({ permissions: PERMISSIONS, readOnly: true })).toEqual(onReadOnly);
});

test('with a refused key, operations can only be read and ended', () => {
  expect(allowed({ permissions: PERMISSIONS, keyRefused: true })).toEqual([
    'read-operations',
    'discard',
    'stop-batch',
    'end-others-batch',
    'close',
  ]);
  expect(allowed({ permissions: PERMISSIONS, keyRefused: true, readOnly: true })).toEqual(['read-operations']);
});

test('ending a batch of somebody else takes more than ending one’s own', () => {
  expect(abilityToEndBatch({ person: 'ada' }, 'ada')).toBe('stop-batch');
  expect(abilityToEndBatch({ person: 'ada' }, 'bo')).toBe('end-others-batch');
  expect(abilityToEndBatch({ person: 'ada' }, null)).toBe('end-others-batch');
  expect(abilityToEndBatch({ person: null }, null)).toBe('stop-batch');
});

test('with SIGN_IN=key, everybody who has the key can read and send notices', () => {
  const ofKey = { permissions: ['view', 'prepare'] as const, hasKey: true };
  expect(allowed(ofKey)).toEqual(expect.arrayContaining(['read-notices', 'send-notices']));
  expect(allowed(ofKey)).not.toContain('manage-people');
  expect(allowed({ ...ofKey, readOnly: true })).not.toContain('send-notices');
});

describe('a refusal', () => {
  test('names who can do it', () => {
    const viewer = rights({ permissions: ['view'] });
    expect(refusalOf('send', viewer)).toEqual({ code: 'not_permitted', message: 'Only an operator can send.' });
    expect(refusalOf('close', viewer)?.message).toBe('Only an operator or an approver can close operations.');
    expect(refusalOf('annotate', rights({ permissions: ['admin'] }))?.message).toBe(
      'Only a viewer, an operator or an approver can write notes.',
    );
  });

  test('names the server or the key before the person', () => {
    expect(refusalOf('send', rights({ readOnly: true }))?.code).toBe('read_only');
    expect(refusalOf('send', rights({ readOnly: true, keyRefused: true }))?.code).toBe('key_refused');
  });
});

test('every collection of the team has an ability for its writes', () => {
  expect(Object.keys(COLLECTION_WRITES).toSorted()).toEqual(Object.keys(COLLECTIONS).toSorted());
});
