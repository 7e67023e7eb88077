import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import {
  ABILITIES,
  type Ability,
  isAllowed,
  KEY_SESSION_PERMISSIONS,
  PERMISSIONS,
  ROLES,
} from '#src/shared/permissions.ts';

/** The README's rows, and the abilities that each describes. */
const ROWS: readonly (readonly [string, readonly Ability[]])[] = [
  [
    'see balances, payments, operations, the people and the approval rules; find, export; see what they did; change their own sign-in and e-mail address',
    [
      'read',
      'export',
      'read-operations',
      'read-people',
      'read-policy',
      'read-activity',
      'own-sessions',
      'own-passkeys',
      'read-own-passkeys',
      'read-own-email',
      'own-email',
    ],
  ],
  ['write notes and labels, save views, take cases', ['annotate']],
  [
    'check operations, close them, confirm that one was not sent; stop a batch; mark payments as handled; set pay-by dates; change settings',
    ['check', 'close', 'confirm-not-sent', 'stop-batch', 'mark-handled', 'set-pay-by', 'change-settings', 'sign'],
  ],
  [
    'send and send again; create addresses and charges, replay webhooks; discard what waits; change recipients and standing payments; close a month',
    ['prepare', 'send', 'discard', 'save-recipients', 'save-standing-payments', 'close-month'],
  ],
  [
    'approve and reject payments of others; end a batch that somebody else prepared; confirm recipients',
    ['approve', 'decide', 'end-others-batch', 'confirm-recipients'],
  ],
  ['block recipients', ['block-recipients']],
  [
    'see what everybody did; see notices, send them again and test them; stop a change of the approval rules; refuse new approvers and admins',
    ['read-all-activity', 'read-notices', 'send-notices', 'veto-policy', 'veto-roles'],
  ],
  [
    'if both were made an admin on the server’s console and no admin can sign in: confirm each other’s role',
    ['confirm-roles'],
  ],
  [
    'invite people, type their codes, give and take roles, confirm those that others gave, end sessions, block; change the approval rules',
    ['manage-people', 'change-policy'],
  ],
];

const OPERATOR = ['view', 'prepare'];

test('the README’s table of roles matches the permission table', () => {
  const rows = ROWS.map(([text, abilities]) => {
    const cells = PERMISSIONS.map((permission) => {
      // A role is a permission with view.
      const rights = { permissions: ['view', permission] as const, readOnly: false, keyRefused: false };
      const [allowed, ...others] = new Set(abilities.map((ability) => isAllowed(ability, rights)));
      expect(others, `${permission}: ${text}`).toEqual([]);
      return allowed ? '●' : '';
    });
    return `| ${[text, ...cells].join(' | ')} |`.replaceAll(/ +/g, ' ');
  });
  const head = [`| | ${Object.values(ROLES).join(' | ')} |`, `| --- | ${PERMISSIONS.map(() => ':---:').join(' | ')} |`];
  const readme = readFileSync('README.md', 'utf8').replaceAll(/ +/g, ' ').replaceAll(/-{3,}/g, '---');
  expect(readme).toContain([...head, ...rows].join('\n'));
});

test('every ability is in exactly one row of the README’s table', () => {
  expect(ROWS.flatMap(([, abilities]) => abilities).toSorted()).toEqual(Object.keys(ABILITIES).toSorted());
});

test('a session with an API key has an operator’s permissions', () => {
  expect(KEY_SESSION_PERMISSIONS).toEqual(OPERATOR);
});
