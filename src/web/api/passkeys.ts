// Passkeys through the browser's own JSON functions: options come from the server and responses go back to it as they are.

import * as v from 'valibot';
import { isObject } from '#src/shared/answers.ts';

type Json = Record<string, unknown>;

/** Why this browser can't make or use a passkey; the message is for the person. */
export class PasskeyProblem extends Error {
  override readonly name = 'PasskeyProblem';
}

/** Why passkeys can't be used here; undefined if they can. */
export function passkeysUnsupported(): string | undefined {
  if (!window.isSecureContext) return 'Passkeys only work over https. Open the dashboard at its https address.';
  const isSupported =
    'PublicKeyCredential' in window &&
    'parseCreationOptionsFromJSON' in PublicKeyCredential &&
    'parseRequestOptionsFromJSON' in PublicKeyCredential &&
    'toJSON' in PublicKeyCredential.prototype;
  if (isSupported) return undefined;
  return 'This browser can’t use passkeys here. Use a current version of Chrome, Edge, Firefox or Safari.';
}

/** Makes a passkey; null if the person cancelled. Throws PasskeyProblem. */
export async function createPasskey(options: Json | null): Promise<Json | null> {
  requireSupport();
  const publicKey = parseOptions(() =>
    PublicKeyCredential.parseCreationOptionsFromJSON(v.parse(creationSchema, options)),
  );
  return responseOf(() => navigator.credentials.create({ publicKey }));
}

/**
 * Asks for a signature by a passkey; null if the person cancelled. Without options the server needs no signature, and the
 * response is empty. Throws PasskeyProblem.
 */
export async function askPasskey(options: Json | null): Promise<Json | null> {
  if (options === null) return {};
  requireSupport();
  const publicKey = parseOptions(() =>
    PublicKeyCredential.parseRequestOptionsFromJSON(v.parse(requestSchema, options)),
  );
  return responseOf(() => navigator.credentials.get({ publicKey }));
}

function requireSupport(): void {
  const why = passkeysUnsupported();
  if (why !== undefined) throw new PasskeyProblem(why);
}

// The browser checks the members itself.
const creationSchema = v.custom<PublicKeyCredentialCreationOptionsJSON>(isObject);
const requestSchema = v.custom<PublicKeyCredentialRequestOptionsJSON>(isObject);

function parseOptions<T>(parse: () => T): T {
  try {
    return parse();
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw new PasskeyProblem(`The browser can’t read the server’s request for a passkey: ${why}`, { cause: error });
  }
}

async function responseOf(ask: () => Promise<Credential | null>): Promise<Json | null> {
  let credential: Credential | null;
  try {
    credential = await ask();
  } catch (error) {
    return cancelledOr(error);
  }
  if (credential === null) return null;
  // A password manager may return its own object instead of the browser's.
  if (!(credential instanceof PublicKeyCredential))
    throw new PasskeyProblem('Something else than a passkey came back. Try another passkey app.');
  return { ...credential.toJSON() };
}

const MESSAGES: Readonly<Record<string, string>> = {
  InvalidStateError: 'This device already has a passkey for you. Use it, or choose another device.',
  SecurityError: 'The browser doesn’t allow passkeys at this address. Open the dashboard at its usual address.',
  ConstraintError: 'This device can’t check who you are. Set up a screen lock on it, or use another device.',
  NotSupportedError: 'This device can’t make a passkey of the kind that is needed. Use another device.',
};

/** Cancelling, and letting the browser's dialog time out, is the person's choice and no error. */
function cancelledOr(error: unknown): null {
  const name = error instanceof Error ? error.name : '';
  if (name === 'NotAllowedError' || name === 'AbortError') return null;
  const message = error instanceof Error ? error.message : String(error);
  throw new PasskeyProblem(MESSAGES[name] ?? `The browser couldn’t use a passkey: ${message}`, { cause: error });
}
