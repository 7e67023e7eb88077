// Test support: an authenticator in software, with one ES256 passkey each.
import { createHash, generateKeyPairSync, randomBytes, sign } from 'node:crypto';

interface Answering {
  /** base64url, as in the options. */
  challenge: string;
  origin: string;
  rpId: string;
  type?: string;
  crossOrigin?: boolean;
  topOrigin?: string;
  isPresent?: boolean;
  isVerified?: boolean;
  /** Of a registration; with certificates unless it is none. */
  format?: string;
}

const sha256 = (data: string | Uint8Array): Buffer => createHash('sha256').update(data).digest();

type Cbor = number | string | Buffer | Map<number | string, Cbor>;

/** CBOR (RFC 8949) of what an attestation needs. */
function cbor(value: Cbor): Buffer {
  const head = (major: number, size: number): Buffer => {
    if (size < 24) return Buffer.from([(major << 5) | size]);
    if (size < 256) return Buffer.from([(major << 5) | 24, size]);
    return Buffer.from([(major << 5) | 25, size >> 8, size & 255]);
  };
  if (typeof value === 'number') return value >= 0 ? head(0, value) : head(1, -1 - value);
  if (typeof value === 'string') return Buffer.concat([head(3, Buffer.byteLength(value)), Buffer.from(value)]);
  if (Buffer.isBuffer(value)) return Buffer.concat([head(2, value.length), value]);
  const entries = [...value].flatMap(([key, item]) => [cbor(key), cbor(item)]);
  return Buffer.concat([head(5, value.size), ...entries]);
}

export function createAuthenticator() {
  const id = randomBytes(32);
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const coseKey = cbor(
    new Map<number | string, Cbor>([
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, Buffer.from(x, 'base64url')],
      [-3, Buffer.from(y, 'base64url')],
    ]),
  );

  function authenticatorData(
    { rpId, isPresent = true, isVerified = true }: Answering,
    attested: Buffer | null,
  ): Buffer {
    const flags = (isPresent ? 1 : 0) | (isVerified ? 4 : 0) | (attested ? 64 : 0);
    return Buffer.concat([sha256(rpId), Buffer.from([flags]), Buffer.alloc(4), attested ?? Buffer.alloc(0)]);
  }

  function clientData(type: string, answering: Answering): Buffer {
    const { challenge, origin, crossOrigin = false, topOrigin } = answering;
    return Buffer.from(
      JSON.stringify({ type: answering.type ?? type, challenge, origin, crossOrigin, ...(topOrigin && { topOrigin }) }),
    );
  }

  const credential = (response: Record<string, unknown>) => ({
    id: id.toString('base64url'),
    rawId: id.toString('base64url'),
    type: 'public-key',
    clientExtensionResults: {},
    response,
  });

  return {
    id: id.toString('base64url'),
    publicKey: coseKey.toString('base64url'),

    /** As navigator.credentials.create() answers, in JSON. */
    register(answering: Answering): Record<string, unknown> {
      const attested = Buffer.concat([Buffer.alloc(16), Buffer.from([0, id.length]), id, coseKey]);
      const attestation = new Map<number | string, Cbor>([
        ['fmt', answering.format ?? 'none'],
        ['attStmt', new Map<string, Cbor>(answering.format === undefined ? [] : [['x5c', Buffer.from('certificate')]])],
        ['authData', authenticatorData(answering, attested)],
      ]);
      return credential({
        clientDataJSON: clientData('webauthn.create', answering).toString('base64url'),
        attestationObject: cbor(attestation).toString('base64url'),
        transports: ['internal'],
      });
    },

    /** As navigator.credentials.get() answers, in JSON. */
    sign(answering: Answering): Record<string, unknown> {
      const data = authenticatorData(answering, null);
      const client = clientData('webauthn.get', answering);
      return credential({
        clientDataJSON: client.toString('base64url'),
        authenticatorData: data.toString('base64url'),
        signature: sign('sha256', Buffer.concat([data, sha256(client)]), privateKey).toString('base64url'),
      });
    },
  };
}
