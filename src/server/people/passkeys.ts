import { createHash } from 'node:crypto';
import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
} from '@simplewebauthn/server';
import { decodeAttestationObject } from '@simplewebauthn/server/helpers';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { isObject, parseJson } from '#src/shared/answers.ts';

// WebAuthn (https://www.w3.org/TR/webauthn-3/). We request no attestation and ignore signature counters, because most
// synced passkeys always report 0.

/** COSE: EdDSA, ES256, RS256. */
const ALGORITHMS = [-8, -7, -257];
const RESPONSE_BYTES_MAX = 20_000;

/** Why it was refused, as one sentence for the person. */
export type PasskeyFault = string;

const REFUSED = 'The passkey’s answer isn’t valid for this page. Try again.';

const WITH_CERTIFICATES = 'This authenticator sends certificates, which this page didn’t ask for. Use another one.';

interface Expected {
  /** As the browser sent it. */
  response: Record<string, unknown>;
  challenge: Uint8Array<ArrayBuffer>;
  origin: string;
  rpId: string;
}

/** Options for navigator.credentials.create(), as JSON. `userId`: the person's id. */
export async function creationOptions(input: {
  challenge: Uint8Array<ArrayBuffer>;
  rpId: string;
  userId: string;
  userName: string;
  exclude: readonly string[];
}): Promise<Record<string, unknown>> {
  const { challenge, rpId, userId, userName, exclude } = input;
  const options = await generateRegistrationOptions({
    rpName: 'Countinghouse',
    rpID: rpId,
    userID: Uint8Array.from(createHash('sha256').update(userId).digest()),
    userName,
    challenge,
    attestationType: 'none',
    excludeCredentials: exclude.map((id) => ({ id })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
    supportedAlgorithmIDs: ALGORITHMS,
  });
  return { ...options };
}

/** Options for navigator.credentials.get(), as JSON. Without `allow` the browser offers every passkey it has here. */
export async function requestOptions(input: {
  challenge: Uint8Array<ArrayBuffer>;
  rpId: string;
  allow?: readonly string[];
}): Promise<Record<string, unknown>> {
  const { challenge, rpId, allow = [] } = input;
  const options = await generateAuthenticationOptions({
    rpID: rpId,
    challenge,
    userVerification: 'required',
    allowCredentials: allow.map((id) => ({ id })),
  });
  return { ...options };
}

/** The new passkey, its id and public key in base64url. Never throws. */
export async function checkRegistration(
  expected: Expected,
): Promise<{ id: string; publicKey: string } | { fault: PasskeyFault }> {
  if (!isFromThisPage(expected)) return { fault: REFUSED };
  try {
    if (!isWithoutCertificates(expected.response)) return { fault: WITH_CERTIFICATES };
    const { verified, registrationInfo } = await verifyRegistrationResponse({
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library checks it
      response: expected.response as unknown as RegistrationResponseJSON,
      expectedChallenge: Buffer.from(expected.challenge).toString('base64url'),
      expectedOrigin: expected.origin,
      expectedRPID: expected.rpId,
      requireUserVerification: true,
      supportedAlgorithmIDs: ALGORITHMS,
    });
    if (!verified) return { fault: REFUSED };
    const { id, publicKey } = registrationInfo.credential;
    return { id, publicKey: Buffer.from(publicKey).toString('base64url') };
  } catch {
    return { fault: REFUSED };
  }
}

/** Checks that the passkey signed the challenge on this origin and verified its person. Never throws. */
export async function checkAssertion(
  expected: Expected & { passkey: { id: string; publicKey: string } },
): Promise<{ ok: true } | { fault: PasskeyFault }> {
  const { id, publicKey } = expected.passkey;
  if (!isFromThisPage(expected)) return { fault: REFUSED };
  try {
    const { verified } = await verifyAuthenticationResponse({
      // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the library checks it
      response: expected.response as unknown as AuthenticationResponseJSON,
      expectedChallenge: Buffer.from(expected.challenge).toString('base64url'),
      expectedOrigin: expected.origin,
      expectedRPID: expected.rpId,
      credential: { id, publicKey: Uint8Array.from(Buffer.from(publicKey, 'base64url')), counter: 0 },
      requireUserVerification: true,
    });
    return verified ? { ok: true } : { fault: REFUSED };
  } catch {
    return { fault: REFUSED };
  }
}

/** With certificates, the library would fetch revocation lists from the addresses that they name. */
function isWithoutCertificates({ response }: Record<string, unknown>): boolean {
  const encoded = isObject(response) ? response['attestationObject'] : null;
  if (typeof encoded !== 'string' || encoded.length > RESPONSE_BYTES_MAX) return false;
  const attestation = decodeAttestationObject(Uint8Array.from(Buffer.from(encoded, 'base64url')));
  const format = attestation.get('fmt');
  return format === 'none' || (format === 'packed' && attestation.get('attStmt').get('x5c') === undefined);
}

/** The library checks type, challenge and origin, but not whether the page was in a frame of another site. */
function isFromThisPage({ response, origin }: Expected): boolean {
  const inner = response['response'];
  const encoded = isObject(inner) ? inner['clientDataJSON'] : null;
  if (typeof encoded !== 'string' || encoded.length > RESPONSE_BYTES_MAX) return false;
  const data = parseJson(Buffer.from(encoded, 'base64url').toString('utf8'));
  if (!isObject(data)) return false;
  return data['origin'] === origin && data['crossOrigin'] !== true && data['topOrigin'] === undefined;
}

/**
 * Six digits that an admin types, derived from the invite and from what it was used with: a passkey's id and public key, or
 * an identity's issuer and subject.
 */
export function joinCode(token: string, [first, second]: readonly [string, string]): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([token, first, second]))
    .digest();
  return String(digest.readUInt32BE(0) % 1_000_000).padStart(6, '0');
}
