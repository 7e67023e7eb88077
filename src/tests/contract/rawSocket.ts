import { connect } from 'node:net';

/** The response on a socket, up to the moment it closed. */
export interface SocketAnswer {
  status: number;
  headers: string;
  body: string;
  /** Whether the connection was reset or closed before the end of the body. */
  broken: boolean;
}

/** Sends header lines unchanged, including duplicates, which fetch would merge. */
export function sendRaw(
  baseUrl: string,
  request: {
    method: string;
    path: string;
    headers: readonly string[];
    body?: string;
  },
): Promise<SocketAnswer> {
  const { hostname, port, host, pathname } = new URL(baseUrl);
  const body = request.body ?? '';
  const head = [
    `${request.method} ${pathname === '/' ? '' : pathname}${request.path} HTTP/1.1`,
    `Host: ${host}`,
    'Connection: close',
    `Content-Length: ${Buffer.byteLength(body)}`,
    ...request.headers,
  ];
  return new Promise((resolve) => {
    const socket = connect({ host: hostname, port: Number(port) });
    const chunks: Buffer[] = [];
    let failed = false;
    socket.on('data', (chunk: Buffer) => chunks.push(chunk));
    socket.on('error', () => {
      failed = true;
    });
    socket.on('close', () => resolve(parseAnswer(Buffer.concat(chunks), failed)));
    socket.write(`${head.join('\r\n')}\r\n\r\n${body}`);
  });
}

function parseAnswer(bytes: Buffer, failed: boolean): SocketAnswer {
  const end = bytes.indexOf('\r\n\r\n');
  const headers = end < 0 ? bytes.toString() : bytes.subarray(0, end).toString();
  const body = end < 0 ? Buffer.alloc(0) : bytes.subarray(end + 4);
  const length = /^content-length: *(\d+)/im.exec(headers)?.[1];
  const chunked = /^transfer-encoding: *chunked/im.test(headers);
  const whole = chunked ? body.toString().endsWith('0\r\n\r\n') : length === undefined || body.length >= Number(length);
  return {
    status: Number(/^HTTP\/1\.1 (\d{3})/.exec(headers)?.[1] ?? 0),
    headers,
    body: body.toString(),
    broken: failed || end < 0 || !whole,
  };
}
