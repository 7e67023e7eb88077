import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkAssertion, checkRegistration, creationOptions, joinCode, requestOptions } from './passkeys.ts';
import { createAuthenticator } from './testAuthenticator.ts';
import { propertyRuns } from '#src/tests/depth.ts';

const ORIGIN = 'https://money.example';
const RP_ID = 'money.example';
const challenge = Uint8Array.from(Array.from({ length: 32 }, (_, at) => at));
const here = { challenge: Buffer.from(challenge).toString('base64url'), origin: ORIGIN, rpId: RP_ID };
const expected = { challenge, origin: ORIGIN, rpId: RP_ID };
const REFUSED = { fault: expect.any(String) };

/** Responses that must be refused. */
const WRONG: [string, Partial<Parameters<ReturnType<typeof createAuthenticator>['sign']>[0]>][] = [
  ['another challenge', { challenge: Buffer.alloc(32).toString('base64url') }],
  ['another origin', { origin: 'https://money.example.evil.example' }],
  ['another port', { origin: 'https://money.example:8443' }],
  ['http', { origin: 'http://money.example' }],
  ['another RP ID', { rpId: 'example' }],
  ['a frame of another site', { crossOrigin: true }],
  ['a frame with its top origin', { topOrigin: 'https://evil.example' }],
  ['nobody present', { isPresent: false }],
  ['nobody verified', { isVerified: false }],
  ['another type', { type: 'payment.get' }],
];

describe('a registration', () => {
  test('gives the id and the public key', async () => {
    const authenticator = createAuthenticator();
    const { id, publicKey } = authenticator;
    const checked = await checkRegistration({ ...expected, response: authenticator.register(here) });
    expect(checked).toEqual({ id, publicKey });
  });

  test.each(WRONG)('with %s is refused', async (_what, change) => {
    const response = createAuthenticator().register({ ...here, ...change });
    expect(await checkRegistration({ ...expected, response })).toEqual(REFUSED);
  });

  test.each(['packed', 'fido-u2f', 'android-safetynet', 'tpm', 'apple'])(
    'of the format %s with certificates is refused',
    async (format) => {
      const response = createAuthenticator().register({ ...here, format });
      expect(await checkRegistration({ ...expected, response })).toEqual({
        fault: expect.stringContaining('certificates'),
      });
    },
  );

  test('with an algorithm that wasn’t offered is refused', async () => {
    const response = createAuthenticator('ES384').register(here);
    expect(await checkRegistration({ ...expected, response })).toEqual(REFUSED);
  });

  test('isn’t accepted as an assertion, nor an assertion as a registration', async () => {
    const authenticator = createAuthenticator();
    const { id, publicKey } = authenticator;
    expect(await checkRegistration({ ...expected, response: authenticator.sign(here) })).toEqual(REFUSED);
    const response = authenticator.register(here);
    expect(await checkAssertion({ ...expected, response, passkey: { id, publicKey } })).toEqual(REFUSED);
  });
});

describe('an assertion', () => {
  test('of the passkey is accepted', async () => {
    const authenticator = createAuthenticator();
    const { id, publicKey } = authenticator;
    const response = authenticator.sign(here);
    expect(await checkAssertion({ ...expected, response, passkey: { id, publicKey } })).toEqual({ ok: true });
  });

  test.each(WRONG)('with %s is refused', async (_what, change) => {
    const authenticator = createAuthenticator();
    const { id, publicKey } = authenticator;
    const response = authenticator.sign({ ...here, ...change });
    expect(await checkAssertion({ ...expected, response, passkey: { id, publicKey } })).toEqual(REFUSED);
  });

  test.each(['ES256', 'EdDSA', 'RS256'] as const)('by %s is accepted', async (algorithm) => {
    const authenticator = createAuthenticator(algorithm);
    const { id, publicKey } = authenticator;
    expect(await checkRegistration({ ...expected, response: authenticator.register(here) })).toEqual({ id, publicKey });
    const response = authenticator.sign(here);
    expect(await checkAssertion({ ...expected, response, passkey: { id, publicKey } })).toEqual({ ok: true });
    const other = createAuthenticator(algorithm);
    expect(await checkAssertion({ ...expected, response, passkey: { id, publicKey: other.publicKey } })).toEqual(
      REFUSED,
    );
  });

  test('is accepted with any counter, even a lower one than before', async () => {
    const authenticator = createAuthenticator();
    const { id, publicKey } = authenticator;
    for (const counter of [7, 3, 0]) {
      const response = authenticator.sign({ ...here, counter });
      expect(await checkAssertion({ ...expected, response, passkey: { id, publicKey } })).toEqual({ ok: true });
    }
  });

  test('of another passkey is refused', async () => {
    const [one, other] = [createAuthenticator(), createAuthenticator()];
    const response = { ...other.sign(here), id: one.id, rawId: one.id };
    const { id, publicKey } = one;
    expect(await checkAssertion({ ...expected, response, passkey: { id, publicKey } })).toEqual(REFUSED);
  });
});

test('malformed responses from a browser are faults, not exceptions', async () => {
  const { id, publicKey } = createAuthenticator();
  const good = createAuthenticator().sign(here);
  const inner = fc.dictionary(
    fc.constantFrom('clientDataJSON', 'authenticatorData', 'signature', 'attestationObject', 'userHandle'),
    fc.oneof(fc.string(), fc.base64String(), fc.json(), fc.integer(), fc.constant(null)),
  );
  const junk = fc.oneof(
    fc.dictionary(fc.string(), fc.anything()),
    inner.map((response) => ({ ...good, response })),
    fc.constantFrom('id', 'rawId', 'type', 'response').map((name) => ({ ...good, [name]: {} })),
  );
  await fc.assert(
    fc.asyncProperty(junk, async (response) => {
      expect(await checkRegistration({ ...expected, response })).toEqual(REFUSED);
      expect(await checkAssertion({ ...expected, response, passkey: { id, publicKey } })).toEqual(REFUSED);
    }),
    { numRuns: propertyRuns(100) },
  );
});

test('the options require user verification and no attestation, and list the existing passkeys', async () => {
  const created = await creationOptions({ challenge, rpId: RP_ID, userId: 'p1', userName: 'Ada', exclude: ['abc'] });
  expect(created).toMatchObject({
    challenge: here.challenge,
    attestation: 'none',
    rp: { id: RP_ID, name: 'Countinghouse' },
    user: { name: 'Ada' },
    excludeCredentials: [{ id: 'abc' }],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  expect(JSON.stringify(created)).not.toContain('p1');
  expect(await requestOptions({ challenge, rpId: RP_ID, allow: ['abc'] })).toMatchObject({
    challenge: here.challenge,
    rpId: RP_ID,
    userVerification: 'required',
    allowCredentials: [{ id: 'abc' }],
  });
});

test('a join code has six digits and depends on invite, passkey and key', () => {
  const codes = [
    joinCode('t', ['i', 'k']),
    joinCode('u', ['i', 'k']),
    joinCode('t', ['j', 'k']),
    joinCode('t', ['i', 'l']),
  ];
  for (const code of codes) expect(code).toMatch(/^\d{6}$/);
  expect(new Set(codes).size).toBe(4);
});
