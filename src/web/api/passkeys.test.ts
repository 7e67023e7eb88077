import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { askPasskey, createPasskey, PasskeyProblem, passkeysUnsupported } from './passkeys.ts';

/** Replaces the browser's class, which Node doesn't have. */
class FakeCredential {
  static parseCreationOptionsFromJSON = (options: object) => ({ parsed: options });
  static parseRequestOptionsFromJSON = (options: object) => ({ parsed: options });
  toJSON(): object {
    return { id: 'cred_1', type: 'public-key' };
  }
}

const create = vi.fn<(options: unknown) => Promise<unknown>>();
const get = vi.fn<(options: unknown) => Promise<unknown>>();

function browser(more: object = {}): void {
  vi.stubGlobal('window', { isSecureContext: true, PublicKeyCredential: FakeCredential, ...more });
  vi.stubGlobal('PublicKeyCredential', FakeCredential);
  vi.stubGlobal('navigator', { credentials: { create, get } });
}

beforeEach(() => browser());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.resetAllMocks();
});

const failure = (name: string) => Object.assign(new Error('as the browser says'), { name });

test('options go to the browser’s own functions, and the credential comes back as JSON', async () => {
  create.mockResolvedValue(new FakeCredential());
  get.mockResolvedValue(new FakeCredential());
  expect(await createPasskey({ challenge: 'AA' })).toEqual({ id: 'cred_1', type: 'public-key' });
  expect(await askPasskey({ challenge: 'BB' })).toEqual({ id: 'cred_1', type: 'public-key' });
  expect(create).toHaveBeenCalledWith({ publicKey: { parsed: { challenge: 'AA' } } });
  expect(get).toHaveBeenCalledWith({ publicKey: { parsed: { challenge: 'BB' } } });
});

test.each(['NotAllowedError', 'AbortError'])('cancelling is no error: %s', async (name) => {
  create.mockRejectedValue(failure(name));
  get.mockRejectedValue(failure(name));
  expect(await createPasskey({})).toBeNull();
  expect(await askPasskey({})).toBeNull();
});

test.each([
  ['InvalidStateError', /already has a passkey/],
  ['SecurityError', /doesn’t allow passkeys at this address/],
  ['UnknownError', /couldn’t use a passkey: as the browser says/],
])('a failure is said in words: %s', async (name, words) => {
  create.mockRejectedValue(failure(name));
  const error = await createPasskey({}).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(PasskeyProblem);
  expect(error).toHaveProperty('message', expect.stringMatching(words));
});

test('what a password manager puts in place of a credential is refused', async () => {
  get.mockResolvedValue({ id: 'cred_1' });
  await expect(askPasskey({})).rejects.toThrow(/Something else than a passkey/);
});

test.each([
  ['over plain http', { isSecureContext: false }, /only work over https/],
  ['of some years ago', { PublicKeyCredential: {} }, /can’t use passkeys/],
])('a browser %s is told why', async (_, more, words) => {
  browser(more);
  // An older browser has the class without its JSON functions.
  if ('PublicKeyCredential' in more) vi.stubGlobal('PublicKeyCredential', { prototype: {} });
  expect(passkeysUnsupported()).toMatch(words);
  await expect(askPasskey({})).rejects.toThrow(words);
  expect(get).not.toHaveBeenCalled();
});
